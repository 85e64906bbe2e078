// The icons of the page, drawn with strokes in the colour of the text.
import { svg, html, type SVGTemplateResult, type TemplateResult } from "lit";

function icon(paths: SVGTemplateResult): TemplateResult {
  return html`<svg
    class="icon"
    viewBox="0 0 20 20"
    width="18"
    height="18"
    fill="none"
    stroke="currentColor"
    stroke-width="1.9"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    ${paths}
  </svg>`;
}

export const icons = {
  first: icon(svg`<path d="M5 4v12M15.5 4.5 8.5 10l7 5.5z"/>`),
  back: icon(svg`<path d="M13.5 4.5 6.5 10l7 5.5z"/>`),
  forward: icon(svg`<path d="m6.5 4.5 7 5.5-7 5.5z"/>`),
  last: icon(svg`<path d="M15 4v12M4.5 4.5l7 5.5-7 5.5z"/>`),
  flip: icon(svg`<path d="M6.5 16V4.5M3 8l3.5-3.5L10 8M13.500 4v11.500M10 12l3.500 3.500L17 12"/>`),
  settings: icon(
    svg`<path d="M3 5.500h6M13 5.500h4M3 10h2M9 10h8M3 14.500h8M15 14.500h2"/>
      <circle cx="11" cy="5.500" r="2"/><circle cx="7" cy="10" r="2"/><circle cx="13" cy="14.500" r="2"/>`,
  ),
} as const;
