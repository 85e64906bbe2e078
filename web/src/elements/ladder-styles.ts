// Styles of the pages about the ladder: tables of ratings and results.
import { css } from "lit";

export const ladderStyles = css`
  :host {
    display: block;
    max-width: 900px;
    margin: 0 auto;
  }
  h1 {
    margin: 0 0 4px;
    overflow-wrap: anywhere;
  }
  h2 {
    margin: 22px 0 6px;
    font-size: 1.1rem;
  }
  h3 {
    margin: 16px 0 6px;
    font-size: 1rem;
  }
  code {
    white-space: nowrap;
  }
  .note {
    margin: 0 0 10px;
    color: var(--ink-soft);
  }
  .tabs {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    margin: 10px 0 14px;
  }
  .tabs a[aria-current] {
    border-color: var(--accent);
    color: var(--accent);
    font-weight: 600;
  }
  table {
    width: 100%;
    border-collapse: collapse;
    font-variant-numeric: tabular-nums;
  }
  th {
    color: var(--ink-soft);
    font-weight: 400;
    font-size: 0.9rem;
    text-align: left;
  }
  th,
  td {
    padding: 7px 8px;
    border-bottom: 1px solid var(--line);
    vertical-align: baseline;
  }
  td.number,
  th.number {
    text-align: right;
    white-space: nowrap;
  }
  td.name {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  td a,
  li a,
  h2 a {
    display: inline-block;
    padding: 3px 0;
  }
  ul {
    margin: 0;
    padding-left: 22px;
  }
  .soft {
    color: var(--ink-soft);
    font-size: 0.9rem;
  }
  tr.level td {
    color: var(--ink-soft);
  }
  .away {
    opacity: 0.7;
  }
  .error {
    color: var(--danger);
  }
  svg.curve {
    display: block;
    width: 100%;
    height: 120px;
    margin: 6px 0;
  }
  .band {
    fill: var(--accent);
    opacity: 0.16;
  }
  .line {
    fill: none;
    stroke: var(--accent);
    stroke-width: 2;
    vector-effect: non-scaling-stroke;
  }
  @media (max-width: 560px) {
    .wide {
      display: none;
    }
    th,
    td {
      padding: 7px 4px;
    }
    td.name .soft,
    td.number .soft {
      display: block;
    }
  }
`;
