// The time shown, the range zoomed to, and the time under the pointer: what figures, view and player have in common.

export class Timeline {
  constructor(start, end) {
    this.full = [start, end];
    this.range = [start, end];
    this.time = start;
    this.hover = null;
    this.listeners = { time: [], range: [], hover: [] };
  }

  on(what, listener) {
    this.listeners[what].push(listener);
  }

  tell(what) {
    for (const listener of this.listeners[what]) listener();
  }

  setTime(time) {
    this.time = Math.min(this.full[1], Math.max(this.full[0], time));
    this.tell("time");
  }

  setRange(from, to) {
    const [a, b] = this.full;
    const span = Math.min(b - a, Math.max(to - from, (b - a) * 1e-7));
    const start = Math.min(Math.max(from, a), b - span);
    this.range = [start, start + span];
    this.tell("range");
  }

  resetRange() {
    this.setRange(...this.full);
  }

  get zoomed() {
    return this.range[0] > this.full[0] || this.range[1] < this.full[1];
  }

  setHover(time) {
    this.hover = time;
    this.tell("hover");
  }
}
