// Mouse, wheel and touch turn, move and zoom the camera.

/// Left button or one finger turns; right or middle button, or shift, moves; wheel or two fingers zoom (two fingers move as well).
export function listenToCamera(node, camera) {
  const pointers = new Map();
  const middle = () => {
    const list = [...pointers.values()];
    const x = list.reduce((sum, p) => sum + p.x, 0) / list.length;
    const y = list.reduce((sum, p) => sum + p.y, 0) / list.length;
    const spread = list.length > 1 ? Math.hypot(list[0].x - list[1].x, list[0].y - list[1].y) : 0;
    return { x, y, spread };
  };
  node.addEventListener("pointerdown", (event) => {
    if (event.target.closest("button, label, select, a")) return;
    node.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    node.focus({ preventScroll: true });
  });
  node.addEventListener("pointermove", (event) => {
    if (!pointers.has(event.pointerId)) return;
    const before = middle();
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const after = middle();
    const height = node.clientHeight;
    const [dx, dy] = [(after.x - before.x) / height, (after.y - before.y) / height];
    const moves = pointers.size > 1 || event.shiftKey || (event.buttons & 6) !== 0;
    if (moves) camera.pan(dx, dy);
    else camera.turn(dx * Math.PI, dy * Math.PI);
    if (before.spread > 0 && after.spread > 0) camera.zoom(before.spread / after.spread);
  });
  for (const end of ["pointerup", "pointercancel"]) node.addEventListener(end, (event) => pointers.delete(event.pointerId));
  node.addEventListener("contextmenu", (event) => event.preventDefault());
  node.addEventListener("wheel", (event) => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 30 : 1;
    const box = node.getBoundingClientRect();
    const right = (event.clientX - box.left - box.width / 2) / box.height;
    const up = 0.5 - (event.clientY - box.top) / box.height;
    camera.zoom(Math.exp(Math.min(240, Math.max(-240, event.deltaY * lines)) * 0.0015), right, up);
  }, { passive: false });
}
