// The camera: it turns around a target, at a distance, in a frame whose z axis is up.
import { mApply, mMultiply, mParallel, mPerspective, mView, vAdd, vCross, vDot, vScale, vSub } from "./vectors.js";

const ANGLE = (32 * Math.PI) / 180;
/// Distance beside the least one: room for arrows of forces.
const ROOM = 1.12;
const STEEPEST = Math.PI / 2 - 1e-4;

/// The turn of the world that brings an axis up: where x, y, z of the view's frame come from.
const TURNS = { z: [0, 1, 2], y: [2, 0, 1], x: [1, 2, 0] };

/// A vector of the world in the frame of the view, in which `up` ("z", "-z", "y", …) is the z axis.
export function toView(up, v) {
  const [a, b, c] = TURNS[up.slice(-1)].map((axis) => v[axis]);
  return up.startsWith("-") ? [a, -b, -c] : [a, b, c];
}

/// The matrix of `toView`.
export function viewTurn(up) {
  const columns = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((axis) => [...toView(up, axis), 0]);
  return [...columns.flat(), 0, 0, 0, 1];
}

/// The axis ("z", "-y", …) that is nearest to a direction; z where there is none.
export function nearestAxis(direction) {
  if (!direction) return "z";
  const sizes = direction.map(Math.abs);
  const k = sizes.indexOf(Math.max(...sizes));
  return (direction[k] < 0 ? "-" : "") + "xyz"[k];
}

/// The unit vector of an axis.
export function axisVector(axis) {
  const sign = axis.startsWith("-") ? -1 : 1;
  return ["x", "y", "z"].map((name) => (axis.endsWith(name) ? sign : 0));
}

export class Camera {
  /// `spheres`: [x, y, z, radius] of what shall be in view; without them it is a sphere of the given size.
  constructor(center, size, spheres = []) {
    this.center = center;
    this.spheres = spheres;
    this.size = size > 0 ? size : 1;
    this.up = "z";
    this.parallel = false;
    this.aspect = 1;
    this.onChange = () => {};
    this.from(-0.65, 0.36);
  }

  /// Looks from a direction: azimuth from x about up, elevation above the ground (radians); the whole motion is in view.
  from(azimuth, elevation) {
    this.azimuth = azimuth;
    this.elevation = Math.min(STEEPEST, Math.max(-STEEPEST, elevation));
    this.fit();
  }

  /// Brings the whole motion into view, without turning.
  fit() {
    this.target = toView(this.up, this.center);
    const narrow = Math.min(1, this.aspect);
    this.distance = (0.5 * this.size) / Math.sin(ANGLE / 2) / narrow;
    if (this.spheres.length > 0) this.distance = Math.min(this.distance, ROOM * this.distanceFor(this.spheres));
    this.onChange();
  }

  /// The least distance at which spheres are in view.
  distanceFor(spheres) {
    const { right, up, back } = this.axes();
    const half = ANGLE / 2;
    const sideways = Math.atan(Math.tan(half) * this.aspect);
    return spheres.reduce((distance, [x, y, z, radius]) => {
      const from = vSub(toView(this.up, [x, y, z]), this.target);
      const [across, along] = [Math.abs(vDot(from, right)), Math.abs(vDot(from, up))];
      if (this.parallel) return Math.max(distance, (along + radius) / Math.tan(half), (across + radius) / Math.tan(sideways));
      const needed = (angle, off) => off / Math.tan(angle) + radius / Math.sin(angle);
      return Math.max(distance, vDot(from, back) + Math.max(needed(half, along), needed(sideways, across)));
    }, 1e-3 * this.size);
  }

  setUp(axis) {
    this.up = axis;
    this.fit();
  }

  setParallel(parallel) {
    this.parallel = parallel;
    this.onChange();
  }

  turn(right, up) {
    this.azimuth -= right;
    this.elevation = Math.min(STEEPEST, Math.max(-STEEPEST, this.elevation + up));
    this.onChange();
  }

  /// Moves the target by parts of the height of the view.
  pan(right, up) {
    const axes = this.axes();
    const height = this.height();
    this.target = vAdd(this.target, vAdd(vScale(axes.right, -right * height), vScale(axes.up, up * height)));
    this.onChange();
  }

  /// Brings the camera nearer (factor below 1) or farther; what is seen at a place, given from the middle of the view in parts of its
  /// height, stays there.
  zoom(factor, right = 0, up = 0) {
    const distance = Math.min(200 * this.size, Math.max(1e-4 * this.size, this.distance * factor));
    const moved = this.height() * (1 - distance / this.distance);
    const axes = this.axes();
    this.target = vAdd(this.target, vAdd(vScale(axes.right, right * moved), vScale(axes.up, up * moved)));
    this.distance = distance;
    this.onChange();
  }

  /// Turns about a point of the world from now on.
  lookAt(point) {
    this.target = toView(this.up, point);
    this.onChange();
  }

  /// Height of what is seen at the target, in metres.
  height() {
    return 2 * this.distance * Math.tan(ANGLE / 2);
  }

  /// Pixels of a metre where the fourth coordinate of the projection is one (at a distance of a metre; anywhere if parallel).
  pixelsPerUnit(height) {
    return this.parallel ? height / this.height() : height / (2 * Math.tan(ANGLE / 2));
  }

  axes() {
    const [ca, sa] = [Math.cos(this.azimuth), Math.sin(this.azimuth)];
    const [ce, se] = [Math.cos(this.elevation), Math.sin(this.elevation)];
    const back = [ce * ca, ce * sa, se];
    const right = [-sa, ca, 0];
    return { right, up: vCross(back, right), back };
  }

  eye() {
    return vAdd(this.target, vScale(this.axes().back, this.distance));
  }

  /// View and projection, from the frame whose z axis is up.
  matrix() {
    const { right, up, back } = this.axes();
    const far = this.distance + 12 * this.size;
    const near = Math.max(this.distance - 3 * this.size, this.distance * 0.03);
    const projection = this.parallel
      ? mParallel(this.height() / 2, this.aspect, -far, far)
      : mPerspective(ANGLE, this.aspect, near, far);
    return mMultiply(projection, mView(this.eye(), right, up, back));
  }

  /// Where a point of the world is seen: parts of the view from its left upper corner, and depth (w of the projection).
  project(matrix, point) {
    const clip = mApply(matrix, toView(this.up, point));
    return { x: 0.5 + (0.5 * clip[0]) / clip[3], y: 0.5 - (0.5 * clip[1]) / clip[3], depth: clip[3], ahead: clip[3] > 0 };
  }
}
