// <new-page>: the form for a new game on a page of its own.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import * as texts from "#texts/new-game";
import { tabTitle } from "../state/labels";
import "./new-game";

@customElement("new-page")
export class NewPage extends LitElement {
  static override styles = css`
    :host {
      display: block;
      max-width: 460px;
      margin: 0 auto;
    }
  `;

  /** The game that is shown first; null for the first of the server's. */
  @property({ attribute: false }) game: string | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = tabTitle(texts.newGame);
  }

  override disconnectedCallback(): void {
    document.title = "Plyhouse";
    super.disconnectedCallback();
  }

  override render(): TemplateResult {
    return html`<new-game .game=${this.game}></new-game>`;
  }
}
