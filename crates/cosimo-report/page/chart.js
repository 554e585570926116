// One panel of a figure: axes and curves on a canvas, and a second canvas for what moves (time, pointer, range being dragged).
import { element, fitCanvas } from "./dom.js";
import { envelope, extent, traceAscending, traceEnvelope, traceFree } from "./curve.js";
import { samplesIn } from "./statistics.js";
import { degreeTicks, logTicks, prefixed, superscript, tickText, ticks } from "./units.js";
import { paletteColor, paletteDash, themeColor } from "./palette.js";

export const CHART_LEFT = 54;
const RIGHT = 14;
const TOP = 8;
const FONT = "11px system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";

function padded([low, high]) {
  if (low === high) {
    const room = Math.abs(low) > 0 ? 0.1 * Math.abs(low) : 1;
    return [low - room, high + room];
  }
  const room = 0.06 * (high - low);
  return [low - room, high + room];
}

/// The size that decides on the prefix: the largest tick, or the range where zero is the only tick.
function largestOf(values, range) {
  const largest = Math.max(...values.map(Math.abs));
  return largest > 0 ? largest : Math.max(...range.map(Math.abs));
}

export class Chart {
  /// `options`: ascending (x of all series ascends), log (y axis), xName, xUnit, labelled (numbers below), height.
  constructor(parent, options) {
    this.options = options;
    this.series = [];
    this.xRange = [0, 1];
    this.yRange = null;
    this.marks = [];
    this.bottom = options.labelled ? 24 : 7;
    this.canvas = element("canvas", { class: "curves" });
    this.over = element("canvas", { class: "over" });
    this.tip = element("div", { class: "tip", hidden: true });
    this.node = element("div", { class: "chart" }, this.canvas, this.over, this.tip);
    this.node.style.height = `${options.height + (options.labelled ? 17 : 0)}px`;
    parent.append(this.node);
    this.plot = { left: CHART_LEFT, top: TOP, right: 100, bottom: 100 };
    this.shown = [0, 1];
  }

  toX(x) {
    const [a, b] = this.xRange;
    return this.plot.left + ((x - a) / (b - a)) * (this.plot.right - this.plot.left);
  }

  fromX(px) {
    const [a, b] = this.xRange;
    return a + ((px - this.plot.left) / (this.plot.right - this.plot.left)) * (b - a);
  }

  toY(y) {
    let [a, b] = this.shown;
    let v = y;
    if (this.options.log) [a, b, v] = [Math.log(a), Math.log(b), Math.log(Math.max(y, 1e-300))];
    return this.plot.bottom - ((v - a) / (b - a)) * (this.plot.bottom - this.plot.top);
  }

  fromY(py) {
    const [a, b] = this.shown;
    const share = (this.plot.bottom - py) / (this.plot.bottom - this.plot.top);
    return this.options.log ? a * (b / a) ** share : a + share * (b - a);
  }

  /// Samples of a series that are in view, with one beyond each end.
  visible(series) {
    if (!this.options.ascending) return [0, series.y.length];
    const [start, end] = samplesIn(series.x, this.xRange[0], this.xRange[1]);
    return [Math.max(0, start - 1), Math.min(series.y.length, end + 1)];
  }

  autoRange() {
    let range = null;
    for (const series of this.series) {
      if (series.off) continue;
      const found = extent(series.y, ...this.visible(series), this.options.log);
      if (found) range = range ? [Math.min(range[0], found[0]), Math.max(range[1], found[1])] : found;
    }
    if (this.options.log) {
      if (!range) return [0.1, 1];
      return [Math.max(range[0], range[1] * 1e-9) / 1.3, range[1] * 1.6];
    }
    return padded(range ?? [0, 1]);
  }

  draw() {
    const { width, height, ratio } = fitCanvas(this.canvas);
    if (width < 100 || height < 30) return;
    this.plot = { left: CHART_LEFT, top: TOP, right: width - RIGHT, bottom: height - this.bottom };
    this.shown = this.yRange ?? this.autoRange();
    const context = this.canvas.getContext("2d", { willReadFrequently: true });
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = FONT;
    this.drawYAxis(context);
    this.drawXAxis(context);
    this.drawMarks(context);
    context.save();
    context.beginPath();
    context.rect(this.plot.left, this.plot.top, this.plot.right - this.plot.left, this.plot.bottom - this.plot.top);
    context.clip();
    for (const series of this.series) if (!series.off) this.drawSeries(context, series);
    context.restore();
    context.strokeStyle = themeColor("axis");
    context.lineWidth = 1;
    context.strokeRect(this.plot.left + 0.5, this.plot.top + 0.5, this.plot.right - this.plot.left - 1, this.plot.bottom - this.plot.top - 1);
  }

  drawYAxis(context) {
    const { plot, options } = this;
    const unit = this.series[0]?.unit ?? "";
    let values;
    let text;
    if (options.log) {
      values = logTicks(...this.shown, (plot.bottom - plot.top) / 26);
      text = (v) => `10${superscript(Math.round(Math.log10(v)))}`;
      this.unitShown = unit === "" || unit === "1" ? "–" : unit;
    } else {
      const found = ticks(...this.shown, (plot.bottom - plot.top) / 30);
      values = found.values;
      const scale = prefixed(unit, largestOf(values, this.shown));
      text = (v) => tickText(v * scale.factor, found.step * scale.factor);
      this.unitShown = scale.label;
    }
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (const v of values) {
      const y = Math.round(this.toY(v)) + 0.5;
      context.fillStyle = themeColor(v === 0 ? "zero-line" : "plot-line");
      context.fillRect(plot.left, y - 0.5, plot.right - plot.left, 1);
      context.fillStyle = themeColor("muted");
      if (y > plot.top + 2 && y < plot.bottom + 1) context.fillText(text(v), plot.left - 7, y, plot.left - 9);
    }
  }

