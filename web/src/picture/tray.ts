// The reserve of a player, which boards show as a row of small pictures with numbers above or below the board.
// Called by the picture of a board.
import type { Style } from "./cascade";
import { escaped, styleOf, written } from "./plain-svg";
import type { Node } from "./template";

/** The height of a row and its gap to the board, where a picture is 600 units wide. */
export const ROW = 46;
export const ROW_GAP = 6;

const SLOT_GAP = 4;
const COUNT = { radius: 9, size: 12 } as const;
const WORDS = 14;

/** Draws the row with its upper left corner at the origin. */
export function drawTray(tray: Node, style: Style): string {
  return elementsIn(tray)
    .map((slot, index) => {
      const within = styleOf(slot, style);
      return `<g transform="translate(${index * (ROW + SLOT_GAP)} 0)">${drawSlot(slot, within)}</g>`;
    })
    .join("\n");
}

function drawSlot(slot: Node, style: Style): string {
  const [picture, count] = elementsIn(slot);
  if (picture === undefined) return drawFrame(textIn(slot), style);
  const face = `<svg width="${ROW}" height="${ROW}" viewBox="${escaped(picture.attributes.viewBox ?? "")}">
${written(picture.children, styleOf(picture, style))}</svg>`;
  return count === undefined ? face : `${face}${drawCount(textIn(count), styleOf(count, style))}`;
}

/** A place without a piece. */
function drawFrame(text: string, style: Style): string {
  const colour = style.resolve("var(--line)") ?? "";
  const words = style.resolve(style.get("color") ?? "var(--ink-soft)") ?? "";
  return `<rect x="1" y="1" width="${ROW - 2}" height="${ROW - 2}" rx="8" fill="none" stroke="${colour}" stroke-dasharray="4 3"/>
<text x="${ROW / 2}" y="${ROW / 2 + 5}" font-size="${WORDS}" text-anchor="middle" fill="${words}">${escaped(text)}</text>`;
}

function drawCount(text: string, style: Style): string {
  const at = ROW - COUNT.radius;
  return `<circle cx="${at}" cy="${at}" r="${COUNT.radius}" fill="${escaped(style.get("background") ?? "")}"/>
<text x="${at}" y="${at + 4.3}" font-size="${COUNT.size}" font-weight="700" text-anchor="middle" fill="${escaped(style.get("color") ?? "")}">${escaped(text)}</text>`;
}

function elementsIn({ children }: Node): Node[] {
  return children.filter((child) => typeof child !== "string");
}

function textIn({ children }: Node): string {
  return children
    .filter((child) => typeof child === "string")
    .join("")
    .trim();
}
