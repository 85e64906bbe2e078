// <qr-code>: an address as a picture for the camera of a phone. The code that draws it is loaded when it is shown.
import { LitElement, css, html, svg, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import * as texts from "#texts/links";

/** The modules of a code, row by row; true is dark. */
type Modules = readonly (readonly boolean[])[];

/** The light border that readers expect, in modules. */
const BORDER = 4;

@customElement("qr-code")
export class QrCode extends LitElement {
  static override styles = css`
    :host {
      display: block;
    }
    svg {
      display: block;
      width: min(100%, 200px);
      border-radius: var(--radius);
      background: #fff;
    }
    p {
      margin: 0;
      color: var(--danger);
    }
  `;

  @property() link = "";
  /** Null until it is drawn. */
  @state() private modules: Modules | null = null;
  @state() private problem = "";

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("link")) void this.draw(this.link);
  }

  private async draw(link: string): Promise<void> {
    try {
      const { encode } = await import("uqr");
      this.modules = encode(link, { ecc: "M", border: BORDER }).data;
    } catch {
      this.problem = texts.noCode;
    }
  }

  override render(): TemplateResult {
    if (this.problem !== "") return html`<p role="alert">${this.problem}</p>`;
    const size = this.modules?.length ?? 1;
    return html`
      <svg viewBox="0 0 ${size} ${size}" role="img" aria-label=${texts.code} shape-rendering="crispEdges">
        ${this.modules === null ? null : svg`<path d=${pathOf(this.modules)} fill="#000"></path>`}
      </svg>
    `;
  }
}

/** The dark modules, each as a square. */
function pathOf(modules: Modules): string {
  return modules.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
}
