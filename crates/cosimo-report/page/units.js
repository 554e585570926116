// Ticks of an axis, and units with prefixes: the largest tick reads between 1 and 1000.

const PREFIXES = [["p", -12], ["n", -9], ["µ", -6], ["m", -3], ["", 0], ["k", 3], ["M", 6], ["G", 9], ["T", 12]];
const PREFIXABLE = new Set(["m", "s", "N", "J", "W", "Pa", "Hz", "A", "V", "K"]);
const SMALL_ONLY = new Set(["s", "K"]);

/// Steps of 1, 2 or 5 times a power of ten, about `count` of them between low and high.
export function ticks(low, high, count) {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return { step: 1, values: [low] };
  const raw = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw));
  const share = raw / power;
  return multiples(low, high, power * (share <= 1.4 ? 1 : share <= 3 ? 2 : share <= 7 ? 5 : 10));
}

function multiples(low, high, step) {
  const values = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) values.push(k * step + 0);
  return { step, values };
}

/// Ticks of an angle in degrees: parts of a turn where the range is wide.
export function degreeTicks(low, high, count) {
  const step = [15, 30, 45, 90, 180, 360].find((s) => (high - low) / s <= count);
  return step && high - low > 60 ? multiples(low, high, step) : ticks(low, high, count);
}

/// Ticks at powers of ten, thinned to about `count`.
export function logTicks(low, high, count) {
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  const stride = Math.max(1, Math.ceil((last - first + 1) / count));
  const values = [];
  for (let k = first; k <= last; k++) if ((k - first) % stride === 0) values.push(10 ** k);
  return values;
}

function canCarry(unit, exponent) {
  const head = unit.split("/")[0].trim();
  const symbols = head.split(/[\s·*]+/);
  if (!PREFIXABLE.has(symbols[0])) return false;
  if (unit.includes("/") && symbols.length > 1) return false;
  return exponent < 0 || !SMALL_ONLY.has(symbols[0]);
}

/// Factor and label for values of a unit of which the largest is `largest`: what is shown is value · factor.
export function prefixed(unit, largest) {
  const plain = unit === "" || unit === "1" ? "–" : unit;
  const size = Math.abs(largest);
  if (!(size > 0) || !Number.isFinite(size)) return { factor: 1, label: plain };
  const thousands = Math.floor(Math.log10(size * (1 + 1e-9)) / 3) * 3;
  const exponent = Math.min(12, Math.max(-12, thousands));
  if (exponent === 0) return { factor: 1, label: plain };
  if (canCarry(unit, exponent)) {
    const prefix = PREFIXES.find((p) => p[1] === exponent)[0];
    return { factor: 10 ** -exponent, label: prefix + unit };
  }
  if (size >= 1e4 || size < 1e-2) {
    const label = `10${superscript(thousands)}`;
    return { factor: 10 ** -thousands, label: plain === "–" ? label : `${label} ${plain}` };
  }
  return { factor: 1, label: plain };
}

export function superscript(number) {
  return String(number).replace("-", "⁻").replace(/\d/g, (d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[d]);
}

/// A tick in shown units: as many decimals as the step needs.
export function tickText(value, step) {
  const decimals = Math.min(9, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  const text = value.toFixed(decimals);
  return /^-0(\.0*)?$/.test(text) ? text.slice(1) : text.replace("-", "−");
}

/// A number with a few significant digits, "–" where there is none.
export function numberText(value, digits = 4) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size < 1e-4 || size >= 1e6) {
    const [mantissa, exponent] = value.toExponential(Math.max(0, digits - 2)).split("e");
    return `${mantissa.replace("-", "−")}·10${superscript(Number(exponent))}`;
  }
  const text = value.toPrecision(digits);
  return (text.includes(".") && !text.includes("e") ? text.replace(/\.?0+$/, "") : String(Number(text))).replace("-", "−");
}

/// A value with its unit, prefixed where that reads better.
export function valueText(value, unit, digits = 4) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const { factor, label } = canCarry(unit, -3) ? prefixed(unit, value) : { factor: 1, label: unit === "1" ? "" : unit };
  return `${numberText(value * factor, digits)} ${label === "–" ? "" : label}`.trim();
}

/// Whole numbers with thin spaces between thousands.
export function countText(value) {
  if (value === null || value === undefined) return "–";
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}
