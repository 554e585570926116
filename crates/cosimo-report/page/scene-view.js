// The 3D view: canvas, camera, what is shown, and its controls.
import { axisVector, Camera, nearestAxis, toView, viewTurn } from "./camera.js";
import { listenToCamera } from "./camera-input.js";
import { choice, coalesced, element, fitCanvas, redrawOn, toggle } from "./dom.js";
import { groundLevel, motionSpheres, roundBelow } from "./bounds.js";
import { NameLabels, Scales, Triad } from "./overlay.js";
import { Poses } from "./poses.js";
import { Renderer } from "./renderer.js";
import { SceneShapes } from "./scene-shapes.js";
import { isDark, rgbOf, themeColor } from "./palette.js";

export class SceneView {
  /// Throws where there is no WebGL 2; nothing has been added to `parent` then.
  constructor(parent, scene, timeline, colorOf) {
    this.scene = scene;
    this.timeline = timeline;
    this.poses = new Poses(scene);
    this.canvas = element("canvas", { class: "picture", "aria-label": "the model moving" });
    this.renderer = new Renderer(this.canvas);
    this.shapes = new SceneShapes(this.renderer, scene, colorOf);
    this.camera = new Camera(scene.center ?? [0, 0, 0], scene.size, motionSpheres(this.poses));
    this.shown = { forces: scene.contacts.index.length > 0, frames: false, names: false, links: true, grid: true };
    this.frames = 0;
    this.hover = null;
    this.redraw = coalesced(() => this.draw());
    const up = nearestAxis(scene.up);
    this.build(parent, up);
    this.setUp(up);
    this.camera.onChange = this.redraw;
    timeline.on("time", this.redraw);
    redrawOn(this.stage, this.redraw);
    this.canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    this.canvas.addEventListener("webglcontextrestored", () => this.restore(colorOf));
  }

  build(parent, up) {
    const names = element("div", { class: "names" });
    this.labels = new NameLabels(names, this.scene.bodies);
    this.triad = new Triad();
    this.scales = new Scales();
    const hint = element("span", { class: "hint", text: "drag to turn · shift-drag to move · wheel to zoom · double click to centre" });
    this.stage = element("div", {
      class: "stage", tabindex: 0, "aria-label": "3D view",
      pointerdown: () => hint.remove(),
      pointermove: (event) => this.point(event),
      pointerleave: () => this.point(null),
      dblclick: () => this.centre(),
    }, this.canvas, names, this.triad.node, this.scales.node, hint);
    listenToCamera(this.stage, this.camera);
    this.toggles = {};
    const show = (key, text, title) => {
      this.toggles[key] = toggle(text, this.shown[key], (on) => this.show({ [key]: on }), title);
      return this.toggles[key];
    };
    const look = (text, title, azimuth, elevation) => element("button", {
      class: "small", text, title, click: () => this.camera.from(azimuth, elevation),
    });
    const force = element("input", {
      type: "range", min: -2, max: 2, step: 0.1, value: 0, title: "length of the force arrows", "aria-label": "length of the force arrows",
      input: () => { this.shapes.forceScale = 10 ** (force.value / 2); this.redraw(); },
      dblclick: () => { force.value = 0; this.shapes.forceScale = 1; this.redraw(); },
    });
    const hasForces = this.scene.contacts.index.length > 0;
    parent.append(
      element("div", { class: "viewbar" },
        hasForces ? show("forces", "forces", "contact forces as arrows") : null,
        hasForces ? force : null,
        show("frames", "frames", "axes of the bodies"),
        show("names", "names", "names of the bodies"),
        show("links", "links", "joints, beams and springs"),
        show("grid", "ground", "grid and shadows on the ground"),
        toggle("parallel", false, (on) => this.camera.setParallel(on), "parallel instead of perspective projection")),
      this.stage,
      element("div", { class: "viewbar" },
        element("button", { class: "small", text: "fit", title: "the whole motion in view (f)", click: () => this.camera.fit() }),
        look("3D", "three-quarter view", -0.65, 0.36),
        look("front", "along the second horizontal axis", -Math.PI / 2, 0),
        look("side", "along the first horizontal axis", 0, 0),
        look("top", "from above", -Math.PI / 2, Math.PI / 2),
        choice("up", ["z", "y", "x", "-z", "-y", "-x"].map((axis) => [axis, axis.replace("-", "−")]), up, (axis) => this.setUp(axis)),
        element("button", { class: "small", text: "save picture", title: "the view as PNG", click: () => this.save() })),
    );
    this.stage.addEventListener("keydown", (event) => { if (event.key === "f") this.camera.fit(); });
  }

