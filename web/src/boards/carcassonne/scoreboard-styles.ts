// Styles of the rows above and below the table: points and meeples of each seat, and at the end what the points were for.
import { css } from "lit";

export const scoreboardStyles = css`
  .scoreboard {
    display: flex;
    align-items: center;
    gap: 5px;
    min-height: 32px;
  }
  .seat {
    position: relative;
    display: flex;
    align-items: center;
    gap: 3px;
    flex: 0 1 auto;
    min-width: 0;
    padding: 2px 9px 2px 4px;
    border: 2px solid transparent;
    border-radius: 8px;
    background: var(--card);
    font-variant-numeric: tabular-nums;
  }
  .seat.to-move {
    border-color: var(--seat);
  }
  .seat.gone {
    opacity: 0.45;
  }
  .seat svg {
    width: 22px;
    height: 22px;
    flex: none;
  }
  .seat b {
    font-size: 1.05rem;
    margin-left: 2px;
  }
  .meeples {
    color: var(--ink-soft);
    font-size: 0.8rem;
  }
  .gained {
    color: var(--accent);
    font-size: 0.8rem;
    font-weight: 700;
  }
  @container (max-width: 440px) {
    /* With room for what the last move has scored, above each seat. */
    .scoreboard {
      flex-wrap: wrap;
      align-items: flex-end;
      gap: 13px 2px;
      min-height: 36px;
    }
    .seat {
      flex-shrink: 0;
      gap: 1px;
      padding: 1px 3px 1px 0;
    }
    .seat svg {
      width: 16px;
    }
    .seat b {
      margin-left: 1px;
      font-size: 0.95rem;
    }
    .meeples {
      font-size: 0.7rem;
    }
    .gained {
      position: absolute;
      right: 0;
      bottom: 100%;
      padding: 0 4px;
      border-radius: 99px;
      background: var(--accent);
      color: var(--accent-ink);
      font-size: 0.68rem;
    }
  }
  .breakdown {
    width: 100%;
    border-collapse: collapse;
    font-size: 0.88rem;
    font-variant-numeric: tabular-nums;
    text-align: right;
  }
  .breakdown th {
    color: var(--ink-soft);
    font-weight: 400;
    text-align: right;
  }
  .breakdown td,
  .breakdown th {
    padding: 2px 6px;
  }
  .breakdown tbody tr {
    border-top: 1px solid var(--line);
  }
  @container (max-width: 440px) {
    .breakdown {
      font-size: 0.78rem;
    }
    .breakdown td,
    .breakdown th {
      padding: 2px 3px;
    }
  }
  .breakdown i {
    display: inline-block;
    min-width: 13px;
    height: 13px;
    border-radius: 4px;
    background: var(--seat);
    color: var(--seat-ink, #ffffff);
    font-size: 11px;
    font-style: normal;
    line-height: 13px;
    text-align: center;
    vertical-align: -1px;
  }
`;
