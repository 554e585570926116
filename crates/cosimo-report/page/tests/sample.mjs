// Makes complete reports from synthetic data. `node sample.mjs NAME FILE.html` writes one: shapes, chain, plain (no scene), columns.
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { statisticsOf } from "../statistics.js";
import { encoded } from "./encode.mjs";
import { page } from "./join.mjs";

const G = 9.81;
const RADIUS = 0.08;
const HEIGHT = 0.6;
const RESTITUTION = 0.8;

/// Height of the lowest point, speed and number of impacts so far of a sphere dropped from rest, in closed form.
export function bounce(t) {
  let start = 0;
  let speed = 0;
  let time = Math.sqrt((2 * HEIGHT) / G);
  if (t < time) return { gap: HEIGHT - 0.5 * G * t * t, speed: -G * t, impacts: 0 };
  let impacts = 0;
  while (t >= time && impacts < 60) {
    impacts += 1;
    speed = RESTITUTION ** impacts * Math.sqrt(2 * G * HEIGHT);
    start = time;
    time += (2 * speed) / G;
  }
  if (t >= time) return { gap: 0, speed: 0, impacts };
  return { gap: speed * (t - start) - 0.5 * G * (t - start) ** 2, speed: speed - G * (t - start), impacts };
}

/// Instants of the impacts of `bounce` up to a time.
export function bounceInstants(end) {
  const instants = [];
  let time = Math.sqrt((2 * HEIGHT) / G);
  for (let k = 1; time <= end && k < 60; k++) {
    instants.push(time);
    time += (2 * RESTITUTION ** k * Math.sqrt(2 * G * HEIGHT)) / G;
  }
  return instants;
}

function about(axis, angle) {
  const s = Math.sin(angle / 2);
  return [Math.cos(angle / 2), axis[0] * s, axis[1] * s, axis[2] * s];
}

function column(name, unit, times, of) {
  const values = Float32Array.from(times, of);
  const { t_min, t_max, ...figures } = statisticsOf(times, values, -Infinity, Infinity);
  return { description: { name, unit, first: values[0], last: values[values.length - 1], t_min, t_max, ...figures }, values };
}

function columnsPart(times, columns, stride) {
  return {
    json: { rows: times.length, stride, recorded_rows: times.length * stride, list: [{ name: "t", unit: "s" }, ...columns.map((c) => c.description)] },
    text: encoded([times, ...columns.map((c) => c.values)]),
  };
}

/// `bodies`: {subsystem, name, shapes, pose(t) → {position, orientation}}; `forces(t)` → [{contact, point, force}].
function scenePart({ times, bodies, links, meshes, contacts, forces, size, center }) {
  const arrays = [times];
  for (const body of bodies) {
    const poses = Array.from(times, (t) => body.pose(t));
    for (let axis = 0; axis < 3; axis++) arrays.push(Float32Array.from(poses, (p) => p.position[axis]));
    arrays.push(Int16Array.from(poses.flatMap((p) => p.orientation.map((c) => Math.round(32767 * c)))));
  }
  const samples = Array.from(times, forces);
  const all = samples.flat();
  arrays.push(Uint32Array.from(samples, (s) => s.length), Uint32Array.from(all, (s) => s.contact),
    Float32Array.from(all.flatMap((s) => s.point)), Float32Array.from(all.flatMap((s) => s.force)));
  return {
    json: {
      frames: times.length, size, center, links, meshes, contacts, contact_samples: all.length,
      bodies: bodies.map(({ subsystem, name, shapes }) => ({ subsystem, name, shapes })),
    },
    text: encoded(arrays),
  };
}

function shape(kind, role, rest) {
  return { kind, role, position: [0, 0, 0], orientation: [1, 0, 0, 0], color: null, ...rest };
}

const TETRAHEDRON = {
  vertices: [1, 1, 1, -1, -1, 1, -1, 1, -1, 1, -1, -1].map((c) => 0.06 * c),
  triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
};

