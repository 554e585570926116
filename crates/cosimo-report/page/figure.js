// A figure: panels one below the other, one per unit, over the same x, with legends.
import { Chart } from "./chart.js";
import { listenToChart } from "./chart-input.js";
import { coalesced, element, redrawOn } from "./dom.js";
import { extent } from "./curve.js";
import { indexAt } from "./poses.js";
import { paletteColor, paletteDash } from "./palette.js";
import { numberText, prefixed, valueText } from "./units.js";

/// Series grouped by unit, in the order in which units come.
export function groupByUnit(series) {
  const groups = new Map();
  for (const s of series) {
    if (!groups.has(s.unit)) groups.set(s.unit, []);
    groups.get(s.unit).push(s);
  }
  return [...groups.values()];
}

/// A series for a figure over time.
export function overTime(times, column) {
  return { name: column.name, unit: column.unit, x: times, y: column.values };
}

/// Index of the sample nearest to x on an ascending grid.
function nearest(xs, x) {
  const k = indexAt(xs, x);
  return k + 1 < xs.length && xs[k + 1] - x < x - xs[k] ? k + 1 : k;
}

/// Where a row of the time grid is in a series; negative where it is not.
function placeOfRow(series, row) {
  if (!series.rows) return row;
  const k = indexAt(series.rows, row);
  return series.rows[k] === row ? k : -1;
}

export class Figure {
  /// `options`: timeline, over ("time", "free" for any x that has rows of the time grid, "other" for an x of its own that ascends), xName,
  /// xUnit, impacts, height, log, times (of the rows, for "free"), range (of "free" and "other", where it is fixed).
  constructor(parent, options) {
    this.options = { height: 150, impacts: [], ...options };
    this.timeline = options.timeline;
    this.panels = [];
    this.node = element("div", { class: "figure" });
    parent.append(this.node);
    this.redraw = coalesced(() => this.draw());
    this.redrawOver = coalesced(() => this.drawOver());
    redrawOn(this.node, this.redraw);
    if (this.onTime) {
      this.timeline.on("range", this.redraw);
      this.timeline.on("hover", this.redrawOver);
    }
    if (options.over !== "other") this.timeline.on("time", this.redrawOver);
  }

  get onTime() {
    return this.options.over === "time";
  }

  get series() {
    return this.panels.flatMap((panel) => panel.chart.series);
  }

  /// Replaces the curves.
  setSeries(series) {
    this.node.replaceChildren();
    this.own = null;
    let k = 0;
    const groups = groupByUnit(series);
    this.panels = groups.map((group, g) => {
      const colored = group.map((s) => ({ color: k++, ...s }));
      return this.panel(colored, g === groups.length - 1);
    });
    if (groups.length === 0) this.node.append(element("p", { class: "empty", text: "Choose a quantity." }));
    this.redraw();
  }

  panel(series, labelled) {
    const { xName, xUnit, height, log, over } = this.options;
    const unit = element("span", { class: "unit" });
    const legend = element("div", { class: "chips" });
    this.node.append(element("div", { class: "legend" }, unit, legend));
    const chart = new Chart(this.node, { ascending: over !== "free", log, xName, xUnit, labelled, height });
    chart.series = series;
    const panel = { chart, unit, hover: null, box: null, chips: series.map((s) => this.chip(legend, s)) };
    listenToChart(chart, this.actions(panel));
    return panel;
  }

  chip(legend, series) {
    const value = element("output", { class: "value" });
    const swatch = element("span", { class: series.faint ? "swatch faint" : "swatch" });
    const chip = element("button", {
      class: "chip", title: `${series.name}: show or hide`,
      click: () => {
        series.off = !series.off;
        chip.classList.toggle("off", series.off);
        this.redraw();
      },
    }, swatch, element("span", { text: series.name }), this.options.over === "other" || series.faint ? null : value);
    legend.append(chip);
    return { series, value, swatch };
  }

  actions(panel) {
    const { chart } = panel;
    return {
      hover: (px, py) => {
        panel.hover = { px, py };
        chart.xRange = this.range();
        if (this.onTime) this.timeline.setHover(chart.fromX(px));
        this.redrawOver();
      },
      leave: () => {
        panel.hover = null;
        if (this.onTime) this.timeline.setHover(null);
        this.redrawOver();
      },
      pick: (x) => { if (this.onTime) this.timeline.setTime(x); },
      zoom: (xs, ys) => this.zoom(panel, xs, ys),
      move: (part) => {
        const [a, b] = this.range();
        this.setRange(a + part * (b - a), b + part * (b - a));
      },
      scale: (factor, x) => {
        const [a, b] = this.range();
        this.setRange(x - (x - a) * factor, x + (b - x) * factor);
      },
      reset: () => {
        for (const other of this.panels) other.chart.yRange = null;
        this.own = null;
        if (this.onTime) this.timeline.resetRange();
        this.redraw();
      },
      drag: (box) => {
        panel.box = box;
        this.redrawOver();
      },
    };
  }

  zoom(panel, xs, ys) {
    if (ys) panel.chart.yRange = ys;
    this.setRange(...xs);
  }

  setRange(from, to) {
    if (this.onTime) this.timeline.setRange(from, to);
    else this.own = [from, to];
    this.redraw();
  }

  /// The x range in view.
  range() {
    if (this.onTime) return this.timeline.range;
    return this.own ?? this.options.range ?? this.wholeRange();
  }

