// What stands in the 3D view at an instant, as instances for the renderer.
import { unitBox, unitCapsule, unitCone, unitCylinder, unitSphere, unitSquare } from "./geometry.js";
import { surfaceMesh } from "./surface.js";
import { qFromZ, qMultiply, qRotate, qUnit, vAdd, vNorm, vScale, vSub } from "./vectors.js";
import { paletteColor, rgbOf, isDark } from "./palette.js";

const GREY = [0.55, 0.58, 0.62];
const AXIS_COLORS = [[0.84, 0.25, 0.2], [0.2, 0.62, 0.3], [0.2, 0.42, 0.9]];
const UPRIGHT = [1, 0, 0, 0];

function mixed(a, b, share) {
  return a.map((c, k) => c + share * (b[k] - c));
}

/// The force that the longest arrows are made for: nine tenths of all contact forces are smaller.
export function typicalForce(contacts) {
  const sizes = [];
  for (let k = 0; k < contacts.index.length; k++) {
    const f = Math.hypot(contacts.forces[3 * k], contacts.forces[3 * k + 1], contacts.forces[3 * k + 2]);
    if (f > 0 && Number.isFinite(f)) sizes.push(f);
  }
  sizes.sort((a, b) => a - b);
  return sizes.length > 0 ? sizes[Math.floor(0.9 * (sizes.length - 1))] : null;
}

export class SceneShapes {
  constructor(renderer, scene, colorOf) {
    this.scene = scene;
    this.colorOf = colorOf;
    this.size = scene.size > 0 ? scene.size : 1;
    const plain = (mesh) => ({ ...mesh, edges: new Uint32Array(0) });
    const meshes = {
      sphere: unitSphere(32, 16), capsule: unitCapsule(24, 12), cylinder: unitCylinder(32),
      sphereSmall: plain(unitSphere(12, 6)), capsuleSmall: plain(unitCapsule(8, 4)), cylinderSmall: plain(unitCylinder(10)), box: unitBox(), cone: unitCone(20), tube: unitCylinder(10),
      square: unitSquare(), shaft: unitCylinder(12), head: unitCone(16),
    };
    this.batches = Object.fromEntries(Object.entries(meshes).map(([name, mesh]) => [name, renderer.batch(mesh, name !== "square")]));
    this.meshes = (scene.meshes ?? []).map((mesh) => renderer.batch(surfaceMesh(mesh.vertices, mesh.triangles), false));
    this.forceLength = 0.22 * this.size;
    this.typical = typicalForce(scene.contacts);
    this.forceScale = 1;
  }

  get opaque() {
    const { square, shaft, head, ...solid } = this.batches;
    return [...Object.values(solid), ...this.meshes];
  }

  get clear() {
    return [this.batches.square];
  }

  get marks() {
    return [this.batches.shaft, this.batches.head];
  }

  /// Metres of arrow per newton.
  get metresPerNewton() {
    return this.typical ? (this.forceScale * this.forceLength) / this.typical : 0;
  }

  /// Fills the batches for the poses of now. What is smaller than some pixels gets coarse meshes.
  fill(poses, shown, forceColor, metresPerPixel) {
    this.smallBelow = 10 * metresPerPixel;
    for (const batch of [...this.opaque, ...this.clear, ...this.marks]) batch.clear();
    this.scene.bodies.forEach((body, b) => {
      const place = poses.positionOf(b);
      if (!place.every(Number.isFinite)) return;
      const turn = poses.orientationOf(b);
      for (const shape of body.shapes) {
        if (shape.role === "joint" && !shown.links) continue;
        this.addShape(shape, place, turn, this.shapeColor(shape, body.subsystem));
      }
      if (shown.frames) this.addFrame(place, turn);
    });
    if (shown.links) for (const link of this.scene.links ?? []) this.addLink(link, poses);
    if (shown.forces) this.addForces(poses.frame, forceColor);
  }

  shapeColor(shape, subsystem) {
    if (shape.color) return shape.color;
    const color = rgbOf(paletteColor(this.colorOf(subsystem)));
    if (shape.role === "ground") return isDark() ? mixed(GREY, [0, 0, 0], 0.25) : GREY;
    if (shape.role === "joint") return mixed(color, GREY, 0.7);
    return mixed(color, [1, 1, 1], shape.role === "contact" ? 0.22 : 0.1);
  }