  /// The pointer is somewhere over the view, or not.
  point(event) {
    const box = event && this.stage.getBoundingClientRect();
    this.hover = event && event.buttons === 0 ? { x: event.clientX - box.left, y: event.clientY - box.top } : null;
    this.redraw();
  }

  /// Turns about the body under the pointer from now on.
  centre() {
    if (this.labels.near) this.camera.lookAt(this.poses.positionOf(this.labels.near.b));
  }

  /// Shows or hides forces, frames, names, links, grid.
  show(changes) {
    Object.assign(this.shown, changes);
    for (const [key, label] of Object.entries(this.toggles)) label.querySelector("input").checked = this.shown[key];
    this.redraw();
  }

  setUp(axis) {
    const reach = 1.6 * this.camera.size;
    const middle = toView(axis, this.camera.center);
    const cell = roundBelow(this.camera.size / 12);
    this.ground = { level: groundLevel(this.poses, axisVector(axis), this.camera.size), middle: [middle[0], middle[1]], reach, cell };
    this.world = viewTurn(axis);
    this.camera.setUp(axis);
    this.redraw();
  }

  restore(colorOf) {
    this.renderer = new Renderer(this.canvas);
    this.shapes = new SceneShapes(this.renderer, this.scene, colorOf);
    this.redraw();
  }

  theme() {
    const ink = rgbOf(themeColor("grid-line"));
    return { edge: [0.04, 0.06, 0.09, isDark() ? 0.6 : 0.55], grid: [...ink, 1], shadow: isDark() ? 0.38 : 0.16 };
  }

  draw() {
    const { width, height } = fitCanvas(this.canvas);
    if (width === 0 || height === 0) return;
    this.camera.aspect = width / height;
    if (!this.fitted) {
      this.fitted = true;
      this.camera.fit();
    }
    this.poses.seek(this.timeline.time);
    this.shapes.fill(this.poses, this.shown, rgbOf(themeColor("force")), this.camera.height() / height);
    this.renderer.draw({
      width: this.canvas.width, height: this.canvas.height, camera: this.camera, world: this.world, theme: this.theme(),
      opaque: this.shapes.opaque, clear: this.shapes.clear, marks: this.shapes.marks, grid: this.shown.grid ? this.ground : null,
    });
    this.labels.update(this.poses, this.camera, this.camera.matrix(), width, height, this.shown.names, this.hover);
    this.triad.update(this.camera);
    this.scales.update(this.camera, height, this.shapes.metresPerNewton, this.shown.forces);
    this.frames += 1;
  }

  /// Downloads the picture as it is.
  save() {
    this.draw();
    this.canvas.toBlob((blob) => {
      const link = element("a", { href: URL.createObjectURL(blob), download: "view.png" });
      link.click();
      URL.revokeObjectURL(link.href);
    });
  }

  /// Position and orientation of a body at the time shown.
  pose(id) {
    const b = this.scene.bodies.findIndex((body) => body.id === id);
    if (b < 0) throw new Error(`there is no body ${id}`);
    this.poses.seek(this.timeline.time);
    return { position: this.poses.positionOf(b), orientation: this.poses.orientationOf(b) };
  }
}
