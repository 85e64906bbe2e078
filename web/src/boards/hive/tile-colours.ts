// Styles of the tiles of Hive. They are ivory and black in light and dark mode, like the real pieces; each bug has a
// colour of its own that is visible on both. Part of the styles of the board element.
import { css } from "lit";

export const tileColours = css`
  .tile.seat-0 {
    --ground: #f4ecd8;
    --edge: #a2947a;
  }
  .tile.seat-1 {
    --ground: #2a2d33;
    --edge: light-dark(#0c0d0f, #767d87);
    --band: light-dark(#565c66, #454b54);
  }
  .tile .ground {
    fill: var(--ground);
    stroke: var(--edge);
    stroke-width: 3;
  }
  .tile .band {
    fill: none;
    stroke: var(--band);
    stroke-width: 2;
  }
  .seat-0.Q {
    --bug: #b57a00;
  }
  .seat-1.Q {
    --bug: #f5c542;
  }
  .seat-0.A {
    --bug: #1f5fa8;
  }
  .seat-1.A {
    --bug: #7fb6f5;
  }
  .seat-0.G {
    --bug: #2e7d32;
  }
  .seat-1.G {
    --bug: #7fce7d;
  }
  .seat-0.S {
    --bug: #7a4a2b;
  }
  .seat-1.S {
    --bug: #d6a17c;
  }
  .seat-0.B {
    --bug: #6b3fa0;
  }
  .seat-1.B {
    --bug: #c3a1ee;
  }
  .seat-0.L {
    --bug: #b8242f;
  }
  .seat-1.L {
    --bug: #ff8a8a;
  }
  .seat-0.M {
    --bug: #59616b;
  }
  .seat-1.M {
    --bug: #c9d0d9;
  }
  .seat-0.P {
    --bug: #0b7680;
  }
  .seat-1.P {
    --bug: #5fd0d6;
  }
  .ink {
    fill: var(--bug);
  }
  .wing {
    fill: var(--bug);
    fill-opacity: 0.35;
    stroke: var(--bug);
    stroke-width: 1.6;
  }
  .limb {
    fill: none;
    stroke: var(--bug);
    stroke-width: 3.4;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .thigh {
    fill: none;
    stroke: var(--bug);
    stroke-width: 4.6;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .gap {
    fill: none;
    stroke: var(--ground);
    stroke-width: 3;
  }
  .gap.thin {
    stroke-width: 2;
  }
  .hole {
    fill: var(--ground);
  }
  .number {
    fill: var(--bug);
    font:
      700 17px system-ui,
      sans-serif;
    text-anchor: middle;
  }
`;
