// Elements of the page.

/// An element with attributes (functions become listeners, `class` and `text` as they say) and children.
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (name === "text") node.textContent = value;
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

const PATHS = {
  play: "M4 2.5v11l9.5-5.5z",
  pause: "M4 2.5h3v11H4zM9 2.5h3v11H9z",
  next: "M3 3v10l5-5zM8 3v10l5-5z",
  previous: "M13 3v10L8 8zM8 3v10L3 8z",
  forward: "M4 3v10l6-5zM11 3h2v10h-2z",
  back: "M12 3v10L6 8zM3 3h2v10H3z",
};

/// An icon in the colour of the text around it.
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}

/// A check box with a label.
export function toggle(text, checked, onChange, title) {
  const box = element("input", { type: "checkbox", checked, change: () => onChange(box.checked) });
  return element("label", { class: "toggle", title }, box, element("span", { text }));
}

/// A choice among [value, text] pairs.
export function choice(label, options, chosen, onChange) {
  const select = element("select", { "aria-label": label, change: () => onChange(select.value) });
  for (const [value, text] of options) select.append(element("option", { value, text, selected: value === chosen }));
  return element("label", { class: "choice" }, element("span", { text: label }), select);
}

/// Calls a function at most once per drawn frame.
export function coalesced(draw) {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw();
    });
  };
}

/// Calls `draw` when an element is resized, comes into view, or the colour scheme changes.
export function redrawOn(node, draw) {
  new ResizeObserver(draw).observe(node);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
}

/// Fits a canvas to its box; its size in CSS pixels, and pixels per CSS pixel.
export function fitCanvas(canvas) {
  const ratio = globalThis.devicePixelRatio || 1;
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  const pixels = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
  if (canvas.width !== pixels[0] || canvas.height !== pixels[1]) [canvas.width, canvas.height] = pixels;
  return { width, height, ratio };
}
