// Layout of <learn-page>: the board beside the card with the step; on an upright phone, below it.
import { css } from "lit";

export const learnPageStyles = css`
  :host {
    --board-room: max(280px, calc(100vh - 150px));
    display: grid;
    grid-template-columns: minmax(0, var(--board-room)) minmax(300px, 420px);
    gap: 20px;
    align-items: start;
    justify-content: center;
  }
  .board {
    min-height: 200px;
  }
  .side,
  .card,
  .contents {
    display: grid;
    gap: 14px;
  }
  h1,
  h2,
  p,
  ol {
    margin: 0;
  }
  h1 {
    color: var(--ink-soft);
    font-size: 0.95rem;
    font-weight: 600;
  }
  h2 {
    font-size: 1.3rem;
  }
  .task {
    padding: 10px 12px;
    border-left: 4px solid var(--accent);
    border-radius: 4px;
    background: var(--paper);
  }
  .mistake {
    color: var(--danger);
  }
  .done {
    color: var(--accent);
  }
  /* Room for a sentence, so that the buttons stay where they are. */
  .said {
    min-height: 3lh;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    align-items: center;
  }
  a.primary {
    border-color: var(--accent);
    background: var(--accent);
    color: var(--accent-ink);
    font-weight: 600;
  }
  .steps {
    display: flex;
    flex-wrap: wrap;
    gap: 4px;
    padding: 0;
    list-style: none;
  }
  .steps a {
    display: grid;
    place-items: center;
    min-width: 32px;
    min-height: 32px;
    border: 1px solid var(--line);
    border-radius: 8px;
    color: inherit;
    font-size: 0.9rem;
    text-decoration: none;
  }
  .steps a.learnt {
    border-color: var(--accent);
    color: var(--accent);
  }
  .steps a[aria-current="step"] {
    border-color: var(--accent);
    background: var(--accent);
    color: var(--accent-ink);
  }
  .note {
    color: var(--ink-soft);
    font-size: 0.9rem;
  }
  @media (pointer: coarse) {
    .steps a {
      min-width: var(--target);
      min-height: var(--target);
    }
  }
  @media (max-width: 820px) {
    :host {
      grid-template-columns: minmax(0, 560px);
      gap: 12px;
    }
    .side {
      display: contents;
    }
    .step {
      order: -1;
    }
    .card {
      gap: 10px;
      padding: 14px;
    }
    .said {
      min-height: 2lh;
    }
  }
  @media (max-height: 500px) {
    :host {
      --board-room: max(260px, calc(100vh - 60px));
    }
    .card {
      gap: 8px;
      padding: 12px;
    }
  }
`;
