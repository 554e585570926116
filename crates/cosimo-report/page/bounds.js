// How far shapes reach, and where the ground is.
import { qMultiply, qRotate, qUnit, vAdd, vDot, vNorm } from "./vectors.js";

/// How far the vertices of a mesh reach along a direction in its own frame.
function reachOfMesh(mesh, scale, along) {
  let reach = 0;
  const { vertices } = mesh ?? { vertices: [] };
  for (let k = 0; k + 2 < vertices.length; k += 3) {
    reach = Math.max(reach, vertices[k] * along[0] + vertices[k + 1] * along[1] + vertices[k + 2] * along[2]);
  }
  return reach * scale;
}

/// How far a shape reaches from its own position along a direction, its orientation in the world given.
export function reachOf(shape, turn, direction, meshes = []) {
  const along = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((axis) => vDot(qRotate(turn, axis), direction));
  const rim = Math.sqrt(Math.max(0, 1 - along[2] * along[2]));
  switch (shape.kind) {
    case "sphere": return shape.radius;
    case "box": return 0.5 * along.reduce((sum, a, k) => sum + Math.abs(a) * shape.size[k], 0);
    case "cylinder": return 0.5 * shape.length * Math.abs(along[2]) + shape.radius * rim;
    case "capsule": return 0.5 * shape.length * Math.abs(along[2]) + shape.radius;
    case "arrow": return Math.max(0, vDot(qRotate(turn, shape.vector), direction));
    case "line": return Math.max(...shape.points.map((p) => vDot(qRotate(turn, p), direction)));
    case "mesh": return reachOfMesh(meshes[shape.mesh], shape.scale ?? 1, along);
    default: return 0;
  }
}

function turnOf(shape) {
  return qUnit(shape.orientation ?? [1, 0, 0, 0]);
}

/// Height of the lowest plane that faces up at the start, if the scene has one.
function planeLevel(poses, up) {
  let level = null;
  poses.scene.bodies.forEach((body, b) => {
    for (const shape of body.shapes) {
      if (shape.kind !== "plane") continue;
      const turn = qMultiply(poses.orientationOf(b), turnOf(shape));
      if (vDot(qRotate(turn, [0, 0, 1]), up) < 0.999) continue;
      const place = vAdd(poses.positionOf(b), qRotate(poses.orientationOf(b), shape.position ?? [0, 0, 0]));
      const height = vDot(place, up);
      if (level === null || height < level) level = height;
    }
  });
  return level;
}

/// Lowest point of all shapes over the run (at most 80 instants are looked at).
function lowestPoint(poses, up) {
  const down = up.map((c) => -c);
  const { times, bodies } = poses.scene;
  const every = Math.max(1, Math.ceil(times.length / 80));
  let lowest = Infinity;
  for (let k = 0; k < times.length; k += every) {
    poses.seek(times[k]);
    bodies.forEach((body, b) => {
      const turn = poses.orientationOf(b);
      for (const shape of body.shapes) {
        if (shape.kind === "plane") continue;
        const place = vAdd(poses.positionOf(b), qRotate(turn, shape.position ?? [0, 0, 0]));
        const height = vDot(place, up) - reachOf(shape, qMultiply(turn, turnOf(shape)), down, poses.scene.meshes);
        if (height < lowest) lowest = height;
      }
    });
  }
  return lowest;
}

/// Height of the ground along an axis: a plane of the scene, or somewhat below everything.
export function groundLevel(poses, up, size) {
  poses.seek(poses.scene.times[0] ?? 0);
  const plane = planeLevel(poses, up);
  if (plane !== null) return plane;
  const lowest = lowestPoint(poses, up);
  return Number.isFinite(lowest) ? lowest - 0.04 * size : 0;
}

/// Radius of a sphere about a shape's own position that holds it; null for planes, which are not part of the motion.
function radiusOf(shape, meshes) {
  const farthest = (points) => Math.max(0, ...points.map(vNorm));
  switch (shape.kind) {
    case "sphere": return shape.radius;
    case "box": return 0.5 * vNorm(shape.size);
    case "cylinder": return Math.hypot(0.5 * shape.length, shape.radius);
    case "capsule": return 0.5 * shape.length + shape.radius;
    case "arrow": return vNorm(shape.vector);
    case "line": return farthest(shape.points);
    case "mesh": {
      const { vertices } = meshes?.[shape.mesh] ?? { vertices: [] };
      let radius = 0;
      for (let k = 0; k + 2 < vertices.length; k += 3) radius = Math.max(radius, Math.hypot(vertices[k], vertices[k + 1], vertices[k + 2]));
      return radius * (shape.scale ?? 1);
    }
    default: return null;
  }
}

/// Spheres [x, y, z, radius] about all that moves, at some instants of the run.
export function motionSpheres(poses) {
  const { times, bodies, meshes, links } = poses.scene;
  const ends = new Set((links ?? []).flatMap((link) => [link.from.body, link.to.body]));
  const parts = bodies.flatMap((body, b) => {
    const own = body.shapes.map((shape) => ({ b, at: shape.position ?? [0, 0, 0], radius: radiusOf(shape, meshes) }));
    return ends.has(b) ? [...own, { b, at: [0, 0, 0], radius: 0 }] : own;
  }).filter((part) => Number.isFinite(part.radius));
  const every = Math.max(1, Math.ceil((times.length * parts.length) / 8000), Math.ceil(times.length / 80));
  const fixed = (links ?? []).flatMap((link) => [link.from, link.to]).filter((end) => end.body === null || end.body === undefined);
  const spheres = fixed.map((end) => [...end.point, 0]);
  for (let k = 0; k < times.length; k += every) {
    poses.seek(times[k]);
    for (const { b, at, radius } of parts) {
      const sphere = [...vAdd(poses.positionOf(b), qRotate(poses.orientationOf(b), at)), radius];
      if (sphere.every(Number.isFinite)) spheres.push(sphere);
    }
  }
  return spheres;
}

/// Lengths of 1, 2 or 5 times a power of ten, not above a given one.
export function roundBelow(length) {
  const power = 10 ** Math.floor(Math.log10(length));
  const share = length / power;
  return power * (share >= 5 ? 5 : share >= 2 ? 2 : 1);
}
