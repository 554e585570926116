import assert from "node:assert/strict";
import { test } from "node:test";
import { unitBox, unitCapsule, unitCone, unitCylinder, unitSphere, unitSquare } from "../geometry.js";
import { surfaceMesh } from "../surface.js";
import { groundLevel, motionSpheres, reachOf, roundBelow } from "../bounds.js";
import { Poses } from "../poses.js";
import { qRotate, vAdd, vCross, vDot, vNorm, vSub, vUnit } from "../vectors.js";

/// Vertices and normals of an instance, placed as the vertex program does.
function placed(mesh, size, stretch) {
  const count = mesh.ends.length;
  const at = (array, k) => Array.from(array.subarray(3 * k, 3 * k + 3));
  return {
    vertices: Array.from({ length: count }, (_, k) => vAdd(at(mesh.positions, k).map((c, i) => c * size[i]), [0, 0, mesh.ends[k] * stretch])),
    normals: Array.from({ length: count }, (_, k) => vUnit(at(mesh.normals, k).map((c, i) => c / size[i]))),
    triangles: Array.from({ length: mesh.triangles.length / 3 }, (_, k) => Array.from(mesh.triangles.subarray(3 * k, 3 * k + 3))),
  };
}

/// Volume by the divergence theorem: a sixth of the sum of triple products.
function volume({ vertices, triangles }) {
  return triangles.reduce((sum, [a, b, c]) => sum + vDot(vertices[a], vCross(vertices[b], vertices[c])) / 6, 0);
}

/// Each side of a triangle has its opposite in another: nothing is open.
function assertClosed({ vertices, triangles }) {
  const key = (k) => vertices[k].map((c) => Math.round(c * 1e5) + 0).join();
  const sides = new Map();
  for (const triangle of triangles) {
    triangle.forEach((from, k) => {
      const side = `${key(from)}>${key(triangle[(k + 1) % 3])}`;
      sides.set(side, (sides.get(side) ?? 0) + 1);
    });
  }
  for (const [side, count] of sides) {
    const [from, to] = side.split(">");
    assert.equal(sides.get(`${to}>${from}`), count, `the mesh is open at ${side}`);
  }
}

function assertOutward({ vertices, normals, triangles }) {
  for (const [a, b, c] of triangles) {
    const face = vUnit(vCross(vSub(vertices[b], vertices[a]), vSub(vertices[c], vertices[a])));
    for (const k of [a, b, c]) {
      assert.ok(Math.abs(vNorm(normals[k]) - 1) < 1e-6);
      assert.ok(vDot(normals[k], face) > 0.3, "a normal that looks inward");
    }
  }
}

const R = 0.7;
const L = 1.9;
const ROUND = [
  ["sphere", (n) => placed(unitSphere(2 * n, n), [R, R, R], 0), (4 / 3) * Math.PI * R ** 3],
  ["capsule", (n) => placed(unitCapsule(2 * n, n), [R, R, R], L / 2), (4 / 3) * Math.PI * R ** 3 + Math.PI * R * R * L],
  ["cylinder", (n) => placed(unitCylinder(2 * n), [R, R, 1], L / 2), Math.PI * R * R * L],
  ["cone", (n) => placed(unitCone(2 * n), [R, R, 1], L / 2), (Math.PI * R * R * L) / 3],
];

for (const [name, make, exact] of ROUND) {
  test(`${name}: closed, normals outward, volume converges at second order to the closed form`, () => {
    const coarse = make(12);
    assertClosed(coarse);
    assertOutward(coarse);
    const errors = [12, 24, 48].map((n) => exact - volume(make(n)));
    assert.ok(errors[0] > 0 && errors[2] < 2.5e-3 * exact, `${errors}`);
    for (const k of [0, 1]) assert.ok(Math.abs(errors[k] / errors[k + 1] - 4) < 0.15, `${errors}`);
  });
}

test("box: closed, normals outward, its volume exactly; twelve edges from both sides", () => {
  const box = placed(unitBox(), [0.5, 2, 3], 0);
  assertClosed(box);
  assertOutward(box);
  assert.ok(Math.abs(volume(box) - 3) < 1e-12);
  const lengths = Array.from({ length: unitBox().edges.length / 2 }, (_, k) => vNorm(vSub(...[0, 1].map((i) => box.vertices[unitBox().edges[2 * k + i]]))));
  assert.deepEqual(lengths.sort((a, b) => a - b), [0.5, 2, 3].flatMap((l) => Array(8).fill(l)));
});

