// Decoding of what the page carries: JSON, and compressed byte-shuffled arrays.

/// Bytes of a base64 text.
export function fromBase64(text) {
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let k = 0; k < binary.length; k++) bytes[k] = binary.charCodeAt(k);
  return bytes;
}

/// Inflates zlib data (RFC 1950).
export async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/// Undoes the byte shuffle of `count` elements of `width` bytes that begin at `offset`.
export function unshuffle(bytes, offset, count, width) {
  if (offset + count * width > bytes.length) throw new Error(`the data end after ${bytes.length} bytes`);
  const plain = new Uint8Array(count * width);
  for (let b = 0; b < width; b++) {
    const start = offset + b * count;
    for (let k = 0, to = b; k < count; k++, to += width) plain[to] = bytes[start + k];
  }
  return plain.buffer;
}

/// Reads one shuffled array after the other.
export class ArrayReader {
  constructor(bytes) {
    this.bytes = bytes;
    this.offset = 0;
  }

  read(Type, count) {
    const buffer = unshuffle(this.bytes, this.offset, count, Type.BYTES_PER_ELEMENT);
    this.offset += count * Type.BYTES_PER_ELEMENT;
    return new Type(buffer);
  }
}

async function readerOf(text) {
  return new ArrayReader(await inflate(fromBase64(text)));
}

async function decodeColumns(description, text) {
  const list = description.list.map((column) => ({ ...column }));
  if (list.length === 0) return list;
  const reader = await readerOf(text);
  list.forEach((column, k) => {
    column.values = reader.read(k === 0 ? Float64Array : Float32Array, description.rows);
  });
  return list;
}

async function decodeScene(scene, text) {
  const reader = await readerOf(text);
  const n = scene.frames;
  const times = reader.read(Float64Array, n);
  const bodies = scene.bodies.map((body) => ({
    ...body,
    id: `${body.subsystem}.${body.name}`,
    x: reader.read(Float32Array, n),
    y: reader.read(Float32Array, n),
    z: reader.read(Float32Array, n),
    q: reader.read(Int16Array, 4 * n),
  }));
  const counts = reader.read(Uint32Array, n);
  const offsets = new Uint32Array(n + 1);
  for (let k = 0; k < n; k++) offsets[k + 1] = offsets[k] + counts[k];
  const contacts = {
    names: scene.contacts,
    offsets,
    index: reader.read(Uint32Array, scene.contact_samples),
    points: reader.read(Float32Array, 3 * scene.contact_samples),
    forces: reader.read(Float32Array, 3 * scene.contact_samples),
  };
  return { ...scene, times, bodies, contacts };
}

async function decodeEnergy(energy, text) {
  const reader = await readerOf(text);
  const times = reader.read(Float64Array, energy.samples);
  return energy.list.map((column) => ({ ...column, times, values: reader.read(Float64Array, energy.samples) }));
}

/// The whole report from the four texts of the page.
export async function decodeReport(texts) {
  const data = JSON.parse(texts.data);
  if (data.version !== 1) throw new Error(`this page reads version 1 of the data, not version ${data.version}`);
  const [columns, scene, energy] = await Promise.all([
    decodeColumns(data.columns, texts.columns),
    data.scene ? decodeScene(data.scene, texts.scene) : null,
    data.energy ? decodeEnergy(data.energy, texts.energy) : [],
  ]);
  return {
    title: data.title,
    summary: data.summary ?? {},
    stride: data.columns.stride ?? 1,
    leftOut: data.columns.left_out ?? 0,
    recordedRows: data.columns.recorded_rows ?? data.columns.rows,
    times: columns.length > 0 ? columns[0].values : new Float64Array(0),
    columns: columns.slice(1),
    events: data.events?.list ?? [],
    eventsTotal: data.events?.total ?? 0,
    figures: data.figures ?? [],
    scene,
    energy,
  };
}