function shapesBodies() {
  const still = (position) => () => ({ position, orientation: [1, 0, 0, 0] });
  const arm = (t) => ({ position: [0, 0.45, 0.35], orientation: about([0, 1, 0], 4 * t) });
  const spin = (x, y, z, axis, rate) => (t) => ({ position: [x, y, z], orientation: about(axis, rate * t) });
  return [
    { subsystem: "ground", name: "floor", pose: still([0, 0, 0]), shapes: [shape("plane", "ground", { size: 1.8 })] },
    {
      subsystem: "ball", name: "sphere", shapes: [shape("sphere", "body", { radius: RADIUS })],
      pose: (t) => ({ position: [-0.45, -0.3, bounce(t).gap + RADIUS], orientation: about([0, 0, 1], 2 * t) }),
    },
    {
      subsystem: "arm", name: "crank", pose: arm, shapes: [
        shape("box", "body", { size: [0.5, 0.03, 0.05] }),
        shape("cylinder", "joint", { radius: 0.04, length: 0.09, orientation: about([1, 0, 0], Math.PI / 2) }),
        shape("sphere", "contact", { radius: 0.035, position: [0.25, 0, 0] }),
      ],
    },
    { subsystem: "parts", name: "capsule", pose: spin(0.35, -0.35, 0.25, [1, 0, 0], 1.5), shapes: [shape("capsule", "body", { radius: 0.05, length: 0.2 })] },
    { subsystem: "parts", name: "mesh", pose: spin(0.6, 0.1, 0.2, [0, 0, 1], 3), shapes: [shape("mesh", "body", { mesh: 0, scale: 1.5 })] },
    { subsystem: "parts", name: "arrow", pose: spin(-0.1, -0.55, 0.12, [0, 0, 1], -2), shapes: [shape("arrow", "body", { vector: [0.2, 0, 0.1], radius: 0.01, color: [0.9, 0.75, 0.1] })] },
    {
      subsystem: "parts", name: "line", pose: spin(-0.6, 0.35, 0.3, [0, 0, 1], 1), shapes: [
        shape("line", "body", { points: Array.from({ length: 24 }, (_, k) => [0.1 * Math.cos(k / 3), 0.1 * Math.sin(k / 3), 0.01 * k - 0.1]) }),
      ],
    },
  ];
}

function summaryOf(title, end, impacts, names) {
  return {
    title, outcome: "completed", reason: null, end_time: end, steps: 3000, steps_per_second: 5210.4, wall_seconds: 0.576,
    processor_seconds: 0.55, master: { seconds: 0.14, phases: { signals: 0.01, coupling: 0.08, contacts: 0.04, books: 0.01 } },
    recording: { seconds: 0.03, phases: { results: 0.03, checkpoints: 0 } }, impacts, contact_steps: 212, master_iterations_per_step: 1.8, most_iterations: 7,
    energy_start: 18.2, energy_end: 15.9, energy_contact: -4.1, energy_external: 2.6, energy_dissipated: -0.8,
    energy_monitor_interfaces: -2.1e-6, energy_monitor_subsystems: 8.4e-6, energy_monitor_sum: 6.3e-6,
    warnings: [
      { time: 0, place: "model", text: "the initial state violates interface `hinge` by a speed difference of 3.1e-2 m/s; the run starts at the next state that fits" },
      { time: 0.35, place: { contact: "sphere.floor" }, text: "the impact rule has created 2.1e-3 J, more than a hundredth of the energy at stake" },
    ],
    subsystems: names.map((name, k) => ({
      name, seconds: 0.2 / (k + 1), phases: { begin: 0.02 / (k + 1), evaluate: 0.15 / (k + 1), commit: 0.03 / (k + 1), other: 0 }, steps: 3000, evaluations: 5400 + 37 * k, newton_iterations: 9000 * k, rollbacks: 12, factorizations: 40 + k,
      refreshes: 2, energy_numerical: 1e-6 * (k - 1),
    })),
    interfaces: names.slice(1).map((name, k) => ({
      name: `${name}.hinge`, iterations: 5400 + k, most_iterations: 7, largest_residual: 3.2e-10, energy_monitor: -2.1e-6 / (k + 1),
      energy_most: 4e-9, energy_dissipated: 0, energy_exceeded: 0,
    })),
  };
}

function energyPart(end) {
  const times = Float64Array.from({ length: 400 }, (_, k) => (end * k) / 399);
  const lost = (t) => -4.1 * (1 - Math.exp(-1.5 * t));
  const list = [["stored", (t) => 18.2 + lost(t) + 0.9 * t], ["lost at contacts", lost], ["external work", (t) => 0.9 * t], ["dissipated", (t) => -0.26 * t], ["created", (t) => 2e-6 * t]];
  return {
    json: { samples: times.length, list: list.map(([name]) => ({ name, unit: "J" })) },
    text: encoded([times, ...list.map(([, of]) => Float64Array.from(times, of))]),
  };
}

