// The keys that go through the moves of a page. Pure, except for reading the event.

/** Elements that handle keys themselves. */
const WRITERS = "input:not([type=checkbox]), textarea, select";

/** The key, if it is for the page: not handled already, without modifiers, and not typed into a field. */
export function pageKey(event: KeyboardEvent): string | null {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return null;
  const [source] = event.composedPath();
  return source instanceof Element && source.matches(WRITERS) ? null : event.key;
}

/** The ply to show for a key, given the shown `ply` and the `last` one; null for other keys. */
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
