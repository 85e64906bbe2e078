// What an embedded element takes from the page around it: its height, and colours that override the defaults.
// Called by the embedded elements.
import type { LitElement } from "lit";
import type { BoardElement } from "../boards";

/** Sets a game's colours as defaults, which the page can override on the element. */
export function paint(sheet: CSSStyleSheet, { colours = {} }: BoardElement): void {
  const rules = Object.entries(colours).map(([name, colour]) => `${name}: ${colour};`);
  sheet.replaceSync(`:host { ${rules.join(" ")} }`);
}

/** Gives the board the element's height, or the window's if the page gives it none, minus that of the caption below it. */
export function fitBoard(element: LitElement, board: BoardElement | null): void {
  const parts = element.renderRoot.querySelectorAll<HTMLElement>(".whole, .field, .caption");
  const [whole, field, caption] = parts;
  if (whole === undefined || field === undefined || caption === undefined || board === null) return;
  const height = givenHeight(element, whole) ?? window.innerHeight;
  const room = Math.max(0, height - caption.offsetHeight);
  field.style.setProperty("--board-room", `${room}px`);
  field.style.setProperty("--board-width", `${board.widthFor(room)}px`);
}

/** The height in pixels that the page gives an element, independent of its `contents`; null if it depends on them. */
function givenHeight(element: HTMLElement, contents: HTMLElement): number | null {
  const { style } = element;
  const { alignSelf, minHeight } = style;
  contents.hidden = true;
  Object.assign(style, { alignSelf: "start", minHeight: "0" });
  const height = element.clientHeight;
  Object.assign(style, { alignSelf, minHeight });
  contents.hidden = false;
  return height > 0 ? height : null;
}
