import assert from "node:assert/strict";
import { test } from "node:test";
import { fourier } from "../fourier.js";
import { amplitudeSpectrum, spectrumPeaks, uniform } from "../spectrum.js";
import { peaksIn, samplesIn, statisticsOf } from "../statistics.js";
import { foldOverAngle } from "../azimuth.js";
import { envelope, extent, traceAscending, traceEnvelope, traceFree } from "../curve.js";

function noise(n, seed) {
  let state = seed;
  return Float64Array.from({ length: n }, () => {
    state = (1103515245 * state + 12345) % 2147483648;
    return state / 1073741824 - 1;
  });
}

function directTransform(re, im) {
  const n = re.length;
  const sum = (k, part) => re.reduce((s, _, j) => {
    const angle = (-2 * Math.PI * j * k) / n;
    return s + (part === 0 ? re[j] * Math.cos(angle) - im[j] * Math.sin(angle) : re[j] * Math.sin(angle) + im[j] * Math.cos(angle));
  }, 0);
  return [0, 1].map((part) => Array.from({ length: n }, (_, k) => sum(k, part)));
}

test("transforms of all lengths as the sum that defines them", () => {
  for (const n of [1, 2, 3, 7, 8, 30, 64, 97]) {
    const [re, im] = [noise(n, 1), noise(n, 2)];
    const expected = directTransform(re, im);
    fourier(re, im);
    for (let k = 0; k < n; k++) assert.ok(Math.hypot(re[k] - expected[0][k], im[k] - expected[1][k]) < 1e-11 * n, `${n}, ${k}`);
  }
});

test("Parseval: the energy is the same in both", () => {
  for (const n of [1024, 1000, 12347]) {
    const [re, im] = [noise(n, 3), new Float64Array(n)];
    const before = re.reduce((s, v) => s + v * v, 0);
    fourier(re, im);
    const after = re.reduce((s, v, k) => s + v * v + im[k] * im[k], 0) / n;
    assert.ok(Math.abs(after - before) < 1e-10 * before);
  }
});

test("a sine on a line of the spectrum has its amplitude there, half of it beside, nothing elsewhere", () => {
  const n = 1500;
  const step = 0.002;
  const values = Float64Array.from({ length: n }, (_, k) => 7 + 0.35 * Math.sin(2 * Math.PI * 40 * k * step + 0.4));
  const { frequencies, amplitudes, spacing, limit } = amplitudeSpectrum(values, step);
  assert.ok(Math.abs(spacing - 1 / 3) < 1e-12 && Math.abs(limit - 250) < 1e-9);
  const at = 120;
  assert.ok(Math.abs(frequencies[at] - 40) < 1e-9);
  assert.ok(Math.abs(amplitudes[at] - 0.35) < 1e-12);
  for (const k of [at - 1, at + 1]) assert.ok(Math.abs(amplitudes[k] - 0.175) < 1e-12);
  amplitudes.forEach((a, k) => { if (Math.abs(k - at) > 1) assert.ok(a < 1e-12, `${k}: ${a}`); });
});

test("a sine between lines: frequency and amplitude from the highest line and its neighbour", () => {
  const step = 1e-3;
  const values = Float64Array.from({ length: 2000 }, (_, k) => 2 * Math.cos(2 * Math.PI * 61.23 * k * step) + 0.01 * Math.cos(2 * Math.PI * 200.1 * k * step));
  const [first, second] = spectrumPeaks(amplitudeSpectrum(values, step), 2);
  assert.ok(Math.abs(first.frequency - 61.23) < 1e-3 && Math.abs(first.amplitude - 2) < 1e-3, JSON.stringify(first));
  assert.ok(Math.abs(second.frequency - 200.1) < 5e-3 && Math.abs(second.amplitude - 0.01) < 1e-4, JSON.stringify(second));
});

test("an even grid stays, an uneven one is interpolated, gaps are bridged", () => {
  const even = uniform([0, 1, 2, 3], [5, 6, 7, 8], 0, 3);
  assert.deepEqual([even.resampled, even.step, [...even.values]], [false, 1, [5, 6, 7, 8]]);
  const uneven = uniform([0, 0.5, 3, 4], [0, 1, 6, 8], 0, 9);
  assert.equal(uneven.resampled, true);
  [0, 8 / 3, 16 / 3, 8].forEach((v, k) => assert.ok(Math.abs(uneven.values[k] - v) < 1e-12));
  const gap = uniform([0, 1, 2, 3, 4], [0, 1, NaN, 3, 4], 0, 4);
  assert.deepEqual([gap.resampled, gap.values.length], [true, 4]);
});

