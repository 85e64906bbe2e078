// How a picture with a camera behaves, and the buttons over or beside it. Used by the boards that zoom: `.table > svg` is
// the picture, which is `zoomed` unless one finger scrolls the page; `.world` is moved by the camera.
import { css } from "lit";

export const pictureStyles = css`
  /* A board shows itself what is picked. */
  :host {
    -webkit-tap-highlight-color: transparent;
  }
  .table > svg {
    display: block;
    width: 100%;
    height: 100%;
    outline: none;
    touch-action: pan-x pan-y;
    user-select: none;
    -webkit-user-select: none;
    -webkit-touch-callout: none;
  }
  .table > svg.zoomed {
    touch-action: none;
    cursor: grab;
  }
  .table > svg:focus-visible {
    outline: 3px solid var(--focus);
    outline-offset: -3px;
  }
  /* The mouse reaches what is behind it. */
  .place-spot {
    outline: none;
    pointer-events: none;
  }
  .place-spot circle {
    fill: none;
    stroke: none;
    stroke-width: 4;
  }
  .place-spot:focus-visible circle {
    stroke: var(--focus);
  }
  .place-spot.passage:focus-visible circle {
    stroke-dasharray: 4 4;
  }
  .world.gliding {
    transition: transform calc(0.15s * var(--motion, 1)) ease-out;
  }
  [data-drag] {
    touch-action: none;
  }
  [data-carried] {
    z-index: 1;
    pointer-events: none;
    cursor: grabbing;
    transition: none;
  }
  /* A board that is only a picture has nothing to press. */
  :host([inert]) .zoom {
    display: none;
  }
  .tool {
    position: relative;
    display: grid;
    place-items: center;
    box-sizing: border-box;
    width: 38px;
    height: 38px;
    margin: 0;
    padding: 0;
    border: 1px solid var(--line);
    border-radius: 8px;
    background: var(--card);
    color: var(--ink);
    font:
      600 20px/1 system-ui,
      sans-serif;
    cursor: pointer;
  }
  /* A finger hits half of the gaps as well: 44 pixels. */
  .tool::after {
    position: absolute;
    inset: -4px;
    content: "";
  }
  .tool:disabled {
    opacity: 0.45;
    cursor: default;
  }
  .tool svg {
    width: 20px;
    height: 20px;
    fill: none;
    stroke: currentcolor;
    stroke-width: 2;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .tool:focus-visible {
    outline: 3px solid var(--focus);
    outline-offset: 1px;
  }
`;
