// What the keys of a page with a move list do. Pure but for reading the event.

/** Elements that keep the keys for themselves. */
const WRITERS = "input:not([type=checkbox]), textarea, select";

/** The key, if it is for the page: neither taken already nor pressed with others or in a field. */
export function pageKey(event: KeyboardEvent): string | null {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return null;
  const [source] = event.composedPath();
  return source instanceof Element && source.matches(WRITERS) ? null : event.key;
}

/** The ply that a key asks for, seen from `ply` of `last`; null if the key means something else. */
export function browsedPly(event: KeyboardEvent, ply: number, last: number): number | null {
  switch (pageKey(event)) {
    case "ArrowLeft":
      return ply - 1;
    case "ArrowRight":
      return ply + 1;
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return null;
  }
}
