// Discrete Fourier transforms of any length: powers of two directly, others by Bluestein's convolution.

function radix2(re, im) {
  const n = re.length;
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [re[i], re[j]] = [re[j], re[i]];
      [im[i], im[j]] = [im[j], im[i]];
    }
  }
  const cosines = Float64Array.from({ length: n / 2 }, (_, k) => Math.cos((2 * Math.PI * k) / n));
  const sines = Float64Array.from({ length: n / 2 }, (_, k) => -Math.sin((2 * Math.PI * k) / n));
  for (let size = 2; size <= n; size *= 2) {
    const stride = n / size;
    for (let start = 0; start < n; start += size) {
      for (let k = 0, w = 0; k < size / 2; k++, w += stride) {
        const a = start + k;
        const b = a + size / 2;
        const x = re[b] * cosines[w] - im[b] * sines[w];
        const y = re[b] * sines[w] + im[b] * cosines[w];
        re[b] = re[a] - x;
        im[b] = im[a] - y;
        re[a] += x;
        im[a] += y;
      }
    }
  }
}

function bluestein(re, im) {
  const n = re.length;
  let m = 1;
  while (m < 2 * n - 1) m *= 2;
  const wr = new Float64Array(n);
  const wi = new Float64Array(n);
  for (let k = 0, square = 0; k < n; square = (square + 2 * k + 1) % (2 * n), k++) {
    wr[k] = Math.cos((Math.PI * square) / n);
    wi[k] = -Math.sin((Math.PI * square) / n);
  }
  const [ar, ai, br, bi] = [0, 1, 2, 3].map(() => new Float64Array(m));
  for (let k = 0; k < n; k++) {
    ar[k] = re[k] * wr[k] - im[k] * wi[k];
    ai[k] = re[k] * wi[k] + im[k] * wr[k];
    br[k] = wr[k];
    bi[k] = -wi[k];
    if (k > 0) [br[m - k], bi[m - k]] = [br[k], bi[k]];
  }
  radix2(ar, ai);
  radix2(br, bi);
  for (let k = 0; k < m; k++) {
    const x = ar[k] * br[k] - ai[k] * bi[k];
    ai[k] = -(ar[k] * bi[k] + ai[k] * br[k]);
    ar[k] = x;
  }
  radix2(ar, ai);
  for (let k = 0; k < n; k++) {
    const x = ar[k] / m;
    const y = -ai[k] / m;
    re[k] = x * wr[k] - y * wi[k];
    im[k] = x * wi[k] + y * wr[k];
  }
}

/// Transforms in place: X_k = Σ x_j exp(−2πi jk/n).
export function fourier(re, im) {
  const n = re.length;
  if (n < 2) return;
  if ((n & (n - 1)) === 0) radix2(re, im);
  else bluestein(re, im);
}
