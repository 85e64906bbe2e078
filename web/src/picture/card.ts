// The picture that stands for a game where links are shown: the board, and beside it who plays what and how it stands.
import type { DrawnBoard } from "./board";
import { drawText, linesOf } from "./text";

export interface CardTexts {
  /** The game. */
  readonly title: string;
  /** Its variant. */
  readonly subtitle: string;
  readonly players: readonly {
    readonly name: string;
    /** Empty in games without points. */ readonly points: string;
  }[];
  /** Whose turn it is, or the result. */
  readonly status: string;
}

/** What services that show links expect, in pixels. */
export const CARD = { width: 1200, height: 630 } as const;

const MARGIN = 36;
const GAP = 44;
/** The most that the board takes. */
const BOARD = { width: 690, height: CARD.height - 2 * MARGIN } as const;
const ROW = { height: 54, size: 34, swatch: 12 } as const;
const STATUS = { size: 29, line: 38 } as const;
/** The least distance of the status from the lower edge, where our name stands. */
const FOOT = 90;

export function drawCard(board: DrawnBoard, { title, subtitle, players, status }: CardTexts): string {
  const width = Math.min(BOARD.width, BOARD.height * board.ratio);
  const height = width / board.ratio;
  const column = { x: MARGIN + width + GAP, width: CARD.width - width - 2 * MARGIN - GAP };
  const colour = (name: string): string => board.page.resolve(`var(--${name})`) ?? "";
  const label = { x: column.x, width: column.width, colour: colour("ink") };
  const first = 196;
  const under = first + players.length * ROW.height + 22;
  const lines = Math.max(1, 1 + Math.floor((CARD.height - FOOT - under) / STATUS.line));
  return `<rect width="${CARD.width}" height="${CARD.height}" fill="${colour("paper")}"/>
${board.draw({ x: MARGIN, y: (CARD.height - height) / 2, width, height })}
${drawText(title, { ...label, y: 92, size: 52, isBold: true })}
${drawText(subtitle, { ...label, y: 134, size: 28, colour: colour("ink-soft") })}
${players.map((player, seat) => drawPlayer(player, seat, first + seat * ROW.height)).join("\n")}
${linesOf(status, column.width / STATUS.size, lines)
  .map((line, index) =>
    drawText(line, {
      ...label,
      y: under + index * STATUS.line,
      size: STATUS.size,
      colour: colour("ink-soft"),
    }),
  )
  .join("\n")}
${drawMark(column.x, CARD.height - MARGIN - 34)}
${drawText("Plyhouse", { ...label, x: column.x + 46, y: CARD.height - MARGIN - 8, size: 28, isBold: true })}`;

  function drawPlayer({ name, points }: CardTexts["players"][number], seat: number, y: number): string {
    const left = column.x + 2 * ROW.swatch + 16;
    const right = points === "" ? 0 : 90;
    const text = { ...label, y, size: ROW.size, isBold: true };
    return `<circle cx="${column.x + ROW.swatch}" cy="${y - ROW.size * 0.36}" r="${ROW.swatch}" fill="${colour(`seat-${seat}`)}" stroke="${colour("line")}" stroke-width="2"/>
${drawText(name, { ...text, x: left, width: column.width - (left - column.x) - right })}
${points === "" ? "" : drawText(points, { ...text, x: column.x + column.width, width: right - 12, anchor: "end" })}`;
  }

  function drawMark(x: number, y: number): string {
    return `<g transform="translate(${x} ${y})" fill="none" stroke-width="3">
<path d="M4 15 16 5l12 10v12H4z" stroke="${colour("accent")}" stroke-linejoin="round"/>
<path d="M16 27V15M16 21h6" stroke="${colour("danger")}" stroke-linecap="round"/></g>`;
  }
}