function report({ title, columns, scene, energy, events, figures, summary }) {
  const data = {
    version: 1, title, summary, columns: columns.json, events: { total: events.length, list: events }, scene: scene?.json ?? null,
    energy: energy?.json ?? null, figures,
  };
  return page({ title, data, columns: columns.text, scene: scene?.text ?? "", energy: energy?.text ?? "" });
}

function shapesColumns(end) {
  const times = Float64Array.from({ length: 3001 }, (_, k) => (end * k) / 3000);
  const force = (t) => bounceInstants(end).reduce((sum, at) => sum + 180 * Math.exp(-(((t - at) / 0.004) ** 2)), 0);
  return columnsPart(times, [
    column("ball.sphere.z", "m", times, (t) => bounce(t).gap + RADIUS),
    column("ball.sphere.gap", "m", times, (t) => bounce(t).gap),
    column("ball.sphere.vz", "m/s", times, (t) => bounce(t).speed),
    column("ball.sphere.floor.force", "N", times, force),
    column("arm.crank.angle", "rad", times, (t) => 4 * t),
    column("arm.crank.moment", "N m", times, (t) => 2400 * Math.cos(4 * t) + 300 * Math.sin(60 * t)),
    column("arm.crank.deflection", "m", times, (t) => 3.2e-5 * Math.sin(2 * Math.PI * 40 * t) + 1e-5 * Math.sin(2 * Math.PI * 90 * t)),
    column("arm.crank.status", "", times, (t) => (Math.sin(4 * t) > 0 ? 1 : 0)),
  ], 2);
}

/// Every kind of shape, links, forces, impacts.
export function shapesReport() {
  const end = 3;
  const times = Float64Array.from({ length: 361 }, (_, k) => (end * k) / 360);
  const instants = bounceInstants(end);
  const forces = (t) => {
    const list = [{ contact: 1, point: [0.6, 0.1, 0.1], force: [20 * Math.sin(5 * t), 0, 60] }];
    if (instants.some((at) => Math.abs(at - t) < end / 700)) list.push({ contact: 0, point: [-0.45, -0.3, 0], force: [0, 0, 150] });
    return list;
  };
  const links = [
    { name: "arm.rod", from: { body: 2, point: [0.25, 0, 0] }, to: { body: null, point: [0.75, 0.45, 0.35] }, radius: 0.012, role: "beam" },
    { name: "parts.spring", from: { body: 3, point: [0, 0, 0.12] }, to: { body: null, point: [0.35, -0.35, 0.75] }, radius: 0.006, role: "spring" },
    { name: "parts.hinge", from: { body: 4, point: [0, 0, 0] }, to: { body: null, point: [0.6, 0.1, 0] }, radius: 0.01, role: "joint" },
  ];
  const scene = scenePart({
    times, bodies: shapesBodies(), links, meshes: [TETRAHEDRON], contacts: ["sphere.floor", "mesh.floor"], forces, size: 1.9, center: [0, 0, 0.35],
  });
  const events = instants.flatMap((t, k) => {
    const v = RESTITUTION ** k * Math.sqrt(2 * G * HEIGHT);
    const impact = { t, kind: "impact", contact: "sphere.floor", velocity_before: -v, velocity_after: RESTITUTION * v, impulse: 1.8 * v, work: -0.18 * v * v };
    return [impact, { ...impact, kind: "release", impulse: 0, work: 0 }];
  });
  return report({
    title: "All shapes: a ball, an arm & parts", columns: shapesColumns(end), scene, energy: energyPart(end), events,
    summary: summaryOf("All shapes", end, instants.length, ["ground", "ball", "arm", "parts"]),
    figures: [
      { title: "Ball", columns: ["ball.sphere.z", "ball.sphere.gap", "ball.sphere.floor.force"] },
      { title: "Arm", columns: ["arm.crank.angle", "arm.crank.moment", "arm.crank.deflection"] },
    ],
  });
}

