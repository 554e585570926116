// Puts the page together.
import { decodeReport } from "./data.js";
import { element } from "./dom.js";
import { showAzimuth, showExplorer, showSpectrum, angleColumns } from "./explore.js";
import { Figure, overTime } from "./figure.js";
import { showHeader } from "./header.js";
import { instantsOf, Player } from "./player.js";
import { SceneView } from "./scene-view.js";
import { showCosts, showEnergy, showEvents, showInterfaces, showStatistics } from "./sections.js";
import { Timeline } from "./timeline.js";
import { listenToKeys, showTransport } from "./transport.js";

const part = (id) => document.getElementById(id);

/// First and last instant of all that the report has over time.
function spanOf(report) {
  const grids = [report.times, report.scene?.times ?? [], report.energy[0]?.times ?? []].filter((g) => g.length > 0);
  if (grids.length === 0) return [0, report.summary.end_time > 0 ? report.summary.end_time : 1];
  const start = Math.min(...grids.map((g) => g[0]));
  const end = Math.max(...grids.map((g) => g[g.length - 1]));
  return [start, end > start ? end : start + 1];
}

/// The number of a subsystem's colour: its place in the model.
function colorNumbers(report) {
  const names = (report.summary.subsystems ?? []).map((s) => s.name);
  for (const body of report.scene?.bodies ?? []) if (!names.includes(body.subsystem)) names.push(body.subsystem);
  return (name) => Math.max(0, names.indexOf(name));
}

function showScene(report, timeline) {
  const parent = part("view");
  if (!report.scene || report.scene.bodies.length === 0 || report.scene.frames === 0) {
    part("bench").classList.add("alone");
    parent.remove();
    return null;
  }
  try {
    return new SceneView(parent, report.scene, timeline, colorNumbers(report));
  } catch (error) {
    parent.append(element("p", { class: "missing", text: `${error.message} Everything else on this page works without it.` }));
    return null;
  }
}

/// Names of the quantities that figures begin with.
function firstNames(report) {
  const wanted = report.figures.flatMap((f) => f.columns).filter((n) => report.columns.some((c) => c.name === n));
  return wanted.length > 0 ? wanted : report.columns.slice(0, 1).map((c) => c.name);
}

/// Height of a panel such that the first figures are as high as the 3D view beside them.
function panelHeight(report, presets, view) {
  const unitOf = (name) => report.columns.find((c) => c.name === name)?.unit;
  const count = presets.reduce((sum, { columns }) => sum + new Set(columns.map(unitOf)).size, 0);
  const room = view ? view.stage.clientHeight / count - 48 : 170;
  return Math.round(Math.min(260, Math.max(150, room)));
}

function showFigures(report, timeline, impacts, view) {
  if (report.columns.length === 0) return [];
  const presets = report.figures.length > 0 ? report.figures : [{ title: "", columns: firstNames(report) }];
  const height = panelHeight(report, presets, view);
  return presets.map(({ title, columns }) => {
    const node = element("section", { class: "card" }, title ? element("h3", { text: title }) : null);
    part("figures").append(node);
    const figure = new Figure(node, { timeline, impacts, over: "time", xName: "t", xUnit: "s", height });
    const found = columns.map((name) => report.columns.find((c) => c.name === name)).filter((c) => c !== undefined);
    figure.setSeries(found.map((c) => overTime(report.times, c)));
    return figure;
  });
}

/// Makes the 3D view as high as what the window has left below the header, so that it is seen whole at the start.
function fitStage() {
  const top = part("bench").getBoundingClientRect().top + scrollY;
  const left = innerHeight - top - 170;
  const { style } = document.documentElement;
  if (left > 380) style.setProperty("--stage", `${left}px`);
  else style.removeProperty("--stage");
}

function showAll(report) {
  const timeline = new Timeline(...spanOf(report));
  const impacts = instantsOf(report.events, "impact");
  const player = new Player(timeline, report.scene?.times ?? report.times, impacts);
  const seek = (time) => { player.pause(); player.seek(time); };
  showHeader(report, { title: part("title"), outcome: part("outcome"), keys: part("keys"), warnings: part("warnings"), seek });
  fitStage();
  addEventListener("resize", fitStage);
  const view = showScene(report, timeline);
  const figures = showFigures(report, timeline, impacts, view);
  const names = firstNames(report);
  if (report.columns.length > 0) {
    const angle = angleColumns(report.columns)[0]?.name;
    figures.push(showExplorer(report, timeline, impacts, part("explore"), names.slice(0, 1)));
    showAzimuth(report, timeline, part("azimuth"), names.filter((n) => n !== angle).slice(0, 1));
    showSpectrum(report, timeline, part("spectrum"), names.slice(0, 1));
    showStatistics(report, timeline, part("statistics"), seek);
  } else {
    for (const id of ["explore", "azimuth", "spectrum", "statistics"]) part(id).remove();
  }
  showEnergy(report, timeline, impacts, part("energy"));
  showCosts(report.summary, part("costs"));
  showInterfaces(report.summary, part("interfaces"));
  showEvents(report, part("events"), seek);
  showTransport(part("transport"), timeline, player, report.events);
  listenToKeys(player, timeline);
  return { timeline, player, view, figures };
}

/// What tests and people at the console use.
function publish({ timeline, player, view, figures }) {
  return {
    get time() { return timeline.time; },
    get duration() { return timeline.full[1] - timeline.full[0]; },
    get playing() { return player.playing; },
    get frames() { return view?.frames ?? 0; },
    get impacts() { return player.impacts; },
    get camera() { return view?.camera ?? null; },
    figures,
    view,
    seek: (t) => player.seek(t),
    play: () => player.play(),
    pause: () => player.pause(),
    nextImpact: () => player.nextImpact(),
    previousImpact: () => player.previousImpact(),
    zoom: (from, to) => timeline.setRange(from, to),
    pose: (name) => {
      if (!view) throw new Error("there is no 3D view");
      return view.pose(name);
    },
    show: (changes) => view?.show(changes),
  };
}

async function start() {
  const text = (id) => part(id).textContent;
  const report = await decodeReport({
    data: text("cosimo-data"), columns: text("cosimo-columns"), scene: text("cosimo-scene"), energy: text("cosimo-energy"),
  });
  Object.defineProperties(globalThis.cosimo, Object.getOwnPropertyDescriptors(publish(showAll(report))));
  await new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); });
}

globalThis.cosimo = {};
globalThis.cosimo.ready = start();
globalThis.cosimo.ready.catch((error) => {
  part("title").after(element("p", { class: "missing", text: `The data of this page cannot be read: ${error.message}` }));
  console.error(error);
});
