// The shapes of the pieces, drawn around the origin in a square of one cell (-50 to 50). Colours come from CSS.
// Called by the board element.
import { nothing, svg, type SVGTemplateResult } from "lit";
import type { ScenePiece } from "./scene";

const cat = svg`
  <path class="body" d="M-27-2V-33q0-4 4-2l14 10q9-2 18 0l14-10q4-2 4 2V-2q3 12-5 20-9 9-22 9t-22-9q-8-8-5-20z"/>
  <path class="detail" d="M-14-5v7M14-5v7M-4 11q4 4 8 0M-12 12l-12-3M-12 16l-10 2M12 12l12-3M12 16l10 2"/>`;

const mouse = svg`
  <path class="tail" d="M10 22q22 12 28-4"/>
  <circle class="body" cx="-18" cy="-16" r="13"/>
  <circle class="body" cx="18" cy="-16" r="13"/>
  <path class="body" d="M0-20q22 0 21 18-1 12-13 24-8 8-16 0-12-12-13-24-1-18 21-18z"/>
  <circle class="ink" cx="-8" cy="-1" r="3"/>
  <circle class="ink" cx="8" cy="-1" r="3"/>
  <circle class="ink" cx="0" cy="19" r="4.5"/>`;

const home = svg`
  <path class="body" d="M-30 34V-6L0-34l30 28v40z"/>
  <path class="detail" d="M-40 2L0-36 40 2M-10 34V10h20v24"/>`;

const SHAPES: Readonly<Record<ScenePiece["piece"], SVGTemplateResult>> = { cat, mouse, home };

/** A piece in the colour of its seat. The transform is in CSS, where it can be animated. */
export function drawPiece(
  { piece, seat, moment }: ScenePiece,
  transform: string,
  isDraggable: boolean,
): SVGTemplateResult {
  return svg`<g class="piece ${piece} seat-${seat} ${moment}" style="transform: ${transform}"
    data-drag=${isDraggable ? piece : nothing}>
    ${isDraggable ? svg`<rect class="grip" x="-46" y="-46" width="92" height="92"/>` : nothing}
    ${SHAPES[piece]}</g>`;
}
