// Entry point of the script that draws positions without a page: it sets `draw`, which takes and returns JSON, so that any
// host of scripts can call it.
import { DrawnBoard, type Shown } from "./board";
import { CARD, drawCard, type CardTexts } from "./card";

/** What to draw: the board alone, `width` pixels wide, or with texts beside it. */
type Order = Shown & ({ readonly width: number } | { readonly card: CardTexts });

function draw(order: string): string {
  return JSON.stringify(drawn(JSON.parse(order) as Order));
}

function drawn(order: Order): string {
  const board = new DrawnBoard(order);
  if ("card" in order) return document(CARD, drawCard(board, order.card));
  const { width } = order;
  const height = Math.round(width / board.ratio);
  const ground = board.page.resolve("var(--paper)") ?? "";
  return document(
    { width, height },
    `<rect width="${width}" height="${height}" fill="${ground}"/>
${board.draw({ x: 0, y: 0, width, height })}`,
  );
}

function document({ width, height }: { width: number; height: number }, contents: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Inter, system-ui, sans-serif">
${contents}
</svg>`;
}

Object.assign(globalThis, { draw });