/// A chain of many bodies that swings: for size and speed.
export function chainReport(count = 200, frames = 600) {
  const end = 10;
  const times = Float64Array.from({ length: frames }, (_, k) => (end * k) / (frames - 1));
  const angle = (k, t) => 0.9 * Math.sin(1.7 * t - 0.03 * k) + 0.25 * Math.sin(5.3 * t - 0.11 * k + 0.02 * k * t);
  const yaw = (k, t) => 0.4 * Math.sin(0.8 * t + 0.05 * k);
  const length = 0.05;
  const cache = new Map();
  const chainAt = (t) => {
    if (!cache.has(t)) {
      let [x, y, z] = [0, 0, 8];
      cache.set(t, Array.from({ length: count }, (_, k) => {
        const [a, b] = [angle(k, t), yaw(k, t)];
        const d = [Math.sin(a) * Math.cos(b), Math.sin(a) * Math.sin(b), -Math.cos(a)];
        const position = [x + (d[0] * length) / 2, y + (d[1] * length) / 2, z + (d[2] * length) / 2];
        [x, y, z] = [x + d[0] * length, y + d[1] * length, z + d[2] * length];
        const n = Math.hypot(1 + d[2], -d[1], d[0]) || 1;
        return { position, orientation: [(1 + d[2]) / n, -d[1] / n, d[0] / n, 0] };
      }));
    }
    return cache.get(t);
  };
  const bodies = Array.from({ length: count }, (_, k) => ({
    subsystem: `chain${Math.floor(k / 50)}`, name: `link${k}`, pose: (t) => chainAt(t)[k],
    shapes: [shape("capsule", "body", { radius: 0.018, length: length * 0.7 }), ...(k % 10 === 9 ? [shape("sphere", "contact", { radius: 0.05 })] : [])],
  }));
  const scene = scenePart({ times, bodies, links: [], meshes: [], contacts: [], forces: () => [], size: 14, center: [0, 0, 5] });
  const rows = Float64Array.from({ length: 4000 }, (_, k) => (end * k) / 3999);
  const columns = columnsPart(rows, [0, 50, 199].flatMap((k) => [
    column(`chain${Math.floor(k / 50)}.link${k}.angle`, "rad", rows, (t) => angle(k, t)),
    column(`chain${Math.floor(k / 50)}.link${k}.tension`, "N", rows, (t) => 1e4 * (1.2 + Math.cos(angle(k, t)))),
  ]), 1);
  return report({
    title: `Chain of ${count} bodies`, columns, scene, energy: energyPart(end), events: [], figures: [{ title: "", columns: ["chain0.link0.angle", "chain0.link0.tension"] }],
    summary: { ...summaryOf("Chain", end, 0, ["chain0", "chain1", "chain2", "chain3"]), warnings: [] },
  });
}

/// No scene, no energies, no events, and a run that failed.
export function plainReport() {
  const times = Float64Array.from({ length: 500 }, (_, k) => k * 0.002 + (k % 3) * 1e-4);
  const columns = columnsPart(times, [column("mass.x", "m", times, (t) => 0.012 * Math.cos(12 * t)), column("mass.gone", "m", times, (t) => (t > 0.4 ? NaN : t))], 1);
  const summary = { ...summaryOf("Plain", 1, 0, ["mass"]), outcome: "failed", reason: "step 500 did not converge: interface `hinge`", warnings: [], interfaces: [] };
  return report({ title: "A run that failed", columns, scene: null, energy: null, events: [], figures: [{ title: "Mass", columns: ["mass.x", "mass.gone"] }], summary });
}

/// Twenty quantities of fifty thousand rows in one figure.
export function columnsReport() {
  const times = Float64Array.from({ length: 50000 }, (_, k) => k * 2e-4);
  const many = Array.from({ length: 20 }, (_, c) => column(`part${c}.x`, "m", times, (t) => 0.001 * c + 0.004 * Math.sin((20 + c) * t) + 0.001 * Math.sin(3141 * t * (1 + 0.01 * c))));
  return report({
    title: "Twenty quantities", columns: columnsPart(times, many, 5), scene: null, energy: energyPart(10), events: [], figures: [{ title: "All", columns: many.map((c) => c.description.name) }],
    summary: summaryOf("Columns", 10, 0, ["part0"]),
  });
}

export const REPORTS = { shapes: shapesReport, chain: chainReport, plain: plainReport, columns: columnsReport };

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [, , name, file] = process.argv;
  if (!(name in REPORTS) || !file) throw new Error(`usage: node sample.mjs ${Object.keys(REPORTS).join("|")} FILE.html`);
  writeFileSync(file, REPORTS[name]());
}
