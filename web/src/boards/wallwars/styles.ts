// Styles of <wallwars-board>. Colours are custom properties of the page (theme.css), so light and dark mode need no rules here.
import { css } from "lit";

export const wallwarsStyles = css`
  :host {
    display: block;
  }
  .table {
    position: relative;
    box-sizing: border-box;
    width: 100%;
    aspect-ratio: var(--ratio);
    max-height: var(--board-room);
    overflow: hidden;
  }
  /* On a board of small cells the buttons do not cover any. */
  .table.small {
    max-height: calc(var(--board-room) - 44px);
    margin-bottom: 44px;
    overflow: visible;
  }
  .table.small > svg {
    overflow: hidden;
  }
  .zoom {
    position: absolute;
    right: 6px;
    bottom: 6px;
    display: flex;
    gap: 6px;
  }
  .small .zoom {
    right: 0;
    bottom: -44px;
  }
  p {
    margin: 4px 0 0;
    color: var(--ink-soft);
    text-align: center;
  }
  .seat-0 {
    --own: var(--seat-0);
    --own-soft: var(--seat-0-soft);
  }
  .seat-1 {
    --own: var(--seat-1);
    --own-soft: var(--seat-1-soft);
  }
  .neutral {
    --own: var(--nobody);
  }
  .ground {
    fill: var(--board);
  }
  .rim {
    fill: none;
    stroke: var(--board-rim);
    stroke-width: 4;
  }
  .grid {
    fill: none;
    stroke: var(--board-line);
    stroke-width: 2;
  }
  .arrival {
    fill: var(--board-mark);
    opacity: 0.8;
  }
  line {
    stroke: var(--own);
    stroke-linecap: round;
  }
  line.wall {
    stroke-width: 13;
  }
  line.fresh {
    filter: drop-shadow(0 0 6px var(--own));
  }
  line.next {
    stroke-dasharray: 1 19;
    stroke-width: 12;
  }
  .piece .body {
    fill: var(--own);
    stroke: var(--own);
    stroke-width: 3;
    stroke-linejoin: round;
  }
  .piece .detail {
    fill: none;
    stroke: var(--board);
    stroke-width: 3.5;
    stroke-linecap: round;
  }
  .piece.mouse .body {
    fill: var(--own-soft);
    stroke-width: 4;
  }
  .piece.mouse .tail {
    fill: none;
    stroke: var(--own);
    stroke-width: 5;
    stroke-linecap: round;
  }
  .piece.mouse .ink {
    fill: var(--own);
  }
  .piece.home .body {
    fill: var(--own-soft);
    stroke: none;
  }
  .piece.home .detail {
    stroke: var(--own);
    stroke-linejoin: round;
  }
  .piece.home {
    opacity: 0.7;
  }
  .piece {
    transition: transform calc(0.18s * var(--motion, 1)) ease-out;
  }
  .piece .grip {
    fill: transparent;
  }
  .piece[data-drag] {
    cursor: grab;
  }
  .piece.next,
  .undo {
    cursor: pointer;
  }
  .piece.past {
    opacity: 0.28;
  }
  .piece.next {
    opacity: 0.8;
  }
  .target {
    cursor: pointer;
    outline: none;
  }
  .area {
    fill: transparent;
  }
  .target .offer {
    pointer-events: none;
  }
  .target.step .offer {
    fill: var(--own);
    stroke: var(--board);
    stroke-width: 4;
    opacity: 0.75;
  }
  .target.wall .offer {
    stroke-width: 13;
    opacity: 0;
  }
  .target.aimed .offer {
    opacity: 1;
  }
  .target.step.aimed .offer {
    stroke: var(--own);
    stroke-width: 16;
  }
  .target.wall.aimed .offer {
    stroke-width: 18;
  }
  .premove .target,
  .premove .next {
    --own: var(--premove);
  }
  .hint {
    --own: var(--hint);
    stroke-width: 15;
    opacity: 0.8;
    pointer-events: none;
  }
  line.hint:not(.arrow) {
    stroke-dasharray: 1 21;
  }
  .hint.arrow {
    stroke-linecap: butt;
  }
  .tip {
    fill: var(--hint);
  }
  @media (hover: hover) {
    .target.step:hover .offer {
      opacity: 1;
      stroke: var(--own);
      stroke-width: 12;
    }
    .target.wall:hover .offer {
      opacity: 0.65;
    }
  }
  .target.step:focus-visible .offer {
    opacity: 1;
    stroke: var(--focus);
    stroke-width: 8;
  }
  .target.wall:focus-visible .offer {
    opacity: 1;
    stroke: var(--focus);
  }
`;
