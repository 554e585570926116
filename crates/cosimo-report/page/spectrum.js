// Amplitude spectrum of a series over a range of time.
import { fourier } from "./fourier.js";
import { samplesIn } from "./statistics.js";

/// Values on a uniform grid of as many points; `resampled` says whether the given grid was not uniform or had gaps.
export function uniform(times, values, from, to) {
  const [start, end] = samplesIn(times, from, to);
  const t = [];
  const v = [];
  for (let k = start; k < end; k++) {
    if (!Number.isFinite(values[k]) || (t.length > 0 && times[k] <= t[t.length - 1])) continue;
    t.push(times[k]);
    v.push(values[k]);
  }
  const n = t.length;
  if (n < 2) return { step: 0, values: new Float64Array(n), resampled: false };
  const step = (t[n - 1] - t[0]) / (n - 1);
  const even = t.every((time, k) => Math.abs(time - t[0] - k * step) < 1e-3 * step);
  if (even) return { step, values: Float64Array.from(v), resampled: false };
  const grid = new Float64Array(n);
  for (let k = 0, j = 0; k < n; k++) {
    const time = t[0] + k * step;
    while (j + 2 < n && t[j + 1] < time) j++;
    const s = Math.min(1, (time - t[j]) / (t[j + 1] - t[j]));
    grid[k] = v[j] + s * (v[j + 1] - v[j]);
  }
  return { step, values: grid, resampled: true };
}

/// One-sided amplitudes with a Hann window (the mean taken out before): a sine of amplitude A on a line of the spectrum gives A.
export function amplitudeSpectrum(values, step) {
  const n = values.length;
  const mean = values.reduce((sum, v) => sum + v, 0) / n;
  const re = new Float64Array(n);
  const im = new Float64Array(n);
  let weight = 0;
  for (let k = 0; k < n; k++) {
    const w = 0.5 - 0.5 * Math.cos((2 * Math.PI * k) / n);
    re[k] = (values[k] - mean) * w;
    weight += w;
  }
  fourier(re, im);
  const count = Math.floor(n / 2) + 1;
  const frequencies = Float64Array.from({ length: count }, (_, k) => k / (n * step));
  const amplitudes = Float64Array.from({ length: count }, (_, k) => {
    const twoSided = k === 0 || 2 * k === n;
    return ((twoSided ? 1 : 2) * Math.hypot(re[k], im[k])) / weight;
  });
  return { frequencies, amplitudes, spacing: 1 / (n * step), limit: 1 / (2 * step) };
}

/// The largest maxima of a spectrum (down to a thousandth of the highest). Frequency and amplitude of a tone between two lines follow from
/// the higher neighbour: at a distance d from its line, in spacings, the transform of a Hann window is sin(πd) / (πd (1 − d²)).
export function spectrumPeaks({ frequencies, amplitudes, spacing }, most) {
  const found = [];
  for (let k = 1; k + 1 < amplitudes.length; k++) {
    const [a, b, c] = [amplitudes[k - 1], amplitudes[k], amplitudes[k + 1]];
    if (!(b > a && b >= c)) continue;
    const ratio = Math.max(a, c) / b;
    const distance = Math.max(0, (2 * ratio - 1) / (ratio + 1));
    const angle = Math.PI * distance;
    const factor = distance > 1e-6 ? (angle * (1 - distance * distance)) / Math.sin(angle) : 1;
    found.push({ frequency: frequencies[k] + (c > a ? distance : -distance) * spacing, amplitude: b * factor });
  }
  found.sort((p, q) => q.amplitude - p.amplitude);
  return found.filter((p) => p.amplitude > 1e-3 * found[0].amplitude).slice(0, most);
}
