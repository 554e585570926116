// Figures that the user composes: any quantity over any other, over an angle, and spectra.
import { element, toggle } from "./dom.js";
import { Figure, overTime } from "./figure.js";
import { Picker } from "./picker.js";
import { foldOverAngle } from "./azimuth.js";
import { samplesIn } from "./statistics.js";
import { amplitudeSpectrum, spectrumPeaks, uniform } from "./spectrum.js";
import { countText, valueText } from "./units.js";

const TIME = "t";

function byName(report, name) {
  return report.columns.find((column) => column.name === name);
}

/// Any recorded quantities over time or any other.
export function showExplorer(report, timeline, impacts, parent, first) {
  const controls = element("div", { class: "controls" });
  const place = element("div", {});
  parent.append(controls, place);
  let [xName, yNames] = [TIME, first];
  let figure = null;
  const show = () => {
    place.replaceChildren();
    const over = byName(report, xName);
    figure = new Figure(place, {
      timeline, impacts, over: over ? "free" : "time", times: report.times, height: over ? 320 : 180,
      xName: over ? over.name : TIME, xUnit: over ? over.unit : "s",
    });
    const ys = yNames.map((n) => byName(report, n));
    figure.setSeries(ys.map((y) => (over ? { name: y.name, unit: y.unit, x: over.values, y: y.values } : overTime(report.times, y))));
    return figure;
  };
  new Picker(controls, { label: "y", columns: report.columns, multiple: true, chosen: yNames, onChange: (names) => { yNames = names; show(); } });
  new Picker(controls, {
    label: "over x", columns: [{ name: TIME, unit: "s" }, ...report.columns], multiple: false, chosen: [xName],
    onChange: ([name]) => { xName = name; show(); },
  });
  return show();
}

/// Quantities that are angles, by their unit.
export function angleColumns(columns) {
  return columns.filter((c) => c.unit === "rad" || c.unit === "deg");
}

/// Quantities over an angle folded into one turn; the last turn stands out.
export function showAzimuth(report, timeline, parent, first) {
  const angles = angleColumns(report.columns);
  if (angles.length === 0) {
    parent.append(element("p", { class: "empty", text: "No recorded quantity has the unit rad or deg: there is no angle to plot over." }));
    return;
  }
  const controls = element("div", { class: "controls" });
  const note = element("p", { class: "note" });
  parent.append(controls);
  const figure = new Figure(parent, {
    timeline, over: "free", times: report.times, height: 240, xName: "azimuth", xUnit: "deg", range: [0, 360],
  });
  parent.append(note);
  let [angle, names, lastOnly] = [angles[0], first, false];
  const show = () => {
    const [start, end] = samplesIn(report.times, ...timeline.range);
    const series = names.map((name, k) => {
      const column = byName(report, name);
      const folded = foldOverAngle(angle.values, column.values, angle.unit, start, end);
      return { column, folded, color: k };
    });
    figure.setSeries(series.flatMap((s) => curvesOf(s, lastOnly)));
    const turns = series.length > 0 ? new Set(series[0].folded.turns).size : 0;
    note.textContent = turns > 1 ? `${countText(turns)} turns in the visible range of time; the last full one is drawn strongly.` : "";
  };
  new Picker(controls, { label: "y", columns: report.columns, multiple: true, chosen: names, onChange: (n) => { names = n; show(); } });
  new Picker(controls, {
    label: "over angle", columns: angles, multiple: false, chosen: [angle.name], onChange: ([n]) => { angle = byName(report, n); show(); },
  });
  controls.append(toggle("last turn only", false, (on) => { lastOnly = on; show(); }));
  whenSettled(timeline, show);
  show();
}

/// All turns faintly, and the last full turn (the last at all where none is full).
function curvesOf({ column, folded, color }, lastOnly) {
  const { turns } = folded;
  const last = turns.length > 0 ? turns[turns.length - 1] : 0;
  const full = Math.abs(last - (turns[0] ?? 0)) > 1 ? last - Math.sign(last - turns[0]) : last;
  const keep = (test) => {
    const at = Array.from(turns.keys()).filter((k) => test(turns[k]));
    return { x: at.map((k) => folded.x[k]), y: at.map((k) => folded.y[k]), rows: at.map((k) => folded.rows[k]) };
  };
  const strong = { name: column.name, unit: column.unit, color, ...keep((turn) => turn === full) };
  if (lastOnly || last === turns[0]) return [strong];
  return [{ name: "all turns", unit: column.unit, color, faint: true, ...keep(() => true) }, strong];
}

/// Calls `act` a moment after the visible range has changed last.
export function whenSettled(timeline, act) {
  let later = null;
  timeline.on("range", () => {
    clearTimeout(later);
    later = setTimeout(act, 150);
  });
}

/// The amplitude spectra of quantities over the visible range.
export function showSpectrum(report, timeline, parent, first) {
  const controls = element("div", { class: "controls" });
  const place = element("div", {});
  const note = element("p", { class: "note" });
  const peaks = element("p", { class: "note peaks" });
  parent.append(controls, place, peaks, note);
  let [names, log] = [first, true];
  let figure = null;
  const show = () => {
    const series = names.map((name) => {
      const column = byName(report, name);
      const even = uniform(report.times, column.values, ...timeline.range);
      return { column, even, spectrum: even.values.length >= 8 ? amplitudeSpectrum(even.values, even.step) : null };
    }).filter((s) => s.spectrum);
    figure.setSeries(series.map(({ column, spectrum }) => (
      { name: column.name, unit: column.unit, x: spectrum.frequencies, y: spectrum.amplitudes })));
    note.textContent = series.length > 0 ? spectrumNote(report, timeline, series[0]) : "The visible range has too few samples.";
    peaks.replaceChildren(...series.slice(0, 4).flatMap(peakTexts));
  };
  const build = () => {
    place.replaceChildren();
    figure = new Figure(place, { timeline, over: "other", log, height: 200, xName: "frequency", xUnit: "Hz" });
    show();
  };
  new Picker(controls, { label: "quantity", columns: report.columns, multiple: true, chosen: names, onChange: (n) => { names = n; show(); } });
  controls.append(toggle("logarithmic", true, (on) => { log = on; build(); }));
  whenSettled(timeline, show);
  build();
}

function peakTexts({ column, spectrum }) {
  const found = spectrumPeaks(spectrum, 5);
  const shown = found.map((p) => `${valueText(p.frequency, "Hz", 4)} (${valueText(p.amplitude, column.unit, 3)})`).join(", ");
  return [element("span", {}, element("b", { text: column.name }), ` highest lines: ${shown || "none"}`)];
}

function spectrumNote(report, timeline, { even, spectrum }) {
  const parts = [
    `${countText(even.values.length)} samples from ${valueText(timeline.range[0], "s")} to ${valueText(timeline.range[1], "s")}, Hann window, mean taken out.`,
    `Lines are ${valueText(spectrum.spacing, "Hz", 3)} apart; two tones are told apart from ${valueText(2 * spectrum.spacing, "Hz", 3)} on.`,
    `The limit is ${valueText(spectrum.limit, "Hz", 4)}; what is faster appears at a wrong frequency.`,
  ];
  if (report.stride > 1) {
    parts.push(`This page holds one of ${countText(report.stride)} recorded rows: the recorded results themselves reach ${valueText(spectrum.limit * report.stride, "Hz", 4)}.`);
  }
  if (even.resampled) parts.push("The samples are not evenly spaced: they were interpolated linearly to an even grid.");
  return parts.join(" ");
}