test("square: area one, normal along z", () => {
  const { vertices, triangles } = placed(unitSquare(), [1, 1, 1], 0);
  const area = triangles.reduce((sum, [a, b, c]) => vAdd(sum, vCross(vSub(vertices[b], vertices[a]), vSub(vertices[c], vertices[a]))), [0, 0, 0]);
  assert.deepEqual(area, [0, 0, 2]);
});

test("a given mesh: smooth where it bends little, creased where it bends much", () => {
  const box = unitBox();
  const cube = surfaceMesh(box.positions, box.triangles);
  assert.ok(Math.abs(volume(placed(cube, [1, 1, 1], 0)) - 1) < 1e-6);
  assert.equal(cube.edges.length, 24);
  assertOutward(placed(cube, [1, 1, 1], 0));
  const sphere = unitSphere(32, 16);
  const smooth = surfaceMesh(sphere.positions, sphere.triangles);
  assert.equal(smooth.edges.length, 0);
  for (let k = 0; k < smooth.ends.length; k++) {
    const [p, n] = [smooth.positions, smooth.normals].map((a) => Array.from(a.subarray(3 * k, 3 * k + 3)));
    assert.ok(vDot(p, n) > 0.99);
  }
});

test("how far shapes reach: as far as the points of their meshes", () => {
  const turn = [0.8, 0.2, -0.5, 0.27].map((c, _, q) => c / Math.hypot(...q));
  const direction = vUnit([0.3, -0.8, 0.4]);
  const cases = [
    [{ kind: "sphere", radius: R }, placed(unitSphere(200, 100), [R, R, R], 0)],
    [{ kind: "box", size: [1, 2, 3] }, placed(unitBox(), [1, 2, 3], 0)],
    [{ kind: "cylinder", radius: R, length: L }, placed(unitCylinder(400), [R, R, 1], L / 2)],
    [{ kind: "capsule", radius: R, length: L }, placed(unitCapsule(200, 100), [R, R, R], L / 2)],
  ];
  const box = unitBox();
  cases.push([{ kind: "mesh", mesh: 0, scale: 2 }, placed(box, [2, 2, 2], 0)]);
  for (const [shape, { vertices }] of cases) {
    const reach = Math.max(...vertices.map((v) => vDot(qRotate(turn, v), direction)));
    assert.ok(Math.abs(reachOf(shape, turn, direction, [{ vertices: box.positions }]) - reach) < 1e-3, shape.kind);
  }
});

test("the ground: a fixed plane that faces up, else below the lowest point of the run", () => {
  const still = (shapes, z) => ({ shapes, x: [0, 0], y: [0, 0], z, q: [32767, 0, 0, 0, 32767, 0, 0, 0] });
  const ball = still([{ kind: "sphere", radius: 0.5, position: [0, 0, 0] }], [3, 1]);
  const floor = still([{ kind: "plane", size: 4, position: [0, 0, 0.1] }], [0.2, 0.2]);
  const level = (bodies, up) => groundLevel(new Poses({ times: [0, 1], bodies }), up, 10);
  assert.ok(Math.abs(level([ball, floor], [0, 0, 1]) - 0.3) < 1e-12);
  assert.ok(Math.abs(level([ball], [0, 0, 1]) - (0.5 - 0.4)) < 1e-12);
  assert.ok(Math.abs(level([ball, floor], [0, 1, 0]) - (-0.5 - 0.4)) < 1e-12);
});

test("spheres about the motion: shapes and ends of links, without planes", () => {
  const body = (shapes) => ({ shapes, x: [0, 1], y: [0, 0], z: [2, 2], q: [32767, 0, 0, 0, 0, 0, 0, 32767] });
  const bodies = [
    body([{ kind: "box", size: [2, 4, 4], position: [0.5, 0, 0] }, { kind: "plane", size: 9 }]),
    body([]), body([]),
  ];
  const links = [{ from: { body: null, point: [0, 7, 0] }, to: { body: 2, point: [0, 0, 0] } }];
  const found = motionSpheres(new Poses({ times: [0, 1], bodies, links }));
  assert.deepEqual(found.map((s) => s.map((c) => Math.round(1e6 * c) / 1e6 + 0)), [[0, 7, 0, 0], [0.5, 0, 2, 3], [0, 0, 2, 0], [0.5, 0, 2, 3], [1, 0, 2, 0]]);
});

test("round lengths", () => {
  assert.deepEqual([0.9, 1, 4.9, 70].map(roundBelow).map((v) => Number(v.toPrecision(6))), [0.5, 1, 2, 50]);
});
