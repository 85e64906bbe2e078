// Lets many changes be drawn at once.

/** Calls `action` in the next frame, once for all calls until then. */
export function onceAFrame(action: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      action();
    });
  };
}
