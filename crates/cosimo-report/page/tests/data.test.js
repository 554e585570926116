import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import { ArrayReader, decodeReport, fromBase64, inflate, unshuffle } from "../data.js";
import { encoded } from "./encode.mjs";

test("bytes that were shuffled by hand come back", () => {
  // Two numbers of 4 bytes: first all bytes 0, then all bytes 1, …; 1.0 is 00 00 80 3f, -2.5 is 00 00 20 c0.
  const bytes = Uint8Array.from([0x00, 0x00, 0x00, 0x00, 0x80, 0x20, 0x3f, 0xc0]);
  assert.deepEqual([...new Float32Array(unshuffle(bytes, 0, 2, 4))], [1, -2.5]);
  assert.throws(() => unshuffle(bytes, 1, 2, 4), /end after 8 bytes/);
});

test("base64 and zlib as node writes them", async () => {
  const bytes = Uint8Array.from({ length: 1000 }, (_, k) => (k * k) % 251);
  const text = deflateSync(bytes).toString("base64");
  assert.deepEqual(await inflate(fromBase64(`\n${text}\n`)), bytes);
});

test("arrays of several kinds follow each other", async () => {
  const doubles = Float64Array.from([Math.PI, -1e-300, NaN]);
  const shorts = Int16Array.from([-32767, 5, 32767, 0]);
  const reader = new ArrayReader(await inflate(fromBase64(encoded([doubles, shorts, Uint32Array.from([4294967295])]))));
  assert.deepEqual(reader.read(Float64Array, 3), doubles);
  assert.deepEqual(reader.read(Int16Array, 4), shorts);
  assert.deepEqual([...reader.read(Uint32Array, 1)], [4294967295]);
});

test("a report with a scene: poses, contacts by frame, columns", async () => {
  const scene = {
    frames: 2, size: 1, center: [0, 0, 0], links: [], meshes: [], contacts: ["a", "b"], contact_samples: 3,
    bodies: [{ subsystem: "s", name: "b", shapes: [] }],
  };
  const data = { version: 1, title: "T", summary: {}, columns: { rows: 3, stride: 1, recorded_rows: 3, list: [{ name: "t", unit: "s" }, { name: "x", unit: "m" }] }, events: { total: 0, list: [] }, scene, energy: null, figures: [] };
  const f32 = (...v) => Float32Array.from(v);
  const report = await decodeReport({
    data: JSON.stringify(data), energy: "",
    columns: encoded([Float64Array.from([0, 0.1, 0.2]), f32(1, NaN, 3)]),
    scene: encoded([Float64Array.from([0, 0.2]), f32(1, 2), f32(3, 4), f32(5, 6), Int16Array.from([32767, 0, 0, 0, 0, 32767, 0, 0]),
      Uint32Array.from([1, 2]), Uint32Array.from([0, 1, 0]), f32(1, 2, 3, 4, 5, 6, 7, 8, 9), f32(0, 0, 1, 0, 0, 2, 0, 0, 3)]),
  });
  assert.deepEqual([...report.times], [0, 0.1, 0.2]);
  assert.deepEqual([...report.columns[0].values], [1, NaN, 3]);
  const [body] = report.scene.bodies;
  assert.equal(body.id, "s.b");
  assert.deepEqual([[...body.x], [...body.z], [...body.q]], [[1, 2], [5, 6], [32767, 0, 0, 0, 0, 32767, 0, 0]]);
  assert.deepEqual([...report.scene.contacts.offsets], [0, 1, 3]);
  assert.deepEqual([...report.scene.contacts.forces], [0, 0, 1, 0, 0, 2, 0, 0, 3]);
});

test("data of another version are refused", async () => {
  await assert.rejects(decodeReport({ data: '{"version": 2}', columns: "", scene: "", energy: "" }), /version 1 .* version 2/);
});
