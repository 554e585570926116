// Plays the time: as fast as the clock times a speed, by frames, from impact to impact.
import { indexAt } from "./poses.js";

export const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

/// The largest speed up to real time at which a run of this length is seen for three seconds.
export function firstSpeed(duration) {
  return SPEEDS.filter((s) => s <= 1 && duration / s > 2.99).pop() ?? SPEEDS[0];
}

/// Different instants of events of a kind, ascending.
export function instantsOf(events, kind) {
  const times = events.filter((e) => e.kind === kind && Number.isFinite(e.t)).map((e) => e.t);
  return [...new Set(times)].sort((a, b) => a - b);
}

export class Player {
  constructor(timeline, frames, impacts) {
    this.timeline = timeline;
    this.frames = frames;
    this.impacts = impacts;
    this.speed = firstSpeed(timeline.full[1] - timeline.full[0]);
    this.loop = false;
    this.playing = false;
    this.onChange = () => {};
  }

  play() {
    if (this.playing) return;
    const { full, time } = this.timeline;
    if (time >= full[1]) this.timeline.setTime(full[0]);
    this.playing = true;
    this.last = null;
    this.onChange();
    requestAnimationFrame((now) => this.tick(now));
  }

  pause() {
    this.playing = false;
    this.onChange();
  }

  tick(now) {
    if (!this.playing) return;
    const { full } = this.timeline;
    const elapsed = this.last === null ? 0 : Math.min(0.25, (now - this.last) / 1000);
    this.last = now;
    let time = this.timeline.time + elapsed * this.speed;
    if (time >= full[1]) {
      if (this.loop && full[1] > full[0]) time = full[0];
      else this.pause();
    }
    this.timeline.setTime(time);
    if (this.playing) requestAnimationFrame((next) => this.tick(next));
  }

  seek(time) {
    this.timeline.setTime(time);
  }

  /// Goes a number of frames on (or back) and stops.
  step(count) {
    this.pause();
    if (this.frames.length === 0) return;
    const time = this.timeline.time;
    let k = indexAt(this.frames, time);
    if (count < 0 && this.frames[k] < time) k += 1;
    this.seek(this.frames[Math.min(this.frames.length - 1, Math.max(0, k + count))]);
  }

  /// Goes to the first impact after the time shown; false where there is none.
  nextImpact() {
    return this.jump(this.impacts.find((t) => t > this.timeline.time + this.small()));
  }

  previousImpact() {
    return this.jump(this.impacts.filter((t) => t < this.timeline.time - this.small()).pop());
  }

  jump(time) {
    if (time === undefined) return false;
    this.pause();
    this.seek(time);
    return true;
  }

  small() {
    return 1e-9 * (this.timeline.full[1] - this.timeline.full[0]);
  }
}
