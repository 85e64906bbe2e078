// The few names of a browser that the boards use before they are on a page, for the script that draws pictures without
// one. Imported before any board.
import { CSSStyleSheet, HTMLElement, ResizeObserver, customElements } from "@lit-labs/ssr-dom-shim";

Object.assign(globalThis, {
  CSSStyleSheet,
  HTMLElement,
  ResizeObserver,
  customElements,
  window: globalThis,
  // Pictures are for no particular device.
  matchMedia: () => ({ matches: false }),
});
