// Sections of tables: statistics, energy, costs, interfaces, events.
import { element, toggle } from "./dom.js";
import { DataTable } from "./table.js";
import { Figure } from "./figure.js";
import { matching } from "./picker.js";
import { statisticsOf } from "./statistics.js";
import { whenSettled } from "./explore.js";
import { countText, numberText, valueText } from "./units.js";

function searchField(label, onInput) {
  const field = element("input", { type: "search", placeholder: label, "aria-label": label, input: () => onInput(field.value) });
  return field;
}

/// Least, largest, mean and so on of all quantities, of the whole run or of the visible range.
export function showStatistics(report, timeline, parent, seek) {
  const range = element("output", { class: "note" });
  let [ofRange, search] = [false, ""];
  const number = (title, key, hint) => ({ title, hint, right: true, text: (row) => numberText(row[key]), value: (row) => row[key] });
  const time = (title, key) => ({
    title, right: true, text: (row) => numberText(row[key], 5), value: (row) => row[key], click: (row) => seek(row[key]),
  });
  const controls = element("div", { class: "controls" },
    searchField("search names", (text) => { search = text; show(); }),
    toggle("of the visible range only", false, (on) => { ofRange = on; show(); }), range);
  parent.append(controls);
  const table = new DataTable(parent, [
    { title: "quantity", text: (row) => row.name, value: (row) => row.name },
    { title: "unit", text: (row) => row.unit || "–" },
    number("min", "min"), time("at t [s]", "t_min"), number("max", "max"), time("at t [s]", "t_max"),
    number("mean", "mean"), number("rms", "rms", "root mean square"), number("peaks", "peaks", "maxima that stand out"),
  ], { height: 420 });
  const leftOut = report.leftOut > 0 ? `; ${countText(report.leftOut)} quantities are in the results only, to keep this page small` : "";
  const show = () => {
    const [from, to] = ofRange ? timeline.range : timeline.full;
    range.value = `${valueText(from, "s")} to ${valueText(to, "s")}${ofRange ? ", computed from the rows in this page" : ", from all recorded rows"}${leftOut}`;
    const columns = matching(report.columns, search);
    const figures = (c) => ({ name: c.name, unit: c.unit, ...statisticsOf(report.times, c.values, from, to) });
    table.setRows(ofRange ? columns.map(figures) : columns);
  };
  whenSettled(timeline, () => { if (ofRange) show(); });
  show();
}

const ACCOUNT = [
  ["energy_start", "at the start", "kinetic and potential"],
  ["energy_external", "external work", "loads over time, prescribed motions, moving obstacles"],
  ["energy_contact", "contacts", "impacts and friction"],
  ["energy_dissipated", "damping", "dampers of subsystems and interfaces"],
  ["energy_monitor_interfaces", "created at interfaces", "comes from nowhere"],
  ["energy_monitor_subsystems", "created in subsystems", "numerical damping and errors of time integration"],
];

/// The lines of the account: amount, and the level before and after it; the last is what there is at the end.
export function accountOf(summary) {
  let level = 0;
  const lines = ACCOUNT.filter(([key]) => Number.isFinite(summary[key])).map(([key, name, hint]) => {
    const from = level;
    level += summary[key];
    return { name, hint, amount: summary[key], from, to: level };
  });
  if (Number.isFinite(summary.energy_end)) lines.push({ name: "at the end", hint: "kinetic and potential", amount: summary.energy_end, from: 0, to: summary.energy_end });
  return lines;
}

function accountTable(summary) {
  const lines = accountOf(summary);
  const low = Math.min(0, ...lines.flatMap((l) => [l.from, l.to]));
  const high = Math.max(...lines.flatMap((l) => [l.from, l.to]), low + 1e-300);
  const part = (v) => (100 * (v - low)) / (high - low);
  const body = lines.map((line, k) => {
    const [a, b] = [part(line.from), part(line.to)].sort((p, q) => p - q);
    const kind = k === 0 || k === lines.length - 1 ? "level" : line.amount < 0 ? "loss" : "gain";
    return element("tr", { title: line.hint },
      element("td", {}, line.name), element("td", { class: "right" }, valueText(line.amount, "J")),
      element("td", { class: "barcell" }, element("div", { class: `bar ${kind}`, style: `left:${a}%;width:max(2px,${b - a}%)` })));
  });
  return element("table", { class: "account" }, element("tbody", {}, ...body));
}

