// Keyboard focus on a page whose buttons appear, disappear and are disabled. Called by the pages; boards manage theirs.

/** Selector of everything that the Tab key reaches. */
const STOPS = "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), [tabindex='0']";

interface Place {
  readonly element: HTMLElement;
  readonly x: number;
  readonly y: number;
}

/** The element within `root` that has keyboard focus, unless it is on the board; null if there is none. */
export function focusOf(root: Node, board: Node | null): Place | null {
  const element = focused();
  if (!(element instanceof HTMLElement) || !element.matches(":focus-visible")) return null;
  if (!isWithin(element, root) || (board !== null && isWithin(element, board))) return null;
  return { element, ...middleOf(element) };
}

/** Restores a lost focus to the element or, if that is gone, to the nearest focusable one. */
export function refocus(root: ParentNode, { element, x, y }: Place): void {
  if (!isFocusLost()) return;
  element.focus();
  if (!isFocusLost()) return;
  const distance = (stop: Element): number => {
    const middle = middleOf(stop);
    return Math.hypot(middle.x - x, middle.y - y);
  };
  const visible = stopsIn(root).filter((stop) => stop.checkVisibility());
  visible.toSorted((a, b) => distance(a) - distance(b))[0]?.focus();
}

/** The focused element, looking into shadow roots. */
function focused(): Element | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement != null) element = element.shadowRoot.activeElement;
  return element;
}

/** Browsers remove the focus from disabled elements, some later than others. */
function isFocusLost(): boolean {
  const element = focused();
  return element === null || element === document.body || element.matches(":disabled");
}

function isWithin(element: Node, root: Node): boolean {
  const { host } = element.getRootNode() as Partial<ShadowRoot>;
  return root.contains(element) || (host !== undefined && isWithin(host, root));
}

function stopsIn(root: ParentNode): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>("*")].flatMap((element) => [
    ...(element.matches(STOPS) ? [element] : []),
    ...(element.shadowRoot === null ? [] : stopsIn(element.shadowRoot)),
  ]);
}

function middleOf(element: Element): { x: number; y: number } {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}
