// <game-hint>: how to play, in a line, during a player's first game of a kind, and a link to the lesson always.
import { LitElement, css, html, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import * as texts from "#texts/game";
import { LEARNABLE } from "../lessons";
import { hasPlayed, keepPlayed } from "../state/played";
import { learnPath } from "../state/route";
import { controls } from "./controls";

@customElement("game-hint")
export class GameHint extends LitElement {
  static override styles = [
    controls,
    css`
      p {
        margin: 0;
        color: var(--ink-soft);
        font-size: 0.9rem;
      }
    `,
  ];

  @property({ attribute: false }) game = "";
  /** What to do, for new players. */
  @property({ attribute: false }) text = "";
  /** Whether the viewer plays. */
  @property({ attribute: false }) isPlayer = false;
  @property({ attribute: false }) isOver = false;

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("isOver") && this.isOver && this.isPlayer) keepPlayed(this.game);
  }

  override render(): TemplateResult {
    const isNeeded = this.isPlayer && !this.isOver && !hasPlayed(this.game);
    return html`
      <p>
        ${isNeeded ? this.text : null}
        ${LEARNABLE.includes(this.game) ? html`<a href=${learnPath(this.game)}>${texts.howToPlay}</a>` : null}
      </p>
    `;
  }
}
