// Where the bodies of the scene are at a time: positions linear between frames, orientations along the shorter arc.

/// Index k of the last element of an ascending array that is not above t (0 where all are above).
export function indexAt(times, t) {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle - 1;
  }
  return Math.max(low, 0);
}

export class Poses {
  constructor(scene) {
    this.scene = scene;
    this.position = new Float64Array(3 * scene.bodies.length);
    this.orientation = new Float64Array(4 * scene.bodies.length);
    this.frame = 0;
    this.seek(scene.times[0] ?? 0);
  }

  /// Brings all poses to a time; `frame` is then the nearest frame.
  seek(time) {
    const { times, bodies } = this.scene;
    const last = times.length - 1;
    if (last < 0) return;
    const k = indexAt(times, time);
    const next = Math.min(k + 1, last);
    const span = times[next] - times[k];
    const s = span > 0 ? Math.min(1, Math.max(0, (time - times[k]) / span)) : 0;
    this.frame = s > 0.5 ? next : k;
    for (let b = 0; b < bodies.length; b++) this.place(b, bodies[b], k, next, s);
  }

  place(b, body, k, next, s) {
    const p = this.position;
    p[3 * b] = body.x[k] + s * (body.x[next] - body.x[k]);
    p[3 * b + 1] = body.y[k] + s * (body.y[next] - body.y[k]);
    p[3 * b + 2] = body.z[k] + s * (body.z[next] - body.z[k]);
    slerpInto(this.orientation, 4 * b, body.q, 4 * k, 4 * next, s);
  }

  positionOf(b) {
    return [this.position[3 * b], this.position[3 * b + 1], this.position[3 * b + 2]];
  }

  orientationOf(b) {
    return Array.from(this.orientation.subarray(4 * b, 4 * b + 4));
  }
}

/// `qSlerp` between two quaternions of a packed array, without allocation.
function slerpInto(out, at, q, a, b, s) {
  const norm = Math.hypot(q[a], q[a + 1], q[a + 2], q[a + 3]) * Math.hypot(q[b], q[b + 1], q[b + 2], q[b + 3]);
  const cosine = norm > 0 ? (q[a] * q[b] + q[a + 1] * q[b + 1] + q[a + 2] * q[b + 2] + q[a + 3] * q[b + 3]) / norm : 1;
  const angle = Math.acos(Math.min(1, Math.abs(cosine)));
  let from = 1 - s;
  let to = s;
  if (angle > 1e-4) {
    from = Math.sin((1 - s) * angle);
    to = Math.sin(s * angle);
  }
  if (cosine < 0) to = -to;
  for (let c = 0; c < 4; c++) out[at + c] = from * q[a + c] + to * q[b + c];
  const size = Math.hypot(out[at], out[at + 1], out[at + 2], out[at + 3]);
  if (size > 0) for (let c = 0; c < 4; c++) out[at + c] /= size;
  else out[at] = 1;
}
