// What <board-page> adds to the layout of <analysis-page>.
import { css } from "lit";

export const boardPageStyles = css`
  .making {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
    min-height: var(--target);
    margin-left: 34px;
  }
  .making p:empty {
    display: none;
  }
  .engine {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 16px;
  }
  .engine label {
    display: inline-flex;
    align-items: center;
    gap: 7px;
    min-height: 34px;
  }
  .engine input {
    width: 20px;
    height: 20px;
    accent-color: var(--accent);
  }
  .engine .lines select {
    min-height: 34px;
  }
  .depth {
    font-variant-numeric: tabular-nums;
  }
  move-tree {
    height: 300px;
  }
  @media (pointer: coarse) {
    .engine label,
    .engine .lines select {
      min-height: var(--target);
    }
  }
  @media (max-width: 820px) {
    .making {
      margin-left: 0;
    }
    move-tree {
      height: 220px;
    }
  }
  @media (max-height: 500px) and (min-width: 560px) {
    .making {
      grid-column: 2;
      margin-left: 0;
    }
  }
`;