  addShape(shape, bodyPlace, bodyTurn, color) {
    const own = qUnit(shape.orientation ?? UPRIGHT);
    const place = vAdd(bodyPlace, qRotate(bodyTurn, shape.position ?? [0, 0, 0]));
    const turn = qMultiply(bodyTurn, own);
    const { batches } = this;
    const r = shape.radius;
    const small = r < this.smallBelow;
    switch (shape.kind) {
      case "sphere": return (small ? batches.sphereSmall : batches.sphere).add(place, turn, [r, r, r], 0, color, 1);
      case "box": return batches.box.add(place, turn, shape.size, 0, color, 1);
      case "cylinder": return (small ? batches.cylinderSmall : batches.cylinder).add(place, turn, [r, r, 1], shape.length / 2, color, 1);
      case "capsule": return (small ? batches.capsuleSmall : batches.capsule).add(place, turn, [r, r, r], shape.length / 2, color, 1);
      case "mesh": return this.meshes[shape.mesh]?.add(place, turn, [1, 1, 1].map(() => shape.scale ?? 1), 0, color, 1);
      case "arrow": return this.addArrow("cylinder", "cone", place, qRotate(turn, shape.vector), r, color);
      case "line": return this.addLine(shape.points, place, turn, color);
      case "plane": return batches.square.add(place, turn, [shape.size, shape.size, 1], 0, color, 0.3);
      default: return undefined;
    }
  }

  addTube(batch, from, to, radius, color) {
    const along = vSub(to, from);
    const middle = vScale(vAdd(from, to), 0.5);
    this.batches[batch].add(middle, qFromZ(along), [radius, radius, 1], vNorm(along) / 2, color, 1);
  }

  addArrow(shaft, head, from, vector, radius, color) {
    const length = vNorm(vector);
    if (!(length > 0)) return;
    const tip = Math.min(0.4 * length, 5 * radius);
    const wide = tip * 0.44;
    const neck = vAdd(from, vScale(vector, 1 - tip / length));
    this.addTube(shaft, from, neck, Math.min(radius, 0.6 * wide), color);
    this.batches[head].add(vAdd(neck, vScale(vector, tip / length / 2)), qFromZ(vector), [wide, wide, 1], tip / 2, color, 1);
  }

  addLine(points, place, turn, color) {
    const there = points.map((p) => vAdd(place, qRotate(turn, p)));
    for (let k = 0; k + 1 < there.length; k++) this.addTube("tube", there[k], there[k + 1], 0.0018 * this.size, color);
  }

  addFrame(place, turn) {
    const length = 0.055 * this.size;
    AXIS_COLORS.forEach((color, k) => {
      const axis = [0, 0, 0];
      axis[k] = length;
      this.addArrow("shaft", "head", place, qRotate(turn, axis), 0.0022 * this.size, color);
    });
  }

  addLink(link, poses) {
    const ends = [link.from, link.to].map(({ body, point }) => (
      body === null || body === undefined ? point : vAdd(poses.positionOf(body), qRotate(poses.orientationOf(body), point))
    ));
    if (!ends.flat().every(Number.isFinite)) return;
    const color = rgbOf(paletteColor(this.colorOf(link.name.split(".")[0])));
    const radius = link.radius > 0 ? link.radius : 0.003 * this.size;
    if (link.role === "spring") this.addCoil(ends[0], ends[1], radius, mixed(color, GREY, 0.5));
    else this.addTube("tube", ends[0], ends[1], radius, link.role === "joint" ? mixed(color, GREY, 0.7) : color);
  }

  /// A spring: eight turns between short straight ends.
  addCoil(from, to, radius, color) {
    const along = vSub(to, from);
    const turn = qFromZ(along);
    const length = vNorm(along);
    const wide = Math.max(3 * radius, 0.012 * this.size);
    const wire = Math.max(0.4 * radius, 0.0028 * this.size);
    const steps = 80;
    let before = from;
    for (let k = 0; k <= steps + 1; k++) {
      const angle = (2 * Math.PI * 8 * k) / steps;
      const local = [wide * Math.cos(angle), wide * Math.sin(angle), length * (0.12 + (0.76 * k) / steps)];
      const point = k > steps ? to : vAdd(from, qRotate(turn, local));
      this.addTube("tube", before, point, wire, color);
      before = point;
    }
  }

  /// Where forces are told at every n-th frame only (`force_stride`), those of the last such frame.
  addForces(now, color) {
    const frame = now - (now % (this.scene.force_stride ?? 1));
    const { offsets, points, forces } = this.scene.contacts;
    const scale = this.metresPerNewton;
    for (let k = offsets[frame]; k < offsets[frame + 1]; k++) {
      const point = [points[3 * k], points[3 * k + 1], points[3 * k + 2]];
      const vector = [forces[3 * k] * scale, forces[3 * k + 1] * scale, forces[3 * k + 2] * scale];
      if (point.every(Number.isFinite) && vector.every(Number.isFinite)) {
        this.addArrow("shaft", "head", point, vector, 0.0055 * this.size, color);
      }
    }
  }
}