  wholeRange() {
    let range = null;
    for (const s of this.series) {
      const found = s.off ? null : extent(s.x, 0, s.x.length, false);
      if (found) range = range ? [Math.min(range[0], found[0]), Math.max(range[1], found[1])] : found;
    }
    if (!range) return [0, 1];
    const room = range[0] === range[1] ? Math.max(1e-9, Math.abs(range[0]) * 0.1) : this.options.over === "free" ? 0.04 * (range[1] - range[0]) : 0;
    return [range[0] - room, range[1] + room];
  }

  draw() {
    const range = this.range();
    for (const { chart, unit, chips } of this.panels) {
      chart.xRange = range;
      chart.marks = this.onTime ? this.options.impacts : [];
      chart.draw();
      if (unit.textContent !== chart.unitShown) unit.textContent = chart.unitShown ?? "";
      for (const { series, swatch } of chips) paintSwatch(swatch, series.color);
    }
    this.drawOver();
  }

  drawOver() {
    for (const panel of this.panels) {
      panel.chart.drawOver({
        time: this.onTime ? this.timeline.time : null,
        hover: this.onTime ? this.timeline.hover : panel.hover ? panel.chart.fromX(panel.hover.px) : null,
        points: this.pointsOf(panel),
        box: panel.box,
      });
      this.showTip(panel);
    }
    if (this.options.over !== "other") this.showValues();
  }

  /// Marks at the time shown (free x), or at the pointer.
  pointsOf({ chart, hover }) {
    const on = chart.series.filter((s) => !s.off);
    if (this.options.over === "free") {
      const row = nearest(this.options.times, this.timeline.time);
      return on.map((s) => this.pointAt(s, row)).filter((p) => p !== null);
    }
    if (!hover) return [];
    const x = chart.fromX(hover.px);
    return on.map((s) => {
      const k = nearest(s.x, x);
      return { x: s.x[k], y: s.y[k], color: s.color };
    });
  }

  pointAt(series, row) {
    const k = placeOfRow(series, row);
    return k < 0 || series.faint ? null : { x: series.x[k], y: series.y[k], color: series.color };
  }

  showValues() {
    const now = performance.now();
    if (this.valuesAt && now - this.valuesAt < 90) {
      clearTimeout(this.later);
      this.later = setTimeout(() => this.showValues(), 100);
      return;
    }
    this.valuesAt = now;
    const { times } = this.options;
    for (const { chips } of this.panels) {
      for (const { series, value } of chips) {
        const row = nearest(this.options.over === "free" ? times : series.x, this.timeline.time);
        const at = placeOfRow(series, row);
        const text = at < 0 ? "" : valueText(series.y[at], series.unit);
        if (value.value !== text) value.value = text;
      }
    }
  }

  /// Values under the pointer.
  showTip({ chart, hover }) {
    const { tip } = chart;
    tip.hidden = !hover;
    if (!hover) return;
    const rows = this.options.over === "free" ? this.nearestPoints(chart, hover) : this.valuesAtX(chart, hover);
    tip.replaceChildren(...rows);
    const width = chart.node.clientWidth;
    const right = hover.px > width / 2;
    tip.style.left = right ? "" : `${hover.px + 14}px`;
    tip.style.right = right ? `${width - hover.px + 14}px` : "";
    tip.style.top = `${Math.max(2, Math.min(hover.py - 12, chart.node.clientHeight - 30))}px`;
  }

  valuesAtX(chart, hover) {
    const on = chart.series.filter((s) => !s.off);
    if (on.length === 0) return [];
    const x = chart.fromX(hover.px);
    const at = on[0].x[nearest(on[0].x, x)];
    const head = element("div", { class: "at", text: `${this.options.xName} = ${valueText(at, this.options.xUnit, 6)}` });
    const shown = on.slice(0, 14).map((s) => tipRow(s, valueText(s.y[nearest(s.x, x)], s.unit, 5)));
    if (on.length > 14) shown.push(element("div", { class: "at", text: `and ${on.length - 14} more` }));
    return [head, ...shown];
  }

  /// Where x is free: the point of each curve that is nearest to the pointer.
  nearestPoints(chart, hover) {
    return chart.series.filter((s) => !s.off && !s.faint).map((s) => {
      let best = 0;
      let least = Infinity;
      for (let k = 0; k < s.x.length; k++) {
        const distance = Math.hypot(chart.toX(s.x[k]) - hover.px, chart.toY(s.y[k]) - hover.py);
        if (distance < least) [least, best] = [distance, k];
      }
      const row = s.rows ? s.rows[best] : best;
      const { factor, label } = prefixed(this.options.xUnit, s.x[best]);
      const over = `${numberText(s.x[best] * factor)} ${label === "–" ? "" : label}`.trim();
      return tipRow(s, `${valueText(s.y[best], s.unit, 5)} at ${over}, t = ${valueText(this.options.times[row], "s", 5)}`);
    });
  }
}

function paintSwatch(swatch, color) {
  const dashes = paletteDash(color);
  const paint = paletteColor(color);
  swatch.style.background = dashes.length === 0 ? paint : `repeating-linear-gradient(90deg, ${paint} 0 ${dashes[0]}px, transparent ${dashes[0]}px ${dashes[0] + dashes[1]}px)`;
}

function tipRow(series, text) {
  const swatch = element("span", { class: "swatch" });
  paintSwatch(swatch, series.color);
  return element("div", { class: "row" }, swatch, element("span", { class: "what", text: series.name }), element("b", { text }));
}
