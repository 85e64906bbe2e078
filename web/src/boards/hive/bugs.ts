// The bugs, drawn around the origin within a circle of 36, seen from above with the head up (the grasshopper from the
// side). Colours come from CSS: `ink` is filled and `limb` stroked with the bug's colour, `gap` with the tile's colour,
// `wing` is filled lightly. Called by the drawing of tiles.
import { svg, type SVGTemplateResult } from "lit";
import type { Bug } from "./notation";

const queen = svg`
  <path class="wing" d="M-5-3C-15-22-34-20-34-7c0 9 16 12 29 8zM5-3C15-22 34-20 34-7c0 9-16 12-29 8z"/>
  <path class="ink" d="M0-9c9 0 14 8 14 18C14 22 6 32 0 36c-6-4-14-14-14-27C-14-1-9-9 0-9z"/>
  <path class="gap" d="M-13 4h26M-13.500 13h27M-10.500 22h21"/>
  <circle class="ink" cy="-15" r="8.500"/>
  <path class="ink" d="M-11-23l-2-12 7 5 6-8 6 8 7-5-2 12z"/>`;

const ant = svg`
  <path class="limb" d="M-4-6-19-12-25-25M4-6 19-12 25-25M-5-1-22 1-31-5M5-1 22 1 31-5M-4 4-17 12-20 26M4 4 17 12 20 26"/>
  <path class="limb" d="M-3-24-8-32-15-34M3-24 8-32 15-34"/>
  <circle class="ink" cy="-19" r="8"/>
  <ellipse class="ink" cy="-2" rx="6.500" ry="9"/>
  <ellipse class="ink" cy="19" rx="10.500" ry="15"/>`;

const grasshopper = svg`
  <path class="limb" d="M-23-8-31-22M-20-9-24-25"/>
  <path class="limb" d="M-14 8-19 24-26 25M-4 9-7 25-14 26"/>
  <path class="ink" d="M-30-1c0-7 6-11 13-10L30 8c4 2 3 7-2 7L-15 11c-9-1-15-5-15-12z"/>
  <path class="gap thin" d="M-13-9c-3 6-3 12 0 19"/>
  <path class="thigh" d="M1 8 17-25 28 12"/>
  <circle class="hole" cx="-23" cy="-3" r="2.600"/>`;

const spider = svg`
  <path class="limb" d="M-5-10-17-19-16-34M5-10 17-19 16-34M-7-6-25-11-33-23M7-6 25-11 33-23"/>
  <path class="limb" d="M-7 0-26 5-34 17M7 0 26 5 34 17M-6 5-20 17-19 33M6 5 20 17 19 33"/>
  <circle class="ink" cy="-8" r="8.500"/>
  <circle class="ink" cy="12" r="14"/>
  <path class="hole" d="M0 4l4 8-4 8-4-8z"/>`;

const beetle = svg`
  <path class="limb" d="M-13-4-25-12-29-22M13-4 25-12 29-22M-15 8h-17M15 8h17M-13 19-24 25-27 34M13 19 24 25 27 34"/>
  <path class="limb" d="M-5-22-11-27-9-36M5-22 11-27 9-36"/>
  <path class="ink" d="M-10-17c2-9 18-9 20 0l2 6h-24z"/>
  <path class="ink" d="M-17 4c0-10 7-14 17-14s17 4 17 14c0 16-6 29-17 30C-11 33-17 20-17 4z"/>
  <path class="gap" d="M-17-9.500h34M0-8V34"/>`;

const ladybug = svg`
  <path class="limb" d="M-5-24-11-33M5-24 11-33M-22-6-31-11M22-6 31-11M-23 8-33 9M23 8 33 9M-18 20-26 28M18 20 26 28"/>
  <path class="ink" d="M-12-16c1-13 23-13 24 0z"/>
  <circle class="ink" cy="7" r="24"/>
  <path class="gap" d="M-22-8C-10-15 10-15 22-8M0-12V31"/>
  <circle class="hole" cx="-11" cy="0" r="4.200"/>
  <circle class="hole" cx="11" cy="0" r="4.200"/>
  <circle class="hole" cx="-12" cy="14" r="4.200"/>
  <circle class="hole" cx="12" cy="14" r="4.200"/>`;

const mosquito = svg`
  <path class="limb" d="M-3-8-17-16-21-31M3-8 17-16 21-31M-3 4-13 17-12 34M3 4 13 17 12 34"/>
  <path class="wing" d="M-2-5C-14-13-33-8-34 2c-1 8 20 8 32-4zM2-5C14-13 33-8 34 2c1 8-20 8-32-4z"/>
  <path class="limb" d="M0-20V-38"/>
  <circle class="ink" cy="-17" r="6.500"/>
  <ellipse class="ink" cy="-5" rx="6" ry="9"/>
  <path class="ink" d="M-4.500 2h9L4 24C3 34-3 34-4 24z"/>
  <path class="gap thin" d="M-5 10H5M-5 17H5M-5 24H5"/>`;

const pillbug = svg`
  <path class="limb" d="M-5-29-12-36M5-29 12-36"/>
  <path class="limb" d="M-18-14-28-19M-20-5-31-8M-21 4H-32M-20 13-31 17M-17 22-26 28"/>
  <path class="limb" d="M18-14 28-19M20-5 31-8M21 4H32M20 13 31 17M17 22 26 28"/>
  <path class="ink" d="M0-32c13 0 21 15 21 34S13 35 0 35-21 21-21 2-13-32 0-32z"/>
  <path class="gap" d="M-16-17Q0-11 16-17M-20-6Q0 0 20-6M-20 5Q0 11 20 5M-19 16Q0 22 19 16M-13 26Q0 30 13 26"/>`;

export const BUG_SHAPES: Readonly<Record<Bug, SVGTemplateResult>> = {
  Q: queen,
  A: ant,
  G: grasshopper,
  S: spider,
  B: beetle,
  L: ladybug,
  M: mosquito,
  P: pillbug,
};