test("statistics of a sine over whole periods, in closed form", () => {
  const times = Float64Array.from({ length: 40001 }, (_, k) => k * 1e-4);
  const values = times.map((t) => 0.5 + 3 * Math.sin(2 * Math.PI * 2 * t));
  const s = statisticsOf(times, values, 1, 3);
  assert.equal(s.samples, 20001);
  assert.ok(Math.abs(s.mean - 0.5) < 1e-6);
  assert.ok(Math.abs(s.rms - Math.sqrt(0.25 + 4.5)) < 1e-6);
  assert.ok(Math.abs(s.max - 3.5) < 1e-6 && Math.abs(s.t_max - 1.125) < 1e-3);
  assert.ok(Math.abs(s.min + 2.5) < 1e-6 && Math.abs(s.t_min - 1.375) < 1e-3);
  assert.equal(s.peaks, 4);
});

test("means are over time, not over samples; values that are not numbers do not count", () => {
  const s = statisticsOf([0, 1, 1.1, 1.2, 3], [2, 2, NaN, 2, 5], 0, 3);
  assert.ok(Math.abs(s.mean - (2 * 1.2 + 3.5 * 1.8) / 3) < 1e-12);
  assert.deepEqual([s.samples, s.min, s.max], [4, 2, 5]);
  assert.equal(statisticsOf([0, 1], [NaN, NaN], 0, 1).mean, null);
  assert.equal(statisticsOf([0, 1], [4, 4], 0, 1).rms, 4);
});

test("peaks stand out on both sides; ripples do not count", () => {
  assert.equal(peaksIn([0, 1, 0, 2, 0], 0, 5, 0.5), 2);
  assert.equal(peaksIn([0, 1, 0.9, 1.05, 0, 0.2, 0.1], 0, 7, 0.5), 1);
  assert.equal(peaksIn([0, 1, 2, 3], 0, 4, 0.1), 0);
});

test("samples in a range include its ends", () => {
  assert.deepEqual(samplesIn([0, 1, 2, 3], 1, 2), [1, 3]);
  assert.deepEqual(samplesIn([0, 1, 2, 3], 1.2, 1.8), [2, 2]);
  assert.deepEqual(samplesIn([0, 1, 2, 3], -9, 9), [0, 4]);
});

test("over an azimuth: degrees in one turn, breaks between turns, backwards too", () => {
  const angles = Array.from({ length: 9 }, (_, k) => (k * Math.PI) / 2 + 0.1);
  const { x, y, turns } = foldOverAngle(angles, angles, "rad", 0, 9);
  const inDegrees = (0.1 * 180) / Math.PI;
  const expected = [0, 90, 180, 270, NaN, 0, 90, 180, 270, NaN, 0].map((d) => d + inDegrees);
  x.forEach((v, k) => assert.ok(Number.isNaN(expected[k]) ? Number.isNaN(v) && Number.isNaN(y[k]) : Math.abs(v - expected[k]) < 1e-9));
  assert.deepEqual([...new Set(turns)], [0, 1, 2]);
  const back = foldOverAngle([10, -10, -370], [1, 2, 3], "deg", 0, 3);
  assert.deepEqual([...back.x].filter((v) => !Number.isNaN(v)), [10, 350, 350]);
  assert.deepEqual([...back.turns], [0, -1, -1, -2, -2]);
});

class Path {
  constructor() { this.points = []; }
  moveTo(x, y) { this.points.push(["m", x, y]); }
  lineTo(x, y) { this.points.push(["l", x, y]); }
}

test("the envelope keeps every extreme, in its column, without gaps", () => {
  const n = 50000;
  const x = Float64Array.from({ length: n }, (_, k) => k / n);
  const y = noise(n, 5);
  y[12345] = 40;
  y[33333] = -50;
  const { low, high } = envelope(x, y, 0, n, 800, 0, 800);
  assert.equal(high[Math.floor((12345 / n) * 800)], 40);
  assert.equal(low[Math.floor((33333 / n) * 800)], -50);
  for (let c = 0; c < 800; c++) assert.ok(low[c] <= high[c]);
  for (let c = 1; c < 800; c++) assert.ok(low[c] <= high[c - 1] && high[c] >= low[c - 1], "a gap");
  const ramp = envelope(x, x, 0, n, 800, 0, 800);
  for (let c = 1; c < 800; c++) assert.equal(ramp.low[c], ramp.high[c - 1]);
  const path = new Path();
  traceEnvelope(path, low.map((v) => 100 - v), high.map((v) => 100 - v), 0, 1);
  assert.ok(path.points.length <= 1600);
});

test("curves break where there is no number", () => {
  const path = new Path();
  traceAscending(path, [0, 1, 2, 3], [1, NaN, 5, 6], 0, 4, 10, 3, (v) => -v);
  assert.deepEqual(path.points, [["m", 3, -1], ["m", 23, -5], ["l", 33, -6]]);
  const free = new Path();
  traceFree(free, [0, 0.001, 5, 5], [0, 0, NaN, 2], 0, 4, (v) => v, (v) => v);
  assert.deepEqual(free.points, [["m", 0, 0], ["m", 5, 2]]);
  assert.deepEqual(extent([NaN, -3, 2, Infinity], 0, 4, false), [-3, 2]);
  assert.equal(extent([NaN], 0, 1, false), null);
});
