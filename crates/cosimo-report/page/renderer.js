// Draws batches of instances with WebGL 2. One call per kind of shape, however many there are.
import { GRID_FRAGMENT, GRID_VERTEX, SOLID_FRAGMENT, SOLID_VERTEX } from "./shaders.js";

/// Numbers per instance: place 3, turn 4 (x, y, z, w), size 3, stretch 1, colour 4.
const STRIDE = 15;
const LIGHT_FROM = [0.36, 0.48, 0.8];

function programOf(gl, vertex, fragment) {
  const program = gl.createProgram();
  for (const [type, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  const at = new Map();
  const uniform = (name) => {
    if (!at.has(name)) at.set(name, gl.getUniformLocation(program, name));
    return at.get(name);
  };
  return { program, uniform };
}

function staticBuffer(gl, target, data) {
  const buffer = gl.createBuffer();
  gl.bindBuffer(target, buffer);
  gl.bufferData(target, data, gl.STATIC_DRAW);
  return buffer;
}

/// Instances of one mesh, filled anew for each picture.
export class Batch {
  /// `closed`: faces that look away are never seen.
  constructor(gl, mesh, closed) {
    this.gl = gl;
    this.closed = closed;
    this.count = 0;
    this.data = new Float32Array(64 * STRIDE);
    this.solids = mesh.triangles.length;
    this.lines = mesh.edges.length;
    this.array = gl.createVertexArray();
    gl.bindVertexArray(this.array);
    [[mesh.positions, 3], [mesh.normals, 3], [mesh.ends, 1]].forEach(([values, width], location) => {
      staticBuffer(gl, gl.ARRAY_BUFFER, values);
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, width, gl.FLOAT, false, 0, 0);
    });
    this.instances = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.instances);
    [[3, 0], [4, 3], [3, 7], [1, 10], [4, 11]].forEach(([width, offset], k) => {
      gl.enableVertexAttribArray(3 + k);
      gl.vertexAttribPointer(3 + k, width, gl.FLOAT, false, 4 * STRIDE, 4 * offset);
      gl.vertexAttribDivisor(3 + k, 1);
    });
    const indices = new Uint32Array(this.solids + this.lines);
    indices.set(mesh.triangles);
    indices.set(mesh.edges, this.solids);
    staticBuffer(gl, gl.ELEMENT_ARRAY_BUFFER, indices);
    gl.bindVertexArray(null);
  }

  clear() {
    this.count = 0;
  }

  /// Adds an instance: place, turn (w, x, y, z), size of three, stretch, colour of three, opacity.
  add(place, turn, size, stretch, color, opacity) {
    if ((this.count + 1) * STRIDE > this.data.length) {
      const larger = new Float32Array(2 * this.data.length);
      larger.set(this.data);
      this.data = larger;
    }
    const d = this.data;
    let k = this.count * STRIDE;
    d[k++] = place[0]; d[k++] = place[1]; d[k++] = place[2];
    d[k++] = turn[1]; d[k++] = turn[2]; d[k++] = turn[3]; d[k++] = turn[0];
    d[k++] = size[0]; d[k++] = size[1]; d[k++] = size[2]; d[k++] = stretch;
    d[k++] = color[0]; d[k++] = color[1]; d[k++] = color[2]; d[k] = opacity;
    this.count += 1;
  }

  upload() {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.instances);
    gl.bufferData(gl.ARRAY_BUFFER, this.data.subarray(0, this.count * STRIDE), gl.DYNAMIC_DRAW);
  }

  drawSolids() {
    const { gl } = this;
    if (this.count === 0) return;
    if (this.closed) gl.enable(gl.CULL_FACE);
    else gl.disable(gl.CULL_FACE);
    gl.bindVertexArray(this.array);
    gl.drawElementsInstanced(gl.TRIANGLES, this.solids, gl.UNSIGNED_INT, 0, this.count);
  }

  drawEdges() {
    const { gl } = this;
    if (this.count === 0 || this.lines === 0) return;
    gl.bindVertexArray(this.array);
    gl.drawElementsInstanced(gl.LINES, this.lines, gl.UNSIGNED_INT, 4 * this.solids, this.count);
  }
}

export class Renderer {
  /// Throws where the canvas has no WebGL 2.
  constructor(canvas) {
    const gl = canvas.getContext("webgl2", { antialias: true, alpha: true, stencil: true, powerPreference: "high-performance" });
    if (!gl) throw new Error("This browser or computer offers no WebGL 2, which the 3D view needs.");
    this.gl = gl;
    this.solid = programOf(gl, SOLID_VERTEX, SOLID_FRAGMENT);
    this.grid = programOf(gl, GRID_VERTEX, GRID_FRAGMENT);
    const norm = Math.hypot(...LIGHT_FROM);
    this.light = LIGHT_FROM.map((c) => c / norm);
  }

