// Curves as paths: no more points than can be seen.

/// Traces y over an ascending x: per column of pixels the first, least, largest and last value. Values that are not numbers break the
/// curve. Pixels along are x · scale + shift; `toY` gives those across.
export function traceAscending(path, x, y, start, end, scale, shift, toY) {
  let column = NaN;
  let [firstX, lastX, first, low, high, last] = [0, 0, 0, 0, 0, 0];
  let held = 0;
  let joined = false;
  const flush = () => {
    if (held === 0) return;
    if (joined) path.lineTo(firstX, toY(first));
    else path.moveTo(firstX, toY(first));
    joined = true;
    if (held > 2) {
      if (low < first || low < last) path.lineTo(column + 0.5, toY(low));
      if (high > first || high > last) path.lineTo(column + 0.5, toY(high));
    }
    if (held > 1) path.lineTo(lastX, toY(last));
    held = 0;
  };
  for (let k = start; k < end; k++) {
    const v = y[k];
    if (!(v - v === 0)) {
      flush();
      column = NaN;
      joined = false;
      continue;
    }
    const px = x[k] * scale + shift;
    const c = Math.floor(px);
    if (c !== column) {
      flush();
      column = c;
      firstX = px;
      first = low = high = v;
    } else if (v < low) low = v;
    else if (v > high) high = v;
    last = v;
    lastX = px;
    held += 1;
  }
  flush();
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
