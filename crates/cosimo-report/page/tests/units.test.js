import assert from "node:assert/strict";
import { test } from "node:test";
import { countText, degreeTicks, logTicks, numberText, prefixed, ticks, tickText, valueText } from "../units.js";

test("ticks are multiples of 1, 2 or 5 times a power of ten, three or more, inside the range", () => {
  for (const [low, high] of [[0, 1], [-3.2e-5, 4.1e-5], [1234.5, 1236], [-7e9, 2e8], [0.6, 0.61], [-4.7e-5, 4.7e-5]]) {
    for (const count of [4, 5, 8]) {
      const { step, values } = ticks(low, high, count);
      const digit = step / 10 ** Math.floor(Math.log10(step) + 1e-9);
      assert.ok([1, 2, 5].some((d) => Math.abs(digit - d) < 1e-9), `${step}`);
      assert.ok(values.length >= 2 && values.length <= 2 * count + 1, `${low} ${high} ${values}`);
      for (const v of values) assert.ok(v >= low - 1e-6 * step && v <= high + 1e-6 * step && Math.abs(v / step - Math.round(v / step)) < 1e-6);
    }
  }
  assert.deepEqual(degreeTicks(0, 360, 8).values, [0, 45, 90, 135, 180, 225, 270, 315, 360]);
  assert.deepEqual(logTicks(2e-4, 30, 10).map((v) => Math.round(Math.log10(v))), [-3, -2, -1, 0, 1]);
});

test("the prefix makes the largest tick read between 1 and 1000", () => {
  const label = (unit, largest) => prefixed(unit, largest).label;
  assert.deepEqual([3e-5, 2e-3, 0.4, 1, 999, 2500].map((v) => label("m", v)), ["µm", "mm", "mm", "m", "m", "km"]);
  assert.deepEqual([2e4, 3e6].map((v) => label("N", v)), ["kN", "MN"]);
  assert.equal(label("N m", 2400), "kN m");
  assert.equal(label("N s", 0.02), "mN s");
  assert.equal(label("m/s", 0.05), "mm/s");
  assert.equal(label("m/s", 1e-3), "mm/s");
  for (const v of [1e-3, 1e-6, 5e4, 123]) {
    const { factor } = prefixed("J", v);
    assert.ok(v * factor >= 1 && v * factor < 1000);
  }
});

test("no prefix for angles, pure numbers, kilograms, compounds over others; powers of ten instead", () => {
  for (const unit of ["rad", "deg", "rad/s", "kg", "kg m2", "N m/rad", "kg m/s"]) {
    assert.deepEqual(prefixed(unit, 0.2), { factor: 1, label: unit });
    assert.equal(prefixed(unit, 2e-5).label, `10⁻⁶ ${unit}`);
  }
  for (const unit of ["", "1"]) assert.deepEqual([prefixed(unit, 3).label, prefixed(unit, 2e6).label], ["–", "10⁶"]);
  assert.equal(prefixed("s", 4000).label, "s");
  assert.equal(prefixed("s", 4e-3).label, "ms");
  assert.deepEqual(prefixed("m", 0), { factor: 1, label: "m" });
});

test("texts of ticks and values", () => {
  assert.deepEqual([tickText(0.30000000000000004, 0.1), tickText(-0, 1), tickText(-20, 10), tickText(1.5, 0.5)], ["0.3", "0", "−20", "1.5"]);
  assert.deepEqual([0, 1.5, -2.25, 1234567, 4.2e-7, null, NaN].map((v) => numberText(v)), ["0", "1.5", "−2.25", "1.23·10⁶", "4.20·10⁻⁷", "–", "–"]);
  assert.deepEqual([numberText(100), numberText(20000), numberText(0.1 + 0.2)], ["100", "20000", "0.3"]);
  assert.deepEqual([valueText(0.0123, "m"), valueText(2e4, "N"), valueText(0.5, "rad"), valueText(3, "1"), valueText(null, "m")], ["12.3 mm", "20 kN", "0.5 rad", "3", "–"]);
  assert.equal(countText(1234567), "1\u202f234\u202f567");
});
