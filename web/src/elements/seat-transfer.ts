// <seat-transfer>: the link with which the player continues a game in another browser, such as on a phone.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import * as texts from "#texts/links";
import { gamePath } from "../state/route";
import { ownSeat } from "../state/seats";
import { controls } from "./controls";
import "./copy-link";
import "./qr-code";

@customElement("seat-transfer")
export class SeatTransfer extends LitElement {
  static override styles = [
    controls,
    css`
      details {
        font-size: 0.9rem;
      }
      summary {
        width: fit-content;
        padding: 4px 0;
        color: var(--ink-soft);
        cursor: pointer;
      }
      @media (pointer: coarse) {
        summary {
          padding: 12px 0;
        }
      }
      div {
        display: grid;
        gap: 8px;
      }
      p {
        margin: 0;
        color: var(--ink-soft);
      }
    `,
  ];

  @property() gameId = "";
  /** The link is only made when it is wanted, as it gives the seat away. */
  @state() private isOpen = false;

  override render(): TemplateResult {
    return html`
      <details @toggle=${this.onToggle}>
        <summary>${texts.otherDevice}</summary>
        ${this.isOpen ? this.link() : null}
      </details>
    `;
  }

  private link(): TemplateResult {
    const link = location.origin + gamePath(this.gameId, ownSeat(this.gameId));
    return html`
      <div>
        <p>${texts.opensSeat}</p>
        <copy-link .link=${link}></copy-link>
        <qr-code .link=${link}></qr-code>
      </div>
    `;
  }

  private readonly onToggle = (event: Event): void => {
    this.isOpen = (event.target as HTMLDetailsElement).open;
  };
}
