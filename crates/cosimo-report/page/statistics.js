// Figures of a series over a range of time.

/// Indices [from, to) of the samples in a range of an ascending grid.
export function samplesIn(times, from, to) {
  let a = 0;
  let b = times.length;
  while (a < b) {
    const middle = (a + b) >> 1;
    if (times[middle] < from) a = middle + 1;
    else b = middle;
  }
  const start = a;
  b = times.length;
  while (a < b) {
    const middle = (a + b) >> 1;
    if (times[middle] <= to) a = middle + 1;
    else b = middle;
  }
  return [start, a];
}

/// Minimum, maximum, mean and root mean square (both over time, by the trapezoidal rule), and peaks: maxima that stand out by more than
/// a hundredth of the range between minimum and maximum. Values that are not finite are left out.
export function statisticsOf(times, values, from, to) {
  const [start, end] = samplesIn(times, from, to);
  const result = { samples: 0, min: null, max: null, t_min: null, t_max: null, mean: null, rms: null, peaks: 0 };
  let sum = 0;
  let squares = 0;
  let span = 0;
  let plain = 0;
  let plainSquares = 0;
  let before = -1;
  for (let k = start; k < end; k++) {
    const v = values[k];
    if (!Number.isFinite(v)) continue;
    result.samples += 1;
    plain += v;
    plainSquares += v * v;
    if (result.min === null || v < result.min) [result.min, result.t_min] = [v, times[k]];
    if (result.max === null || v > result.max) [result.max, result.t_max] = [v, times[k]];
    if (before >= 0) {
      const dt = times[k] - times[before];
      const u = values[before];
      span += dt;
      sum += (dt * (u + v)) / 2;
      squares += (dt * (u * u + v * v)) / 2;
    }
    before = k;
  }
  if (result.samples > 0) {
    result.mean = span > 0 ? sum / span : plain / result.samples;
    result.rms = Math.sqrt(span > 0 ? squares / span : plainSquares / result.samples);
    result.peaks = peaksIn(values, start, end, 0.01 * (result.max - result.min));
  }
  return result;
}

/// How many maxima stand out by more than `least` on both sides.
export function peaksIn(values, start, end, least) {
  let peaks = 0;
  let low = Infinity;
  let high = -Infinity;
  let rising = false;
  for (let k = start; k < end; k++) {
    const v = values[k];
    if (!Number.isFinite(v)) continue;
    if (rising) {
      high = Math.max(high, v);
      if (high - v > least) {
        peaks += 1;
        rising = false;
        low = v;
      }
    } else {
      low = Math.min(low, v);
      if (v - low > least) {
        rising = true;
        high = v;
      }
    }
  }
  return peaks;
}
