import assert from "node:assert/strict";
import { test } from "node:test";
import { Timeline } from "../timeline.js";
import { firstSpeed, instantsOf, Player } from "../player.js";
import { groupByUnit } from "../figure.js";
import { matching } from "../picker.js";
import { accountOf, costsOf } from "../sections.js";
import { placeText } from "../header.js";
import { typicalForce } from "../scene-shapes.js";
import { bounce, bounceInstants, chainReport } from "./sample.mjs";

test("frames and impacts: on, back, none beyond the ends", () => {
  const timeline = new Timeline(0, 4);
  const player = new Player(timeline, [0, 1, 2, 3, 4], [0.5, 2.5]);
  assert.equal(player.nextImpact(), true);
  assert.equal(timeline.time, 0.5);
  player.step(1);
  assert.equal(timeline.time, 1);
  player.nextImpact();
  assert.equal(timeline.time, 2.5);
  assert.equal(player.nextImpact(), false);
  player.step(-1);
  assert.equal(timeline.time, 2);
  player.previousImpact();
  assert.equal(timeline.time, 0.5);
  player.step(-1);
  player.step(-1);
  assert.equal(timeline.time, 0);
  player.step(10);
  assert.equal(timeline.time, 4);
});

test("time and range stay within the run", () => {
  const timeline = new Timeline(1, 3);
  timeline.setTime(9);
  assert.equal(timeline.time, 3);
  timeline.setRange(2.5, 3.5);
  assert.deepEqual(timeline.range, [2, 3]);
  assert.ok(timeline.zoomed);
  timeline.setRange(-5, 50);
  assert.deepEqual([timeline.range, timeline.zoomed], [[1, 3], false]);
});

test("instants of a kind are ascending and different; short runs play slowly", () => {
  const events = [{ kind: "impact", t: 2 }, { kind: "impact", t: 1 }, { kind: "stick", t: 0 }, { kind: "impact", t: 2 }, { kind: "impact", t: null }];
  assert.deepEqual(instantsOf(events, "impact"), [1, 2]);
  assert.deepEqual([0.3, 3, 100, 1e-3].map(firstSpeed), [0.1, 1, 1, 0.01]);
});

test("one panel per unit, names found by words", () => {
  const series = [{ name: "a", unit: "m" }, { name: "b", unit: "N" }, { name: "c", unit: "m" }];
  assert.deepEqual(groupByUnit(series).map((g) => g.map((s) => s.name)), [["a", "c"], ["b"]]);
  assert.deepEqual(matching([{ name: "w.Chassis.x" }, { name: "w.foot.x" }], "x chas").map((c) => c.name), ["w.Chassis.x"]);
});

test("costs from subsystems and master, and from a list by phase", () => {
  const plain = costsOf({ subsystems: [{ name: "a", seconds: 1 }, { name: "b", seconds: 3 }], master_seconds: 2, wall_seconds: 10 });
  assert.deepEqual(plain.rows.map((r) => [r.name, r.seconds]), [["recording and the rest", 4], ["b", 3], ["master", 2], ["a", 1]]);
  assert.equal(plain.total, 10);
  const costs = [{ name: "a", phase: "evaluate", seconds: 1 }, { subsystem: "a", phase: "factorise", processor_seconds: 2 }, { name: "b", phase: "evaluate", seconds: 0.5 }];
  const { rows, phases, total } = costsOf({ costs });
  assert.deepEqual(phases, ["evaluate", "factorise"]);
  assert.deepEqual(rows.map((r) => [r.name, r.seconds, r.parts]), [["a", 3, { evaluate: 1, factorise: 2 }], ["b", 0.5, { evaluate: 0.5 }]]);
  assert.equal(total, 3.5);
  const by = { seconds: 3, phases: { evaluate: 2, commit: 1 } };
  const own = costsOf({ subsystems: [{ name: "a", ...by }], master: { seconds: 4, phases: { contacts: 4, books: 0 } }, recording: { seconds: 1, phases: { results: 1 } }, wall_seconds: 99 });
  assert.deepEqual(own.rows.map((r) => [r.name, r.seconds]), [["master", 4], ["a", 3], ["recording", 1]]);
  assert.deepEqual(own.rows[1].parts, { evaluate: 2, commit: 1 });
  assert.deepEqual(costsOf({}).rows, []);
});

test("the account of energy leads from the start to the end", () => {
  const lines = accountOf({ energy_start: 10, energy_external: 3, energy_contact: -4, energy_dissipated: -1, energy_monitor_interfaces: 0.5, energy_end: 8.5 });
  assert.equal(lines.at(-2).to, 8.5);
  assert.deepEqual([lines.at(-1).from, lines.at(-1).to], [0, 8.5]);
});

test("places of warnings in words", () => {
  assert.deepEqual(["model", { subsystem: "w" }, { interfaces: ["a", "b"] }, null].map(placeText), ["model", "subsystem w", "interfaces a, b", ""]);
});

test("the force that arrows are made for is not that of one peak", () => {
  const forces = Float32Array.from([...Array(95).fill([0, 3, 4]), ...Array(5).fill([0, 0, 1e6])].flat());
  assert.equal(typicalForce({ index: new Uint32Array(100), forces }), 5);
  assert.equal(typicalForce({ index: new Uint32Array(0), forces: new Float32Array(0) }), null);
});

test("the bouncing ball of the samples meets the floor at its instants", () => {
  const instants = bounceInstants(3);
  assert.ok(instants.length > 8);
  for (const t of instants) assert.ok(Math.abs(bounce(t).gap) < 1e-9 && bounce(t - 1e-6).gap > 0 && bounce(t + 1e-6).gap > 0);
});

test("ten seconds of 200 bodies stay under 5 MB", () => {
  assert.ok(Buffer.byteLength(chainReport(200, 600)) < 5e6);
});
