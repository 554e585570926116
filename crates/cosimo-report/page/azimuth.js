// A quantity over an angle folded into one turn.

/// Degrees from 0 to 360 of angles (radians, or degrees where `unit` is "deg"), with the values; a point that is not a number stands
/// where a new turn begins, so that no line crosses the figure. `turns` is the number of the turn of each point.
export function foldOverAngle(angles, values, unit, start, end) {
  const perTurn = unit === "deg" ? 360 : 2 * Math.PI;
  const x = [];
  const y = [];
  const turns = [];
  const rows = [];
  let turn = null;
  for (let k = start; k < end; k++) {
    if (!Number.isFinite(angles[k])) continue;
    const now = Math.floor(angles[k] / perTurn);
    if (turn !== null && now !== turn) {
      x.push(NaN);
      y.push(NaN);
      turns.push(now);
      rows.push(k);
    }
    x.push((360 * (angles[k] - now * perTurn)) / perTurn);
    y.push(values[k]);
    turns.push(now);
    rows.push(k);
    turn = now;
  }
  return { x: Float64Array.from(x), y: Float64Array.from(y), turns: Int32Array.from(turns), rows: Uint32Array.from(rows) };
}
