// Meshes given by vertices and triangles: normals that are smooth up to a crease, and the creases as edges.
import { vAdd, vCross, vDot, vNorm, vSub, vUnit } from "./vectors.js";

const CREASE = Math.cos((35 * Math.PI) / 180);

/// Renumbers vertices so that those at one place (to a millionth of the size) have one number.
function weld(vertices, count) {
  let size = 0;
  for (const c of vertices) size = Math.max(size, Math.abs(c));
  const grid = 1e6 / (size > 0 ? size : 1);
  const numbers = new Map();
  const welded = new Uint32Array(count);
  for (let k = 0; k < count; k++) {
    const key = [0, 1, 2].map((axis) => Math.round(vertices[3 * k + axis] * grid) + 0).join();
    if (!numbers.has(key)) numbers.set(key, k);
    welded[k] = numbers.get(key);
  }
  return welded;
}

function facesOf(vertices, triangles) {
  const at = (k) => [vertices[3 * k], vertices[3 * k + 1], vertices[3 * k + 2]];
  const faces = [];
  for (let k = 0; k + 2 < triangles.length; k += 3) {
    const corners = [triangles[k], triangles[k + 1], triangles[k + 2]];
    const points = corners.map(at);
    const area = vCross(vSub(points[1], points[0]), vSub(points[2], points[0]));
    if (vNorm(area) > 0) faces.push({ corners, points, area, normal: vUnit(area) });
  }
  return faces;
}

/// A mesh as `geometry.js` makes them, from flat arrays of vertices and triangles. Each face has its own vertices.
export function surfaceMesh(vertices, triangles) {
  const welded = weld(vertices, vertices.length / 3);
  const faces = facesOf(vertices, triangles);
  const around = new Map();
  const sides = new Map();
  faces.forEach((face, f) => {
    face.corners.forEach((corner, c) => {
      const here = welded[corner];
      const next = welded[face.corners[(c + 1) % 3]];
      if (!around.has(here)) around.set(here, []);
      around.get(here).push(face);
      const key = here < next ? `${here}-${next}` : `${next}-${here}`;
      if (!sides.has(key)) sides.set(key, []);
      sides.get(key).push({ face, from: 3 * f + c, to: 3 * f + ((c + 1) % 3) });
    });
  });
  const positions = [];
  const normals = [];
  for (const face of faces) {
    face.corners.forEach((corner, c) => {
      let sum = [0, 0, 0];
      for (const other of around.get(welded[corner])) {
        if (vDot(other.normal, face.normal) > CREASE) sum = vAdd(sum, other.area);
      }
      positions.push(...face.points[c]);
      normals.push(...vUnit(sum));
    });
  }
  const creases = [...sides.values()].filter((s) => s.length !== 2 || vDot(s[0].face.normal, s[1].face.normal) < CREASE);
  return {
    positions: new Float32Array(positions),
    normals: new Float32Array(normals),
    ends: new Float32Array(positions.length / 3),
    triangles: Uint32Array.from({ length: positions.length / 3 }, (_, k) => k),
    edges: new Uint32Array(creases.flatMap((s) => [s[0].from, s[0].to])),
  };
}
