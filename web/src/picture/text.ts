// Texts of pictures, which are written without a font at hand: their widths are estimated.
import { escaped } from "./plain-svg";

/** The letters of the font of pictures, as engines/pictures/fonts/README.md names them; others would be blank. */
const LETTERS =
  "20-7E,A0-148,14A-17F,192,218-21B,259,2BC,2C6-2C7,2D8-2DD,300-30C,384-38A,38C,38E-3A1,3A3-3CE,400-45F,490-491," +
  "1E80-1E85,1E9E,1EA0-1EF9,2010-2015,2018-201E,2020-2022,2026,2030,2039-203A,20AC,2116,2122,2190-2193,2212,2260,2264-2265,25A1";
const RANGES = LETTERS.split(",").map((range) => range.split("-").map((end) => parseInt(end, 16)));
const STAND_IN = "\u25a1";

/** The text with a stand-in for every letter that the font lacks. */
function drawable(text: string): string {
  return Array.from(text, (letter) => (isInFont(letter.codePointAt(0) ?? 0) ? letter : STAND_IN)).join("");
}

function isInFont(code: number): boolean {
  return RANGES.some(([first = 0, last = first]) => first <= code && code <= last);
}

/** A text as a picture has it. */
export interface Label {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly colour: string;
  /** What it may take; longer texts are set smaller, down to `LEAST`, and then cut off. */
  readonly width: number;
  readonly isBold?: boolean;
  readonly anchor?: "start" | "end";
}

/** The size of a long text, as a part of that of a short one. */
const LEAST = 0.8;

export function drawText(
  whole: string,
  { x, y, size, colour, width, isBold = false, anchor = "start" }: Label,
): string {
  const text = drawable(whole);
  const fitting = Math.max(LEAST * size, Math.min(size, width / widthOf(text)));
  const shown = widthOf(text) * fitting <= width ? text : cut(text, width / fitting);
  const weight = isBold ? ' font-weight="700"' : "";
  return `<text x="${x}" y="${y}" font-size="${fitting.toFixed(1)}" fill="${escaped(colour)}" text-anchor="${anchor}"${weight}>${escaped(shown)}</text>`;
}

/** The text in lines of at most this width, in sizes of the font; what does not fit into `most` lines is cut off. */
export function linesOf(text: string, width: number, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(`${last} ${word}`) <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  if (lines.length <= most) return lines.map((line) => cut(line, width));
  const rest = lines.slice(most - 1).join(" ");
  return [...lines.slice(0, most - 1).map((line) => cut(line, width)), cut(rest, width)];
}

/** Widths of letters in sizes of the font. */
const WIDE = 1;
const CAPITAL = 0.72;
const SMALL = 0.6;
const NARROW = 0.34;

/** An estimate of a text's width in sizes of the font, rather too large than too small. */
function widthOf(text: string): number {
  return Array.from(text).reduce((sum, letter) => sum + letterWidth(letter), 0);
}

function letterWidth(letter: string): number {
  if ((letter.codePointAt(0) ?? 0) >= 0x1100) return WIDE;
  if (/[\s.,:;!'|ijltfrI()[\]-]/.test(letter)) return NARROW;
  if (/[MWmw@%]/.test(letter)) return WIDE;
  return letter === letter.toLowerCase() ? SMALL : CAPITAL;
}

function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  const letters = Array.from(text);
  while (letters.length > 1 && widthOf(letters.join("")) + WIDE > width) letters.pop();
  return `${letters.join("").trimEnd()}…`;
}
