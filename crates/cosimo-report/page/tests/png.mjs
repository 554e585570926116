// Pixels of a PNG with 8 bits per channel, not interlaced (what Chromium takes).
import { inflateSync } from "node:zlib";

function paeth(a, b, c) {
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/// Width, height, bytes per pixel, and the bytes row by row.
export function decodePng(buffer) {
  const parts = [];
  let [width, height, channels] = [0, 0, 0];
  for (let at = 8; at < buffer.length;) {
    const length = buffer.readUInt32BE(at);
    const type = buffer.toString("latin1", at + 4, at + 8);
    const body = buffer.subarray(at + 8, at + 8 + length);
    if (type === "IHDR") {
      [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
      channels = { 2: 3, 6: 4 }[body[9]];
      if (body[8] !== 8 || !channels || body[12] !== 0) throw new Error("a PNG of another kind");
    }
    if (type === "IDAT") parts.push(body);
    at += 12 + length;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const row = width * channels;
  const pixels = new Uint8Array(height * row);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (row + 1)];
    for (let x = 0; x < row; x++) {
      const value = raw[y * (row + 1) + 1 + x];
      const a = x >= channels ? pixels[y * row + x - channels] : 0;
      const b = y > 0 ? pixels[(y - 1) * row + x] : 0;
      const c = x >= channels && y > 0 ? pixels[(y - 1) * row + x - channels] : 0;
      pixels[y * row + x] = value + [0, a, b, (a + b) >> 1, paeth(a, b, c)][filter];
    }
  }
  return { width, height, channels, pixels };
}

/// How many different colours a picture has.
export function colorsOf({ channels, pixels }) {
  const seen = new Set();
  for (let k = 0; k < pixels.length; k += channels) seen.add((pixels[k] << 16) | (pixels[k + 1] << 8) | pixels[k + 2]);
  return seen.size;
}

/// How many pixels of two pictures of one size differ by more than a little.
export function differingPixels(a, b) {
  let count = 0;
  for (let k = 0; k < a.pixels.length; k += a.channels) {
    const d = Math.abs(a.pixels[k] - b.pixels[k]) + Math.abs(a.pixels[k + 1] - b.pixels[k + 1]) + Math.abs(a.pixels[k + 2] - b.pixels[k + 2]);
    if (d > 24) count += 1;
  }
  return count;
}
