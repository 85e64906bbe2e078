// Styles of <opening-explorer>.
import { css } from "lit";

export const openingExplorerStyles = css`
  :host {
    display: block;
  }
  .card {
    padding: 0;
  }
  summary {
    display: flex;
    align-items: center;
    gap: 8px;
    min-height: var(--target);
    padding: 6px 16px;
    border-radius: calc(var(--radius) + 4px);
    font-weight: 600;
    cursor: pointer;
    list-style: none;
  }
  summary::-webkit-details-marker {
    display: none;
  }
  summary::before {
    content: "▸";
    color: var(--ink-soft);
  }
  [open] > summary::before {
    content: "▾";
  }
  .content {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 10px;
    padding: 0 16px 16px;
  }
  .sources {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
  }
  select {
    flex: 0 1 auto;
    min-width: 0;
    max-width: 100%;
    min-height: 34px;
  }
  .moves {
    overflow-y: auto;
    max-height: 340px;
  }
  thead th {
    position: sticky;
    top: 0;
    background: var(--card);
  }
  table {
    width: 100%;
    border-collapse: collapse;
    font-variant-numeric: tabular-nums;
  }
  th,
  td {
    height: 34px;
    padding: 1px 6px;
    border-top: 1px solid var(--line);
    text-align: start;
  }
  thead th {
    height: 26px;
    border: 0;
    color: var(--ink-soft);
    font-size: 0.82rem;
    font-weight: 400;
  }
  th:first-child {
    padding-inline-start: 0;
  }
  td:last-child {
    padding-inline-end: 0;
  }
  th[scope="row"] {
    font-weight: 400;
  }
  td:last-child {
    width: 34%;
  }
  .number {
    width: 1%;
    text-align: end;
    white-space: nowrap;
  }
  th button {
    min-height: 30px;
    margin-inline-start: -6px;
    padding: 3px 6px;
    border: 0;
    border-radius: 6px;
    background: none;
    line-height: 1.25;
    text-align: start;
  }
  th button:hover {
    background: var(--paper);
  }
  .bar {
    display: flex;
    overflow: hidden;
    height: 16px;
    min-width: 70px;
    border-radius: 5px;
    background: var(--line);
  }
  .bar i {
    flex: 0 0 0;
    min-width: 0;
  }
  .bar .drawn {
    background: var(--line);
  }
  ul {
    display: grid;
    gap: 2px;
    margin: 0;
    padding: 0;
    list-style: none;
    font-size: 0.9rem;
  }
  li {
    display: flex;
    flex-wrap: wrap;
    gap: 2px 8px;
    align-items: center;
    min-height: 28px;
  }
  h2 {
    margin: 4px 0 0;
    font-size: 0.9rem;
    font-weight: 600;
  }
  p {
    margin: 0;
  }
  .note {
    color: var(--ink-soft);
    font-size: 0.9rem;
  }
  .empty {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    align-items: center;
  }
  @media (pointer: coarse) {
    select,
    th button,
    li a {
      min-height: var(--target);
    }
    li a {
      display: inline-flex;
      align-items: center;
    }
    th,
    td {
      height: var(--target);
    }
  }
`;
