import assert from "node:assert/strict";
import { test } from "node:test";
import { mApply, mMultiply, mParallel, mPerspective, mView, qFromZ, qMultiply, qRotate, qSlerp, vCross, vDot, vSub, vUnit } from "../vectors.js";
import { indexAt, Poses } from "../poses.js";
import { axisVector, Camera, nearestAxis, toView, viewTurn } from "../camera.js";

function near(a, b, tolerance = 1e-12) {
  assert.equal(a.length, b.length);
  a.forEach((v, k) => assert.ok(Math.abs(v - b[k]) <= tolerance, `${a} is not ${b}`));
}

const about = (axis, angle) => [Math.cos(angle / 2), ...vUnit(axis).map((c) => c * Math.sin(angle / 2))];

/// Rotation by the formula of Rodrigues.
function rodrigues(axis, angle, v) {
  const u = vUnit(axis);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const across = vCross(u, v);
  return v.map((x, k) => x * c + across[k] * s + u[k] * vDot(u, v) * (1 - c));
}

test("quaternions turn vectors as Rodrigues' formula does, and products turn in sequence", () => {
  const v = [0.3, -1.2, 2];
  near(qRotate(about([1, 2, -0.5], 1.1), v), rodrigues([1, 2, -0.5], 1.1, v), 1e-14);
  const [a, b] = [about([1, 0, 1], 0.7), about([0, 3, 1], -2)];
  near(qRotate(qMultiply(a, b), v), rodrigues([1, 0, 1], 0.7, rodrigues([0, 3, 1], -2, v)), 1e-14);
});

test("slerp turns evenly about the fixed axis, along the shorter arc, whatever the signs", () => {
  const axis = [0.2, 1, -0.4];
  for (const s of [0, 0.25, 0.5, 0.9, 1]) {
    const expected = about(axis, 0.3 + s * 2.2);
    near(qSlerp(about(axis, 0.3), about(axis, 2.5), s), expected, 1e-14);
    near(qSlerp(about(axis, 0.3), about(axis, 2.5).map((c) => -c), s), expected, 1e-14);
  }
  near(qSlerp(about(axis, 0.3), about(axis, 0.3 + 1e-7), 0.5), about(axis, 0.3 + 5e-8), 1e-15);
});

test("the z axis is brought to any direction", () => {
  for (const d of [[0, 0, 1], [0, 0, -2], [1, 0, 0], [-0.3, 0.5, -3], [1e-9, 0, -1]]) near(qRotate(qFromZ(d), [0, 0, 1]), vUnit(d), 1e-6);
});

test("poses between frames: positions linear, orientations with a sign change between frames", () => {
  const angle = [0.2, 1.0];
  const [q0, q1] = angle.map((a) => about([0, 0, 1], a).map((c) => Math.round(32767 * c)));
  const body = { x: [0, 2], y: [1, 1], z: [0, -4], q: Int16Array.from([...q0, ...q1.map((c) => -c)]) };
  const poses = new Poses({ times: [1, 3], bodies: [body] });
  poses.seek(1.5);
  near(poses.positionOf(0), [0.5, 1, -1]);
  near(qRotate(poses.orientationOf(0), [1, 0, 0]), [Math.cos(0.4), Math.sin(0.4), 0], 1e-4);
  assert.equal(poses.frame, 0);
  poses.seek(2.5);
  assert.equal(poses.frame, 1);
  poses.seek(99);
  near(poses.positionOf(0), [2, 1, -4]);
  poses.seek(-5);
  near(poses.positionOf(0), [0, 1, 0]);
});

test("the index of a time", () => {
  const times = [0, 1, 1, 2];
  assert.deepEqual([-1, 0, 0.5, 1, 1.5, 2, 3].map((t) => indexAt(times, t)), [0, 0, 0, 2, 2, 3, 3]);
});

