// How the run went: outcome, key figures, warnings.
import { element } from "./dom.js";
import { countText, numberText, valueText } from "./units.js";

/// The largest amount of energy in the account: what created energy is compared with.
export function energyScale(summary) {
  const names = ["energy_start", "energy_end", "energy_contact", "energy_external", "energy_dissipated"];
  return Math.max(0, ...names.map((n) => Math.abs(summary[n] ?? 0)));
}

/// The place of a warning in words.
export function placeText(place) {
  if (place === null || place === undefined) return "";
  if (typeof place === "string") return place;
  return Object.entries(place).map(([kind, name]) => `${kind} ${Array.isArray(name) ? name.join(", ") : name}`).join(", ");
}

function keyFigures(summary, events) {
  const created = summary.energy_monitor_sum;
  const scale = energyScale(summary);
  const share = Number.isFinite(created) && scale > 0 ? `${numberText((100 * Math.abs(created)) / scale, 2)} % of ${valueText(scale, "J", 3)}` : "";
  const perSecond = Number.isFinite(summary.steps_per_second) ? `${countText(Math.round(summary.steps_per_second))} per second` : "";
  const iterations = summary.master_iterations_per_step;
  const faster = summary.wall_seconds > 0 ? `${numberText(summary.end_time / summary.wall_seconds, 3)} × real time` : "";
  const processor = Number.isFinite(summary.processor_seconds) ? `${valueText(summary.processor_seconds, "s", 3)} of the processor` : "";
  return [
    ["end time", valueText(summary.end_time, "s"), faster],
    ["steps", countText(summary.steps), perSecond],
    ["wall time", valueText(summary.wall_seconds, "s", 3), processor],
    ["iterations per step", numberText(iterations, 3), summary.most_iterations ? `at most ${summary.most_iterations}` : ""],
    ["impacts", countText(summary.impacts ?? events), summary.contact_steps ? `${countText(summary.contact_steps)} steps with contact` : ""],
    ["energy created", valueText(created, "J", 3), share],
  ];
}

function outcomeBadge(summary) {
  const good = summary.outcome === "completed";
  return element("span", { class: good ? "badge good" : "badge bad", text: summary.outcome ?? "unknown outcome" });
}

/// Fills title, key figures and warnings.
export function showHeader(report, { title, outcome, keys, warnings, seek }) {
  const { summary } = report;
  title.textContent = report.title || summary.title || "Report";
  outcome.append(outcomeBadge(summary));
  if (summary.reason) keys.before(element("p", { class: "reason", text: summary.reason }));
  for (const [name, value, note] of keyFigures(summary, report.eventsTotal)) {
    keys.append(element("div", { class: "key" }, element("dt", { text: name }), element("dd", {}, value), element("dd", { class: "note", text: note })));
  }
  showWarnings(summary.warnings ?? [], warnings, seek);
}

function showWarnings(list, node, seek) {
  if (list.length === 0) {
    node.remove();
    return;
  }
  const items = list.map((warning) => element("li", {},
    element("button", { class: "link", title: "go there", click: () => seek(warning.time ?? 0), text: `t = ${valueText(warning.time, "s")}` }),
    element("b", { text: placeText(warning.place) }),
    element("span", { text: warning.text })));
  const head = list.length === 1 ? "1 warning" : `${countText(list.length)} warnings`;
  node.append(element("details", { open: list.length <= 3 }, element("summary", { text: head }), element("ul", {}, ...items)));
}
