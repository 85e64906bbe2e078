// A small picture of each game, drawn in the page's colours, for the lobby. Games without one get none.
import { svg, type SVGTemplateResult } from "lit";

const HEX = "M0-19 16.5-9.5v19L0 19-16.5 9.5v-19z";
/** Where the tiles of Hive's picture lie, and their kinds. */
const HIVE: readonly (readonly [x: number, y: number, kind: string, letter: string])[] = [
  [44, 30, "light", "G"],
  [79, 30, "dark", "A"],
  [26.5, 60, "light", "S"],
  [61.5, 60, "queen", "Q"],
  [96.5, 60, "dark", "B"],
  [79, 90, "light", "A"],
];

const PICTURES: Readonly<Record<string, SVGTemplateResult>> = {
  wallwars: svg`
    <path class="grid" d="M8 8h104v104H8zM34 8v104M60 8v104M86 8v104M8 34h104M8 60h104M8 86h104" />
    <path class="wall one" d="M60 60v52M34 34h26" />
    <path class="wall two" d="M86 8v52M60 86h26" />
    <g class="one"><path d="M14 28 15 13l6 5h0l6-5 1 15a7 6 0 0 1-14 0z" /><circle cx="21" cy="99" r="6" /></g>
    <g class="two"><path d="M92 28 93 13l6 5h0l6-5 1 15a7 6 0 0 1-14 0z" /><circle cx="99" cy="99" r="6" /></g>`,
  hive: svg`${HIVE.map(
    ([x, y, kind, letter]) => svg`
      <g transform="translate(${x} ${y})" class="bug ${kind}"><path d=${HEX} />
        <text text-anchor="middle" dy="6">${letter}</text></g>`,
  )}`,
  carcassonne: svg`
    <path class="meadow" d="M8 8h104v104H8z" />
    <path class="town" d="M8 8h68c0 26-12 40-34 42S8 66 8 76z" />
    <path class="road" d="M112 86H78c-12 0-18 6-18 26" />
    <path class="grid" d="M60 8v104M8 60h104" />
    <path class="one" d="M84 44c4 0 6 3 6 6s-1 4-3 5c6 1 10 4 10 7s-3 3-6 3l5 11h-9l-3-6-3 6h-9l5-11c-3 0-6 0-6-3s4-6 10-7c-2-1-3-2-3-5s2-6 6-6z" />`,
  pyrat: svg`
    <path class="grid" d="M8 8h104v104H8z" />
    <path class="maze" d="M34 8v52M60 34v52M86 60v52M8 86h26M60 34h26M86 60h26M34 60h26" />
    <g class="cheese"><path d="m64 66 14 4v8H62z" /><path d="m14 16 14 4v8H12z" /><path d="m92 92 14 4v8H90z" /></g>
    <circle class="one" cx="21" cy="99" r="8" /><circle class="two" cx="99" cy="21" r="8" />`,
};

export function pictureOf(game: string): SVGTemplateResult | null {
  return PICTURES[game] ?? null;
}