  batch(mesh, closed) {
    return new Batch(this.gl, mesh, closed);
  }

  /// Draws a picture: `opaque`, `clear` (seen through) and `marks` (no shadow, no edges, seen through the others) are lists of batches.
  draw({ width, height, camera, world, opaque, clear, marks, grid, theme }) {
    const { gl } = this;
    const view = camera.matrix();
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    for (const batch of [...opaque, ...clear, ...marks]) batch.upload();
    this.begin(view, camera, world, grid, height);
    for (const batch of opaque) batch.drawSolids();
    this.drawMarks(marks);
    this.edges(opaque, theme, (2 * camera.height()) / height);
    gl.depthMask(false);
    if (grid) {
      this.drawGrid(view, grid, theme, clear[0]);
      this.shadows(opaque, theme);
    }
    this.setMode(false, false, [0, 0, 0, 0], 0);
    for (const batch of clear) batch.drawSolids();
    this.edges(clear, theme, 0);
    gl.depthMask(true);
  }

  /// Marks are seen through bodies, but paler there.
  drawMarks(batches) {
    const { gl, solid } = this;
    gl.uniform1i(solid.uniform("bright"), 1);
    gl.depthMask(false);
    gl.depthFunc(gl.GREATER);
    gl.uniform1f(solid.uniform("veil"), 0.6);
    for (const batch of batches) batch.drawSolids();
    gl.depthFunc(gl.LESS);
    gl.depthMask(true);
    gl.uniform1f(solid.uniform("veil"), 1);
    for (const batch of batches) batch.drawSolids();
    gl.uniform1i(solid.uniform("bright"), 0);
  }

  begin(view, camera, world, grid, height) {
    const { gl, solid } = this;
    gl.useProgram(solid.program);
    gl.uniformMatrix4fv(solid.uniform("world"), false, world);
    gl.uniformMatrix4fv(solid.uniform("view"), false, view);
    gl.uniform3fv(solid.uniform("light"), this.light);
    gl.uniform3fv(solid.uniform("eye"), camera.eye());
    gl.uniform3fv(solid.uniform("back"), camera.axes().back);
    gl.uniform1i(solid.uniform("parallel"), camera.parallel ? 1 : 0);
    gl.uniform1f(solid.uniform("pixels"), camera.pixelsPerUnit(height));
    gl.uniform1f(solid.uniform("ground"), grid ? grid.level : 0);
    gl.uniform1f(solid.uniform("veil"), 1);
    this.setMode(false, false, [0, 0, 0, 0], 0);
  }

  setMode(shadow, line, ink, lift) {
    const { gl, solid } = this;
    gl.useProgram(solid.program);
    gl.uniform1i(solid.uniform("shadow"), shadow ? 1 : 0);
    gl.uniform1i(solid.uniform("line"), line ? 1 : 0);
    gl.uniform4fv(solid.uniform("ink"), ink);
    gl.uniform1f(solid.uniform("lift"), lift);
  }

  edges(batches, theme, lift) {
    this.setMode(false, true, theme.edge, lift);
    for (const batch of batches) batch.drawEdges();
  }

  /// Shadows on the ground, each point darkened once.
  shadows(batches, theme) {
    const { gl } = this;
    this.setMode(true, false, [0, 0, 0, theme.shadow], 0);
    gl.enable(gl.STENCIL_TEST);
    gl.stencilFunc(gl.EQUAL, 0, 255);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
    for (const batch of batches) batch.drawSolids();
    gl.disable(gl.STENCIL_TEST);
  }

  drawGrid(view, grid, theme, square) {
    const { gl } = this;
    gl.disable(gl.CULL_FACE);
    gl.useProgram(this.grid.program);
    gl.uniformMatrix4fv(this.grid.uniform("view"), false, view);
    gl.uniform2fv(this.grid.uniform("middle"), grid.middle);
    gl.uniform1f(this.grid.uniform("reach"), grid.reach);
    gl.uniform1f(this.grid.uniform("ground"), grid.level);
    gl.uniform1f(this.grid.uniform("cell"), grid.cell);
    gl.uniform4fv(this.grid.uniform("ink"), theme.grid);
    gl.bindVertexArray(square.array);
    gl.drawElements(gl.TRIANGLES, 6, gl.UNSIGNED_INT, 0);
  }
}
