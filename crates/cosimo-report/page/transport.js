// The bar with which time is controlled, and its keys.
import { choice, element, icon, redrawOn, fitCanvas, toggle } from "./dom.js";
import { SPEEDS } from "./player.js";
import { themeColor } from "./palette.js";
import { valueText } from "./units.js";

function timeText(time, full) {
  const decimals = Math.min(9, Math.max(0, 3 - Math.floor(Math.log10(Math.max(full[1] - full[0], 1e-9)))));
  return `${time.toFixed(decimals)} s`;
}

/// What happened at a time: the events there, in words.
export function eventText(event) {
  const speeds = event.velocity_before ?? null;
  const jump = speeds === null ? "" : `, ${valueText(event.velocity_before, "m/s", 3)} → ${valueText(event.velocity_after, "m/s", 3)}`;
  const impulse = event.impulse ? `, ${valueText(event.impulse, "N s", 3)}` : "";
  return `${event.kind} ${event.contact}${event.kind === "impact" ? jump + impulse : ""}`;
}

class ScrubBar {
  constructor(timeline, player) {
    this.timeline = timeline;
    this.player = player;
    this.marks = element("canvas", { class: "marks" });
    this.knob = element("div", { class: "knob" });
    this.fill = element("div", { class: "fill" });
    this.view = element("div", { class: "view", hidden: true, title: "what the figures show" });
    this.node = element("div", {
      class: "scrub", role: "slider", tabindex: 0, "aria-label": "time",
      pointerdown: (event) => this.grab(event),
      pointermove: (event) => { if (this.held) this.follow(event); },
      pointerup: () => { this.held = false; },
      pointercancel: () => { this.held = false; },
    }, this.marks, element("div", { class: "track" }, this.fill), this.view, this.knob);
    redrawOn(this.node, () => this.drawMarks());
  }

  grab(event) {
    this.held = true;
    this.node.setPointerCapture(event.pointerId);
    this.player.pause();
    this.follow(event);
  }

  follow(event) {
    const box = this.node.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    const [a, b] = this.timeline.full;
    this.player.seek(a + share * (b - a));
  }

  drawMarks() {
    const { width, height, ratio } = fitCanvas(this.marks);
    const context = this.marks.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.fillStyle = themeColor("impact");
    const [a, b] = this.timeline.full;
    let last = -2;
    for (const t of this.player.impacts) {
      const x = Math.round(((t - a) / (b - a)) * width);
      if (x - last < 2) continue;
      context.fillRect(Math.min(x, width - 1), 0, 1, 7);
      last = x;
    }
  }

  /// Shows which part of the time the figures show.
  showRange() {
    const { full: [a, b], range, zoomed } = this.timeline;
    this.view.hidden = !zoomed;
    this.view.style.left = `${(100 * (range[0] - a)) / (b - a)}%`;
    this.view.style.width = `${(100 * (range[1] - range[0])) / (b - a)}%`;
  }

  update() {
    const [a, b] = this.timeline.full;
    const share = b > a ? (this.timeline.time - a) / (b - a) : 0;
    this.fill.style.width = `${100 * share}%`;
    this.knob.style.left = `${100 * share}%`;
    this.node.setAttribute("aria-valuenow", String(this.timeline.time));
  }
}

function button(name, title, onClick, disabled = false) {
  return element("button", { class: "tool", title, "aria-label": title, click: onClick, disabled }, icon(name));
}

function eventsNear(events, time, within) {
  return events.filter((e) => Math.abs(e.t - time) <= within);
}

/// Fills the bar and keeps it as the player is.
export function showTransport(bar, timeline, player, events) {
  const scrub = new ScrubBar(timeline, player);
  const none = player.impacts.length === 0;
  const playing = button("play", "play or pause (space)", () => (player.playing ? player.pause() : player.play()));
  playing.classList.add("primary");
  const clock = element("output", { class: "clock" });
  const happened = element("span", { class: "happened" });
  const speeds = choice("speed", SPEEDS.map((s) => [String(s), `${s}×`]), String(player.speed), (s) => { player.speed = Number(s); });
  const whole = element("button", {
    class: "small unzoom", text: "whole run", title: "all figures over the whole run again", hidden: true, click: () => timeline.resetRange(),
  });
  timeline.on("range", () => {
    whole.hidden = !timeline.zoomed;
    scrub.showRange();
  });
  bar.append(
    element("div", { class: "buttons" },
      button("previous", "impact before (p)", () => player.previousImpact(), none),
      button("back", "frame before (←)", () => player.step(-1)),
      playing,
      button("forward", "next frame (→)", () => player.step(1)),
      button("next", "next impact (n)", () => player.nextImpact(), none)),
    element("div", { class: "time" }, clock, happened),
    scrub.node,
    whole,
    speeds,
    toggle("loop", player.loop, (on) => { player.loop = on; }),
  );
  const within = 1e-6 * (timeline.full[1] - timeline.full[0]);
  const update = () => {
    clock.value = timeText(timeline.time, timeline.full);
    scrub.update();
    const near = player.playing ? [] : eventsNear(events, timeline.time, within);
    happened.textContent = near.length > 0 ? eventText(near[0]) + (near.length > 1 ? ` (+${near.length - 1})` : "") : "";
    happened.title = near.map(eventText).join("\n");
  };
  player.onChange = () => {
    playing.replaceChildren(icon(player.playing ? "pause" : "play"));
    update();
  };
  timeline.on("time", update);
  update();
}

/// Space, arrows (with shift: ten frames), n and p, home and end; not where text is typed.
export function listenToKeys(player, timeline) {
  const actions = {
    " ": () => (player.playing ? player.pause() : player.play()),
    ArrowRight: (event) => player.step(event.shiftKey ? 10 : 1),
    ArrowLeft: (event) => player.step(event.shiftKey ? -10 : -1),
    n: () => player.nextImpact(),
    p: () => player.previousImpact(),
    Home: () => player.seek(timeline.full[0]),
    End: () => player.seek(timeline.full[1]),
  };
  document.addEventListener("keydown", (event) => {
    const target = event.target;
    const typing = target.closest("input:not([type=checkbox]), select, textarea, [contenteditable]");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !(event.key in actions)) return;
    if (event.key === " " && target.closest("button, summary, input")) target.blur();
    event.preventDefault();
    actions[event.key](event);
  });
}

