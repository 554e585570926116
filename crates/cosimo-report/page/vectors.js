// Vectors in space (arrays of three), quaternions (arrays w, x, y, z) and 4×4 matrices (arrays of 16, column by column).

export function vAdd(a, b) {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

export function vSub(a, b) {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

export function vScale(a, s) {
  return [a[0] * s, a[1] * s, a[2] * s];
}

export function vDot(a, b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function vCross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export function vNorm(a) {
  return Math.hypot(a[0], a[1], a[2]);
}

export function vUnit(a) {
  const norm = vNorm(a);
  return norm > 0 ? vScale(a, 1 / norm) : [0, 0, 0];
}

export function qMultiply(a, b) {
  return [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ];
}

/// Rotates a vector by a unit quaternion.
export function qRotate(q, v) {
  const u = [q[1], q[2], q[3]];
  const t = vScale(vCross(u, v), 2);
  return vAdd(vAdd(v, vScale(t, q[0])), vCross(u, t));
}

export function qUnit(q) {
  const norm = Math.hypot(q[0], q[1], q[2], q[3]);
  return norm > 0 ? q.map((c) => c / norm) : [1, 0, 0, 0];
}

/// Spherical interpolation along the shorter arc; s from 0 (a) to 1 (b).
export function qSlerp(a, b, s) {
  const cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const sign = cosine < 0 ? -1 : 1;
  const angle = Math.acos(Math.min(1, Math.abs(cosine)));
  let from = 1 - s;
  let to = s;
  if (angle > 1e-4) {
    from = Math.sin((1 - s) * angle) / Math.sin(angle);
    to = Math.sin(s * angle) / Math.sin(angle);
  }
  return qUnit(a.map((c, k) => from * c + sign * to * b[k]));
}

/// The rotation that takes the z axis to a direction by the shortest way.
export function qFromZ(direction) {
  const d = vUnit(direction);
  if (d[2] < -0.999999) return [0, 1, 0, 0];
  return qUnit([1 + d[2], -d[1], d[0], 0]);
}

export function mMultiply(a, b) {
  const product = new Array(16).fill(0);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      for (let k = 0; k < 4; k++) product[4 * column + row] += a[4 * k + row] * b[4 * column + k];
    }
  }
  return product;
}

/// Applies a matrix to (x, y, z, 1).
export function mApply(m, p) {
  return [0, 1, 2, 3].map((row) => m[row] * p[0] + m[4 + row] * p[1] + m[8 + row] * p[2] + m[12 + row]);
}

/// Perspective projection: full vertical angle of view in radians.
export function mPerspective(angle, aspect, near, far) {
  const f = 1 / Math.tan(angle / 2);
  return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0];
}

/// Parallel projection of a view of given half height.
export function mParallel(half, aspect, near, far) {
  return [1 / (half * aspect), 0, 0, 0, 0, 1 / half, 0, 0, 0, 0, 2 / (near - far), 0, 0, 0, (far + near) / (near - far), 1];
}

/// The view from an eye along right, up and backward axes (orthonormal).
export function mView(eye, right, up, back) {
  return [
    right[0], up[0], back[0], 0,
    right[1], up[1], back[1], 0,
    right[2], up[2], back[2], 0,
    -vDot(right, eye), -vDot(up, eye), -vDot(back, eye), 1,
  ];
}
