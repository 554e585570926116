// Pointer and wheel over a panel: drag a range to zoom, drag with shift or on the axis to move, click to go there.

const LEAST_DRAG = 5;

/// `actions`: hover(px, py) and leave(), pick(x), zoom(x range, y range or null), move(part of the x range), scale(factor, x), reset(),
/// drag(box or null).
export function listenToChart(chart, actions) {
  const node = chart.over;
  const { options } = chart;
  let held = null;
  const place = (event) => {
    const box = node.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const boxOf = (to) => {
    const { plot } = chart;
    const clamp = (v, low, high) => Math.min(high, Math.max(low, v));
    const [x0, x1] = [held.x, to.x].map((x) => clamp(x, plot.left, plot.right)).sort((a, b) => a - b);
    const free = !options.ascending && Math.abs(to.y - held.y) > LEAST_DRAG;
    const [y0, y1] = free ? [held.y, to.y].map((y) => clamp(y, plot.top, plot.bottom)).sort((a, b) => a - b) : [plot.top, plot.bottom];
    return { left: x0, top: y0, width: x1 - x0, height: y1 - y0, free };
  };
  const far = (at) => Math.abs(at.x - held.x) > LEAST_DRAG || (!options.ascending && Math.abs(at.y - held.y) > LEAST_DRAG);
  const finish = (at) => {
    if (held.moves) return;
    if (!far(at)) {
      actions.pick(chart.fromX(at.x));
      return;
    }
    const box = boxOf(at);
    if (box.width < 2) return;
    actions.zoom([chart.fromX(box.left), chart.fromX(box.left + box.width)],
      box.free ? [chart.fromY(box.top + box.height), chart.fromY(box.top)] : null);
  };
  node.addEventListener("pointerdown", (event) => {
    const at = place(event);
    held = { ...at, moves: event.shiftKey || event.button !== 0 || at.y > chart.plot.bottom };
    node.setPointerCapture(event.pointerId);
  });
  node.addEventListener("pointermove", (event) => {
    const at = place(event);
    if (!held) {
      const { plot } = chart;
      if (at.x >= plot.left && at.x <= plot.right) actions.hover(at.x, at.y);
      else actions.leave();
    } else if (held.moves) {
      actions.move((held.x - at.x) / (chart.plot.right - chart.plot.left));
      held.x = at.x;
    } else if (far(at)) actions.drag(boxOf(at));
  });
  node.addEventListener("pointerup", (event) => {
    if (held) finish(place(event));
    held = null;
    actions.drag(null);
  });
  node.addEventListener("pointercancel", () => {
    held = null;
    actions.drag(null);
  });
  node.addEventListener("pointerleave", () => { if (!held) actions.leave(); });
  node.addEventListener("dblclick", () => actions.reset());
  node.addEventListener("contextmenu", (event) => event.preventDefault());
  node.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey && Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return;
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) actions.scale(Math.exp(event.deltaY * 0.003), chart.fromX(place(event).x));
    else actions.move(event.deltaX * 0.001);
  }, { passive: false });
}
