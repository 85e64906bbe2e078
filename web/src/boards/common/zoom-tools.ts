// The buttons that zoom. Called by the board elements.
import { html, type TemplateResult } from "lit";
import * as texts from "#texts/boards/common";
import type { Viewport } from "./viewport";

/** What one press zooms, with a button or a key. */
export const ZOOM_STEP = 1.3;

const EVERYTHING = "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5";
const FOCUS = "M7 7h10v10H7ZM12 2v5M12 17v5M2 12h5M17 12h5";

/** `showFocus`: the name of the button that shows what is usually shown, where that is not everything. */
export function drawZoomTools(viewport: Viewport, showFocus: string): TemplateResult {
  const { showsEverything, isUsuallyEverything } = viewport;
  const name = showsEverything && !isUsuallyEverything ? showFocus : texts.showEverything;
  const zoomOut = (): void => {
    viewport.zoom(1 / ZOOM_STEP);
  };
  const zoomIn = (): void => {
    viewport.zoom(ZOOM_STEP);
  };
  return html`<div class="zoom">
    <button
      class="tool"
      aria-label=${texts.zoomOut}
      title=${texts.withKey(texts.zoomOut, "−")}
      @click=${zoomOut}
    >
      −
    </button>
    <button
      class="tool"
      aria-label=${texts.zoomIn}
      title=${texts.withKey(texts.zoomIn, "+")}
      @click=${zoomIn}
    >
      +
    </button>
    <button
      class="tool"
      aria-label=${name}
      title=${texts.withKey(name, "0")}
      ?disabled=${showsEverything && isUsuallyEverything}
      @click=${viewport.toggle}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d=${showsEverything && !isUsuallyEverything ? FOCUS : EVERYTHING} />
      </svg>
    </button>
  </div>`;
}