test("products of matrices apply one after the other; the view brings the eye to the origin", () => {
  const view = mView([3, -2, 5], [0, 1, 0], [0, 0, 1], [1, 0, 0]);
  near(mApply(view, [3, -2, 5]), [0, 0, 0, 1]);
  near(mApply(view, [2, -1, 7]), [1, 2, -1, 1]);
  const projection = mPerspective(Math.PI / 2, 2, 1, 10);
  const p = [1.5, -0.5, -4];
  near(mApply(mMultiply(projection, view), [7, -1, 8]), mApply(projection, mApply(view, [7, -1, 8])));
  // A point at depth 4 and a quarter turn of view: x / (depth · aspect), y / depth.
  const clip = mApply(projection, p);
  near([clip[0] / clip[3], clip[1] / clip[3]], [1.5 / 8, -0.5 / 4]);
  near([-1, -10].map((z) => { const c = mApply(projection, [0, 0, z]); return c[2] / c[3]; }), [-1, 1]);
  near(mApply(mParallel(2, 1.5, -10, 10), [3, 2, 0]), [1, 1, 0, 1]);
});

test("any axis can be up, without mirroring", () => {
  for (const up of ["x", "y", "z", "-x", "-y", "-z"]) {
    const axis = axisVector(up);
    near(toView(up, axis), [0, 0, 1]);
    assert.equal(nearestAxis(axis.map((c, k) => c + 0.1 * k)), up);
    near(mApply(viewTurn(up), [1, 2, 3]).slice(0, 3), toView(up, [1, 2, 3]));
    const [x, y, z] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((v) => toView(up, v));
    near(vCross(x, y), z);
  }
  assert.equal(nearestAxis(undefined), "z");
});

test("zooming keeps what is under the pointer; a point looked at is in the middle", () => {
  const camera = new Camera([1, 2, 3], 4);
  camera.aspect = 1.5;
  for (const parallel of [false, true]) {
    camera.setParallel(parallel);
    camera.fit();
    const { right, up } = camera.axes();
    const height = camera.height();
    const point = camera.target.map((c, k) => c + 0.3 * height * right[k] - 0.2 * height * up[k]);
    const before = camera.project(camera.matrix(), point);
    near([before.x, before.y], [0.5 + 0.3 / 1.5, 0.7]);
    camera.zoom(0.5, 0.3, -0.2);
    const after = camera.project(camera.matrix(), point);
    near([after.x, after.y], [before.x, before.y]);
    camera.lookAt([0.5, 2, 3.5]);
    const middle = camera.project(camera.matrix(), [0.5, 2, 3.5]);
    near([middle.x, middle.y], [0.5, 0.5]);
  }
});

test("the camera sees its target in the middle and a sphere of the given size whole", () => {
  const camera = new Camera([1, 2, 3], 4);
  for (const [aspect, parallel] of [[1.6, false], [0.6, false], [1.6, true]]) {
    Object.assign(camera, { aspect, parallel });
    camera.fit();
    const matrix = camera.matrix();
    const middle = camera.project(matrix, [1, 2, 3]);
    near([middle.x, middle.y], [0.5, 0.5]);
    for (let k = 0; k < 200; k++) {
      const d = vUnit([Math.sin(k), Math.cos(2.3 * k), Math.sin(0.7 * k + 1)]);
      const seen = camera.project(matrix, [1, 2, 3].map((c, i) => c + 1.999 * d[i]));
      assert.ok(seen.ahead && seen.x >= -0.001 && seen.x <= 1.001 && seen.y >= -0.001 && seen.y <= 1.001, JSON.stringify(seen));
    }
  }
  // A slender thing is brought nearer, and is still whole in view.
  const spheres = Array.from({ length: 9 }, (_, k) => [1 + 0.45 * (k - 4), 2, 3, 0.1]);
  const close = new Camera([1, 2, 3], 4, spheres);
  for (const [aspect, parallel] of [[1.6, false], [0.6, false], [1.6, true]]) {
    Object.assign(close, { aspect, parallel });
    close.fit();
    const matrix = close.matrix();
    let most = 0;
    for (const [x, y, z, r] of spheres) {
      for (let k = 0; k < 300; k++) {
        const d = vUnit([Math.sin(k), Math.cos(2.3 * k), Math.sin(0.7 * k + 1)]);
        const seen = close.project(matrix, [x, y, z].map((c, i) => c + r * d[i]));
        most = Math.max(most, Math.abs(seen.x - 0.5), Math.abs(seen.y - 0.5));
      }
    }
    assert.ok(most < 0.5 && most > 0.4, `${most}`);
  }
  near([vDot(camera.axes().right, camera.axes().up), vDot(vSub(camera.eye(), camera.target), camera.axes().right)], [0, 0], 1e-9);
});