/// Energies over time, and the account of the summary.
export function showEnergy(report, timeline, impacts, parent) {
  const account = accountTable(report.summary);
  if (report.energy.length === 0) {
    parent.append(account);
    return;
  }
  const left = element("div", {});
  parent.append(element("div", { class: "halves" }, left, account));
  const figure = new Figure(left, { timeline, impacts, over: "time", xName: "t", xUnit: "s", height: 230 });
  figure.setSeries(report.energy.map((c) => ({ name: c.name, unit: c.unit, x: c.times, y: c.values })));
}

/// Seconds of a part of the run, by phases where they are told.
function costOf(name, part) {
  const seconds = part.seconds ?? part.processor_seconds ?? 0;
  const phases = Object.entries(part.phases ?? {}).map(([phase, time]) => ({ name, phase, seconds: time }));
  return phases.length > 0 ? phases : [{ name, phase: "", seconds }];
}

function costEntries(summary) {
  if (Array.isArray(summary.costs)) {
    return summary.costs.flatMap((c) => costOf(c.name ?? c.subsystem ?? "–", { seconds: c.seconds, phases: { [c.phase ?? ""]: c.seconds ?? c.processor_seconds } }));
  }
  const entries = (summary.subsystems ?? []).flatMap((s) => costOf(s.name, s));
  for (const name of ["master", "recording"]) if (summary[name]?.seconds !== undefined) entries.push(...costOf(name, summary[name]));
  if (Number.isFinite(summary.master_seconds)) {
    entries.push(...costOf("master", { seconds: summary.master_seconds }));
    const known = entries.reduce((sum, e) => sum + e.seconds, 0);
    if (summary.wall_seconds > 1.001 * known) entries.push(...costOf("recording and the rest", { seconds: summary.wall_seconds - known }));
  }
  return entries;
}

/// Seconds by part of the run (subsystems, master, recording) and phase, the most costly first.
export function costsOf(summary) {
  const rows = new Map();
  const phases = [];
  let total = 0;
  for (const { name, phase, seconds } of costEntries(summary)) {
    if (!rows.has(name)) rows.set(name, { name, seconds: 0, parts: {} });
    if (!phases.includes(phase)) phases.push(phase);
    const row = rows.get(name);
    row.parts[phase] = (row.parts[phase] ?? 0) + seconds;
    row.seconds += seconds;
    total += seconds;
  }
  return { rows: [...rows.values()].sort((a, b) => b.seconds - a.seconds), phases, total };
}

const COUNTS = [
  ["steps", "steps"], ["evaluations", "evaluations"], ["newton_iterations", "Newton"], ["rollbacks", "rollbacks"],
  ["factorizations", "factorised"], ["refreshes", "refreshes"],
];

/// Who costs what: bars over time spent, counts beside them.
export function showCosts(summary, parent) {
  const { rows, phases, total } = costsOf(summary);
  const counts = new Map((summary.subsystems ?? []).map((s) => [s.name, s]));
  const largest = Math.max(...rows.map((r) => r.seconds), 1e-300);
  const columns = [
    { title: "who", text: (row) => row.name, value: (row) => row.name },
    { title: "share", text: (row) => shareBar(row, phases, largest, total) },
    { title: "time", right: true, text: (row) => valueText(row.seconds, "s", 3), value: (row) => row.seconds },
  ];
  if (phases.some((p) => p !== "")) columns.push({ title: "of this", hint: "the largest phases", text: (row) => phaseTexts(row, phases) });
  for (const [key, title] of COUNTS) {
    const of = (row) => counts.get(row.name)?.[key];
    columns.push({ title, right: true, text: (row) => countText(of(row)), value: of });
  }
  const energy = (row) => counts.get(row.name)?.energy_numerical;
  columns.push({ title: "created [J]", right: true, hint: "energy from nowhere by time integration", text: (row) => numberText(energy(row), 3), value: energy });
  new DataTable(parent, columns, { height: 420 }).setRows(rows);
}

