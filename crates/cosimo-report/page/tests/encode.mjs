// Writes arrays as the report does: byte-shuffled, compressed, in base64.
import { deflateSync } from "node:zlib";

export function shuffled(array) {
  const width = array.BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  const out = new Uint8Array(bytes.length);
  for (let k = 0; k < array.length; k++) for (let b = 0; b < width; b++) out[b * array.length + k] = bytes[k * width + b];
  return out;
}

export function encoded(arrays) {
  return deflateSync(Buffer.concat(arrays.map(shuffled)), { level: 6 }).toString("base64");
}
