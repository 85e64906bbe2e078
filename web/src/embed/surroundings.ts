// What an embedded element takes from the page around it: the height that it is given, and colours that the page may
// overrule. Called by the embedded elements.
import type { BoardElement } from "../boards";

/** The colours of a game as defaults: whatever the page sets on the element counts more. */
export function paint(sheet: CSSStyleSheet, { colours = {} }: BoardElement): void {
  const rules = Object.entries(colours).map(([name, colour]) => `${name}: ${colour};`);
  sheet.replaceSync(`:host { ${rules.join(" ")} }`);
}

/** The height in pixels that the page gives an element whatever `contents` it has; null: it is as high as they are. */
export function givenHeight(element: HTMLElement, contents: HTMLElement): number | null {
  const { style } = element;
  const { alignSelf, minHeight } = style;
  contents.hidden = true;
  Object.assign(style, { alignSelf: "start", minHeight: "0" });
  const height = element.clientHeight;
  Object.assign(style, { alignSelf, minHeight });
  contents.hidden = false;
  return height > 0 ? height : null;
}
