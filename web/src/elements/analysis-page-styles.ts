// Layout of <analysis-page>: the board with the graph below it, and cards with the engine's results next to it.
// On an upright phone everything is in one column, in the order in which it is needed.
import { css } from "lit";

export const analysisPageStyles = css`
  :host {
    --board-room: max(300px, calc(100vh - 270px));
    display: grid;
    grid-template-columns: minmax(0, var(--board-room)) minmax(360px, 1fr);
    gap: 20px 24px;
    align-items: start;
    max-width: calc(var(--board-room) + 24px + 440px);
    margin: 0 auto;
  }
  p {
    margin: 0;
  }
  mistakes-view {
    grid-column: 1 / -1;
  }
  .table,
  .side {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 8px;
  }
  .side {
    gap: 14px;
  }
  .field {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 8px;
  }
  .board {
    min-height: 200px;
  }
  player-strip,
  eval-graph {
    margin-left: 34px;
  }
  .card {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 12px;
    padding: 16px;
  }
  .failed {
    grid-column: 1 / -1;
    max-width: 440px;
  }
  h1 {
    margin: 0;
    font-size: 1.05rem;
  }
  .note {
    color: var(--ink-soft);
    font-size: 0.9rem;
  }
  move-list {
    height: 270px;
  }
  .tools {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
  }
  .tools button,
  .tools a.button {
    display: inline-flex;
    align-items: center;
    gap: 5px;
    min-height: 34px;
    padding: 2px 10px;
    font-size: 0.9rem;
  }
  @media (pointer: coarse) {
    .tools button,
    .tools a.button {
      min-height: var(--target);
    }
  }
  .tools p {
    flex-basis: 100%;
  }
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }
  @media (max-width: 820px) {
    :host {
      --board-room: none;
      max-width: none;
      --graph-height: 90px;
      grid-template-columns: minmax(0, 1fr);
      gap: 12px;
    }
    player-strip,
    eval-graph {
      margin-left: 0;
    }
    move-list {
      --list-direction: column-reverse;
      order: -2;
      height: 170px;
    }
    analysis-lines,
    move-policies {
      order: -1;
    }
    .card {
      padding: 14px;
    }
  }
  /* A phone in landscape: the board fills the height, and stays in view while the rest scrolls. */
  @media (max-height: 500px) and (min-width: 560px) {
    :host {
      --board-room: max(240px, calc(100svh - 52px));
      --graph-height: 80px;
      grid-template-columns: calc(var(--board-room) + 34px) minmax(0, 1fr);
      grid-template-rows: repeat(3, auto) 1fr;
      gap: 6px 16px;
    }
    .table {
      display: contents;
    }
    .field {
      position: sticky;
      top: 6px;
      grid-row: 1 / -1;
      align-self: start;
    }
    player-strip,
    eval-graph,
    .side {
      grid-column: 2;
      margin-left: 0;
    }
    move-list {
      --list-direction: column-reverse;
      order: -2;
      height: 150px;
    }
    analysis-lines,
    move-policies {
      order: -1;
    }
  }
`;
