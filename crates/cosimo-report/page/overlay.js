// What lies over the 3D picture: names, the three axes, scales of length and force.
import { element } from "./dom.js";
import { toView } from "./camera.js";
import { roundBelow } from "./bounds.js";
import { vDot } from "./vectors.js";
import { valueText } from "./units.js";

const NAMES_AT_ONCE = 400;

/// Names beside their bodies; of two that overlap the nearer one stays.
export class NameLabels {
  constructor(layer, bodies) {
    this.labels = bodies.map((body) => element("span", { class: "name", text: body.id }));
    this.widths = bodies.map((body) => 7 + 6.6 * body.id.length);
    layer.append(...this.labels.slice(0, NAMES_AT_ONCE));
  }

  /// `hover`: where the pointer is (pixels), or null: the body there has its name also where names are off.
  update(poses, camera, matrix, width, height, shown, hover) {
    const places = this.labels.slice(0, NAMES_AT_ONCE).map((_, b) => {
      const { x, y, depth, ahead } = camera.project(matrix, poses.positionOf(b));
      return { b, x: x * width, y: y * height, depth, ahead };
    });
    places.sort((p, q) => p.depth - q.depth);
    this.near = hover ? nearestTo(places, hover) : null;
    const taken = [];
    for (const place of places) {
      const { b, x, y, ahead } = place;
      const box = { left: x + 7, top: y - 8, right: x + 7 + this.widths[b], bottom: y + 9 };
      const inside = ahead && box.left > 0 && box.right < width && box.top > 0 && box.bottom < height;
      const free = !taken.some((t) => box.left < t.right && t.left < box.right && box.top < t.bottom && t.top < box.bottom);
      const label = this.labels[b];
      label.hidden = !(shown ? inside && free : place === this.near);
      if (label.hidden) continue;
      taken.push(box);
      label.style.transform = `translate(${box.left.toFixed(1)}px, ${box.top.toFixed(1)}px)`;
    }
  }
}

function nearestTo(places, { x, y }) {
  let best = null;
  let least = 28;
  for (const place of places) {
    const distance = Math.hypot(place.x - x, place.y - y);
    if (place.ahead && distance < least) [least, best] = [distance, place];
  }
  return best;
}

const SVG = "http://www.w3.org/2000/svg";

function drawn(tag, attributes) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

/// The directions of x, y, z in the corner.
export class Triad {
  constructor() {
    this.node = drawn("svg", { viewBox: "-34 -34 68 68", class: "triad", "aria-hidden": "true" });
    this.arms = ["x", "y", "z"].map((axis) => {
      const group = drawn("g", { class: `axis-${axis}` });
      const line = drawn("line", { x1: 0, y1: 0 });
      const text = drawn("text", { "text-anchor": "middle", "dominant-baseline": "central" });
      text.textContent = axis;
      group.append(line, text);
      this.node.append(group);
      return { group, line, text };
    });
  }

  update(camera) {
    const { right, up, back } = camera.axes();
    const ends = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((axis, k) => {
      const v = toView(camera.up, axis);
      return { k, x: vDot(v, right), y: -vDot(v, up), near: vDot(v, back) };
    });
    for (const { k, x, y } of ends.sort((a, b) => a.near - b.near)) {
      const { group, line, text } = this.arms[k];
      line.setAttribute("x2", (19 * x).toFixed(2));
      line.setAttribute("y2", (19 * y).toFixed(2));
      text.setAttribute("x", (27 * x).toFixed(2));
      text.setAttribute("y", (27 * y).toFixed(2));
      this.node.append(group);
    }
  }
}

/// Bars of a round length and a round force, as long as they are seen at the target of the camera.
export class Scales {
  constructor() {
    this.node = element("div", { class: "scales" });
    this.bars = ["length", "force"].map((what) => {
      const bar = element("span", { class: `bar ${what}` });
      const text = element("span", {});
      const row = element("div", { class: "scale" }, bar, text);
      this.node.append(row);
      return { bar, text, row };
    });
  }

  set({ bar, text, row }, unit, perPixel, what) {
    row.hidden = !(perPixel > 0);
    if (row.hidden) return;
    const amount = roundBelow(110 * perPixel);
    bar.style.width = `${(amount / perPixel).toFixed(1)}px`;
    text.textContent = `${valueText(amount, unit)}${what}`;
  }

  update(camera, height, metresPerNewton, forcesShown) {
    const metresPerPixel = camera.height() / height;
    this.set(this.bars[0], "m", metresPerPixel, "");
    this.set(this.bars[1], "N", forcesShown && metresPerNewton > 0 ? metresPerPixel / metresPerNewton : 0, " force");
  }
}
