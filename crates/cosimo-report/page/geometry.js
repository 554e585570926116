// Meshes of the shapes, of unit size. A vertex of an instance lies at `position · scale + (0, 0, end · stretch)`, so that one
// capsule serves all radii and lengths. `edges` are pairs of vertices between which a line is drawn.

function meshOf(vertices, triangles, edges) {
  return {
    positions: new Float32Array(vertices.flatMap((v) => v.position)),
    normals: new Float32Array(vertices.flatMap((v) => v.normal)),
    ends: new Float32Array(vertices.map((v) => v.end ?? 0)),
    triangles: new Uint32Array(triangles.flat()),
    edges: new Uint32Array(edges.flat()),
  };
}

/// Triangles of a grid of rings (first ring lowest); those without area at a pole are left out.
function gridTriangles(rings, segments) {
  const triangles = [];
  for (let r = 0; r + 1 < rings; r++) {
    for (let s = 0; s < segments; s++) {
      const a = r * (segments + 1) + s;
      const b = a + segments + 1;
      if (r > 0) triangles.push([a, a + 1, b + 1]);
      if (r + 2 < rings) triangles.push([a, b + 1, b]);
    }
  }
  return triangles;
}

function ringEdges(start, segments) {
  return Array.from({ length: segments }, (_, s) => [start + s, start + s + 1]);
}

/// Rings of a sphere from the lower to the upper pole; a capsule has the equator twice, one for each end.
function sphereRings(segments, rings, capsule) {
  const vertices = [];
  const push = (r, end) => {
    const polar = -Math.PI / 2 + (Math.PI * r) / rings;
    for (let s = 0; s <= segments; s++) {
      const turn = (2 * Math.PI * s) / segments;
      const normal = [Math.cos(polar) * Math.cos(turn), Math.cos(polar) * Math.sin(turn), Math.sin(polar)];
      vertices.push({ position: normal, normal, end });
    }
  };
  for (let r = 0; r <= rings; r++) {
    if (!capsule) push(r, 0);
    else if (2 * r === rings) [-1, 1].forEach((end) => push(r, end));
    else push(r, 2 * r < rings ? -1 : 1);
  }
  return vertices;
}

/// Sphere of radius 1. Its edges are the equator and a meridian: they show how it turns. `rings` is even.
export function unitSphere(segments, rings) {
  const row = segments + 1;
  const edges = ringEdges((rings / 2) * row, segments);
  for (const s of [0, segments / 2]) for (let r = 0; r < rings; r++) edges.push([r * row + s, (r + 1) * row + s]);
  return meshOf(sphereRings(segments, rings, false), gridTriangles(rings + 1, segments), edges);
}

/// Capsule of radius 1 along z; `stretch` is half the length between the centres of its caps.
export function unitCapsule(segments, rings) {
  const row = segments + 1;
  const edges = [...ringEdges((rings / 2) * row, segments), ...ringEdges((rings / 2 + 1) * row, segments)];
  return meshOf(sphereRings(segments, rings, true), gridTriangles(rings + 2, segments), edges);
}

/// Cube of edge 1.
export function unitBox() {
  const vertices = [];
  const triangles = [];
  const edges = [];
  for (let axis = 0; axis < 3; axis++) {
    for (const sign of [-1, 1]) {
      const start = vertices.length;
      const normal = [0, 0, 0];
      normal[axis] = sign;
      for (const [u, v] of [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) {
        const position = [0, 0, 0];
        position[axis] = 0.5 * sign;
        position[(axis + 1) % 3] = u * sign;
        position[(axis + 2) % 3] = v;
        vertices.push({ position, normal });
      }
      triangles.push([start, start + 1, start + 2], [start, start + 2, start + 3]);
      edges.push(...[0, 1, 2, 3].map((k) => [start + k, start + ((k + 1) % 4)]));
    }
  }
  return meshOf(vertices, triangles, edges);
}

/// Frustum along z between the ends: radius `bottom` below, `top` above (0 for a cone). Cylinder: both 1.
function unitFrustum(bottom, top, segments) {
  const vertices = [];
  const triangles = [];
  const row = segments + 1;
  const ring = (radius, end, normalOf) => {
    for (let s = 0; s <= segments; s++) {
      const turn = (2 * Math.PI * s) / segments;
      const direction = [Math.cos(turn), Math.sin(turn), 0];
      vertices.push({ position: direction.map((c) => c * radius), normal: normalOf(direction), end });
    }
  };
  ring(bottom, -1, (d) => d);
  ring(top, 1, (d) => d);
  ring(bottom, -1, () => [0, 0, -1]);
  ring(top, 1, () => [0, 0, 1]);
  for (let s = 0; s < segments; s++) {
    triangles.push([s, s + 1, row + s + 1]);
    if (top > 0) triangles.push([s, row + s + 1, row + s]);
    if (s > 0) triangles.push([2 * row, 2 * row + s + 1, 2 * row + s]);
    if (s > 0 && top > 0) triangles.push([3 * row, 3 * row + s, 3 * row + s + 1]);
  }
  const edges = ringEdges(2 * row, segments);
  if (top > 0) edges.push(...ringEdges(3 * row, segments));
  return meshOf(vertices, triangles, edges);
}

/// Cylinder of radius 1 along z; `stretch` is half its length.
export function unitCylinder(segments) {
  return unitFrustum(1, 1, segments);
}

/// Cone of radius 1 at the lower end, tip at the upper end.
export function unitCone(segments) {
  return unitFrustum(1, 0, segments);
}

/// Square of edge 1 in the x-y plane.
export function unitSquare() {
  const corners = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
  const vertices = corners.map(([x, y]) => ({ position: [x, y, 0], normal: [0, 0, 1] }));
  return meshOf(vertices, [[0, 1, 2], [0, 2, 3]], [[0, 1], [1, 2], [2, 3], [3, 0]]);
}