/// Phases of a row, the largest first.
function phasesOf(row) {
  return Object.entries(row.parts).filter(([phase, seconds]) => phase !== "" && seconds > 0).sort((a, b) => b[1] - a[1]);
}

function shareBar(row, phases, largest, total) {
  const ordered = phasesOf(row);
  const shown = ordered.length > 0 ? ordered : [["", row.seconds]];
  const parts = shown.map(([phase, seconds]) => element("span", {
    class: `part part-${phases.indexOf(phase) % 6}`, title: `${phase} ${valueText(seconds, "s", 3)}`, style: `width:${(100 * seconds) / largest}%`,
  }));
  const percent = total > 0 ? shareText(row.seconds / total) : "–";
  return element("div", { class: "share" }, element("div", { class: "parts" }, ...parts), element("span", { text: percent }));
}

function phaseTexts(row, phases) {
  const large = phasesOf(row).filter(([, seconds]) => seconds > 0.02 * row.seconds).slice(0, 3);
  return element("span", { class: "phases" }, ...large.map(([phase, seconds]) => element("span", {},
    element("i", { class: `part part-${phases.indexOf(phase) % 6}` }), `${phase} ${shareText(seconds / row.seconds)}`)));
}

function shareText(share) {
  if (share < 1e-3) return share > 0 ? "< 0.1 %" : "0 %";
  return `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`;
}

/// What the interfaces took and created.
export function showInterfaces(summary, parent) {
  const rows = summary.interfaces ?? [];
  if (rows.length === 0) {
    parent.append(element("p", { class: "empty", text: "The model has no interfaces." }));
    return;
  }
  const count = (title, key) => ({ title, right: true, text: (row) => countText(row[key]), value: (row) => row[key] });
  const number = (title, key) => ({ title, right: true, text: (row) => numberText(row[key], 3), value: (row) => row[key] });
  new DataTable(parent, [
    { title: "interface", text: (row) => row.name, value: (row) => row.name },
    count("iterations", "iterations"), count("most in a step", "most_iterations"), number("largest residual", "largest_residual"),
    number("created [J]", "energy_monitor"), number("most in a step [J]", "energy_most"), number("damped [J]", "energy_dissipated"),
    count("limit exceeded", "energy_exceeded"),
  ], { height: 360 }).setRows(rows);
}

/// Events at the contacts: of some kinds, of contacts by name; a click goes there.
export function showEvents(report, parent, seek) {
  const { events } = report;
  if (events.length === 0) {
    parent.append(element("p", { class: "empty", text: "Nothing happened at contacts." }));
    return;
  }
  const kinds = [...new Set(events.map((e) => e.kind))];
  const hidden = new Set();
  let search = "";
  const note = element("output", { class: "note" });
  const boxes = kinds.map((kind) => {
    const amount = events.filter((e) => e.kind === kind).length;
    return toggle(`${kind} (${countText(amount)})`, true, (on) => {
      if (on) hidden.delete(kind);
      else hidden.add(kind);
      show();
    });
  });
  parent.append(element("div", { class: "controls" }, searchField("search contacts", (text) => { search = text.toLowerCase(); show(); }), ...boxes, note));
  const number = (title, key) => ({ title, right: true, text: (row) => numberText(row[key]), value: (row) => row[key] });
  const table = new DataTable(parent, [
    { title: "t [s]", right: true, text: (row) => numberText(row.t, 7), value: (row) => row.t },
    { title: "kind", text: (row) => row.kind, value: (row) => row.kind },
    { title: "contact", text: (row) => row.contact, value: (row) => row.contact },
    number("before [m/s]", "velocity_before"), number("after [m/s]", "velocity_after"), number("impulse [N s]", "impulse"), number("work [J]", "work"),
  ], { height: 420, onRow: (row) => seek(row.t) });
  const show = () => {
    const rows = events.filter((e) => !hidden.has(e.kind) && (e.contact ?? "").toLowerCase().includes(search));
    const all = report.eventsTotal > events.length ? `, of ${countText(report.eventsTotal)} in events.csv` : "";
    note.value = `${countText(rows.length)} shown${all}`;
    table.setRows(rows);
  };
  show();
}