  drawXAxis(context) {
    const { plot, options } = this;
    const ask = options.xUnit === "deg" ? degreeTicks : ticks;
    const found = ask(...this.xRange, (plot.right - plot.left) / 80);
    const scale = prefixed(options.xUnit, largestOf(found.values, this.xRange));
    const name = `${options.xName}${scale.label === "–" ? "" : ` [${scale.label}]`}`;
    const room = plot.right - context.measureText(name).width - 12;
    context.textAlign = "center";
    context.textBaseline = "top";
    for (const v of found.values) {
      const x = Math.round(this.toX(v)) + 0.5;
      context.fillStyle = themeColor("plot-line");
      context.fillRect(x - 0.5, plot.top, 1, plot.bottom - plot.top);
      if (!options.labelled) continue;
      const text = tickText(v * scale.factor, found.step * scale.factor);
      context.fillStyle = themeColor("muted");
      if (x + context.measureText(text).width / 2 < room) context.fillText(text, x, plot.bottom + 7);
    }
    if (!options.labelled) return;
    context.textAlign = "right";
    context.fillStyle = themeColor("text");
    context.fillText(name, plot.right, plot.bottom + 7);
  }

  drawMarks(context) {
    context.fillStyle = themeColor("impact");
    let last = -2;
    for (const t of this.marks) {
      if (t < this.xRange[0] || t > this.xRange[1]) continue;
      const x = Math.round(this.toX(t));
      if (x - last < 2) continue;
      context.fillRect(x, this.plot.top + 1, 1, 6);
      last = x;
    }
  }

  drawSeries(context, series) {
    const [start, end] = this.visible(series);
    const { plot, xRange } = this;
    const width = plot.right - plot.left;
    const scale = width / (xRange[1] - xRange[0]);
    context.globalAlpha = series.faint ? 0.35 : 1;
    if (this.options.ascending && end - start > 3 * width) {
      this.drawEnvelope(context, series, start, end, scale);
    } else {
      const toY = (v) => this.toY(v);
      context.beginPath();
      if (this.options.ascending) traceAscending(context, series.x, series.y, start, end, scale, plot.left - xRange[0] * scale, toY);
      else traceFree(context, series.x, series.y, start, end, (v) => this.toX(v), toY);
      this.stroke(context, series);
      if (this.options.ascending && end - start < width / 10) this.drawSamples(context, series, start, end);
    }
    context.globalAlpha = 1;
  }

  /// Least and largest value per column of pixels, where there are more samples than pixels: a line where the curve is thin, upright bars
  /// where it fills an area.
  drawEnvelope(context, series, start, end, scale) {
    const { plot, xRange } = this;
    const ratio = globalThis.devicePixelRatio || 1;
    const count = Math.ceil((plot.right - plot.left) * ratio);
    const { low, high } = envelope(series.x, series.y, start, end, scale * ratio, -xRange[0] * scale * ratio, count);
    let thick = 0;
    for (let c = 0; c < count; c++) {
      low[c] = this.toY(low[c]);
      high[c] = this.toY(high[c]);
      if (low[c] - high[c] > 8) thick += 1;
    }
    if (4 * thick < count) {
      context.beginPath();
      traceEnvelope(context, low, high, plot.left, ratio);
      this.stroke(context, series);
      return;
    }
    context.fillStyle = paletteColor(series.color);
    for (let c = 0; c < count; c++) {
      if (low[c] >= high[c]) context.fillRect(plot.left + c / ratio, high[c] - 0.6, 1 / ratio, low[c] - high[c] + 1.2);
    }
  }

  stroke(context, series) {
    context.strokeStyle = paletteColor(series.color);
    context.lineWidth = 1.5;
    context.lineJoin = "round";
    context.setLineDash(paletteDash(series.color));
    context.stroke();
    context.setLineDash([]);
  }

  drawSamples(context, series, start, end) {
    context.fillStyle = paletteColor(series.color);
    for (let k = start; k < end; k++) {
      context.beginPath();
      context.arc(this.toX(series.x[k]), this.toY(series.y[k]), 2.2, 0, 2 * Math.PI);
      context.fill();
    }
  }

  /// Draws the moving layer: hairlines at `time` and `hover` (x values or null), points [{x, y, color}], and a box being dragged.
  drawOver({ time, hover, points, box }) {
    const { width, height, ratio } = fitCanvas(this.over);
    const context = this.over.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const { plot } = this;
    const line = (x, color) => {
      if (x === null || x < this.xRange[0] || x > this.xRange[1]) return;
      context.fillStyle = color;
      context.fillRect(Math.round(this.toX(x)), plot.top, 1, plot.bottom - plot.top);
    };
    line(hover, themeColor("hover-line"));
    line(time, themeColor("cursor"));
    for (const { x, y, color } of points) {
      const [px, py] = [this.toX(x), this.toY(y)];
      if (!(px >= plot.left && px <= plot.right && py >= plot.top && py <= plot.bottom)) continue;
      context.beginPath();
      context.arc(px, py, 3.6, 0, 2 * Math.PI);
      context.fillStyle = paletteColor(color);
      context.fill();
      context.lineWidth = 1.5;
      context.strokeStyle = themeColor("surface");
      context.stroke();
    }
    if (!box) return;
    context.fillStyle = themeColor("drag");
    context.fillRect(box.left, box.top, box.width, box.height);
  }
}
