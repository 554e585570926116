// Curves as paths: no more points than can be seen.

/// Traces y over an ascending x. Values that are not numbers break the curve. Pixels along are x · scale + shift; `toY` gives those across.
export function traceAscending(path, x, y, start, end, scale, shift, toY) {
  let joined = false;
  for (let k = start; k < end; k++) {
    if (!(y[k] - y[k] === 0)) joined = false;
    else if (joined) path.lineTo(x[k] * scale + shift, toY(y[k]));
    else {
      path.moveTo(x[k] * scale + shift, toY(y[k]));
      joined = true;
    }
  }
}

/// Least and largest value of y in each of `count` columns of pixels (NaN where there is none). A column reaches to the value that the
/// one before ends with, so that the curve has no gaps. For curves with more samples than pixels.
export function envelope(x, y, start, end, scale, shift, count) {
  const low = new Float64Array(count).fill(NaN);
  const high = new Float64Array(count).fill(NaN);
  let column = -1;
  let before = NaN;
  for (let k = start; k < end; k++) {
    const v = y[k];
    if (!(v - v === 0)) {
      before = NaN;
      continue;
    }
    const c = Math.floor(x[k] * scale + shift);
    if (c >= 0 && c < count) {
      if (c !== column) {
        column = c;
        low[c] = before < v ? before : v;
        high[c] = before > v ? before : v;
      } else if (v < low[c]) low[c] = v;
      else if (v > high[c]) high[c] = v;
    }
    before = v;
  }
  return { low, high };
}

/// Traces an envelope given in pixels down (`low` at or below `high` on the screen): one point per thin column, two per thick one.
export function traceEnvelope(path, low, high, left, ratio) {
  let joined = false;
  let before = 0;
  for (let c = 0; c < low.length; c++) {
    if (!(low[c] >= high[c])) {
      joined = false;
      continue;
    }
    const x = left + (c + 0.5) / ratio;
    const thin = low[c] - high[c] < 1.5;
    const upFirst = Math.abs(high[c] - before) < Math.abs(low[c] - before);
    const ends = thin ? [(low[c] + high[c]) / 2] : upFirst ? [high[c], low[c]] : [low[c], high[c]];
    for (const y of ends) {
      if (joined) path.lineTo(x, y);
      else path.moveTo(x, y);
      joined = true;
      before = y;
    }
  }
}

/// Traces y over any x; points that move by less than half a pixel are left out.
export function traceFree(path, x, y, start, end, toX, toY) {
  let joined = false;
  let [px, py] = [0, 0];
  for (let k = start; k < end; k++) {
    if (!Number.isFinite(x[k]) || !Number.isFinite(y[k])) {
      joined = false;
      continue;
    }
    const qx = toX(x[k]);
    const qy = toY(y[k]);
    if (!joined) path.moveTo(qx, qy);
    else if (Math.abs(qx - px) < 0.5 && Math.abs(qy - py) < 0.5) continue;
    else path.lineTo(qx, qy);
    joined = true;
    [px, py] = [qx, qy];
  }
}

/// Least and largest finite value of y[start..end]; null where there is none.
export function extent(y, start, end, positive) {
  let low = Infinity;
  let high = -Infinity;
  for (let k = start; k < end; k++) {
    const v = y[k];
    if (!(v - v === 0) || (positive && v <= 0)) continue;
    if (v < low) low = v;
    if (v > high) high = v;
  }
  return low <= high ? [low, high] : null;
}
