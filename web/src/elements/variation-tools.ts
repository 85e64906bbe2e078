// <variation-tools>: what can be done with the move that is shown in a tree of variations: a mark, a comment, making its
// variation the main one, deleting it; and the tree as a file.
// It fires "note" with what was changed, "promote", "remove", "save" with the format or an empty text, and "file" with
// the text of a chosen file.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import * as texts from "#texts/variations";
import { GLYPHS, LONGEST_COMMENT, START, type Branch } from "../state/variations";
import { controls } from "./controls";
import "./confirm-button";

export type Note = Partial<Pick<Branch, "comment" | "glyph">>;

@customElement("variation-tools")
export class VariationTools extends LitElement {
  static override styles = [
    controls,
    css`
      :host,
      .row {
        display: flex;
        flex-wrap: wrap;
        gap: 8px;
        align-items: center;
      }
      textarea {
        flex: 1 1 100%;
        min-height: 58px;
        padding: 8px 10px;
        border: 1px solid var(--line);
        border-radius: var(--radius);
        background: var(--paper);
        color: inherit;
        font: inherit;
        resize: vertical;
      }
      .glyph {
        min-width: 40px;
        min-height: 36px;
        padding: 2px 6px;
        font-weight: 650;
      }
      .glyph[aria-pressed="true"] {
        border-color: var(--accent);
        background: var(--accent);
        color: var(--accent-ink);
      }
      .row > button,
      .file {
        min-height: 36px;
        padding: 2px 12px;
        font-size: 0.9rem;
      }
      @media (pointer: coarse) {
        .glyph,
        .row > button,
        .file {
          min-width: var(--target);
          min-height: var(--target);
        }
      }
    `,
  ];

  @property({ attribute: false }) branch: Branch = START;
  /** Whether the start is shown, and not a move. */
  @property({ type: Boolean }) isStart = false;
  @property({ type: Boolean }) isMain = false;
  /** In which other formats the tree can be saved. */
  @property({ attribute: false }) formats: readonly string[] = [];
  @state() private hasComment = false;
  /** Whether a file replaces nothing. */
  @property({ type: Boolean }) isEmpty = false;
  /** The text of a chosen file, until it is clear that it shall replace the tree. */
  @state() private chosen: string | null = null;

  override render(): TemplateResult {
    const { branch, isStart } = this;
    const hasField = this.hasComment || branch.comment !== "";
    return html`
      ${
        isStart
          ? null
          : html`<div class="row" role="group" aria-label=${texts.markOfMove}>
              ${GLYPHS.map((glyph) => this.mark(glyph))}
            </div>`
      }
      ${
        hasField
          ? html`<textarea
              aria-label=${isStart ? texts.commentOnStart : texts.commentOnMove}
              placeholder=${texts.comment}
              maxlength=${LONGEST_COMMENT}
              .value=${branch.comment}
              @change=${this.onComment}
            ></textarea>`
          : null
      }
      <div class="row">
        ${hasField ? null : html`<button @click=${this.openComment}>${texts.comment}</button>`}
        ${this.isMain ? null : html`<button @click=${this.promote}>${texts.makeMain}</button>`}
        ${
          branch.next.length === 0 && isStart
            ? null
            : isStart
              ? html`<confirm-button
                  label=${texts.deleteAll}
                  question=${texts.deleteThem}
                  refusal=${texts.keepThem}
                  @confirm=${this.cut}
                ></confirm-button>`
              : html`<button @click=${this.cut}>${texts.deleteFromHere}</button>`
        }
        ${
          this.chosen === null
            ? null
            : html`<button class="danger" @click=${this.open}>${texts.replaceAll}</button>
                <button @click=${this.keep}>${texts.keepThem}</button>`
        }
        <button
          @click=${() => {
            this.save("");
          }}
        >
          ${texts.save}
        </button>
        ${this.formats.map(
          (format) =>
            html`<button
              @click=${() => {
                this.save(format);
              }}
            >
              ${texts.saveAs(format.toUpperCase())}
            </button>`,
        )}
        <label class="file">${texts.open}<input type="file" @change=${this.onFile} /></label>
      </div>
    `;
  }

  private mark(glyph: (typeof GLYPHS)[number]): TemplateResult {
    const isSet = this.branch.glyph === glyph;
    return html`<button
      class="glyph"
      aria-pressed=${isSet}
      @click=${() => {
        this.note({ glyph: isSet ? null : glyph });
      }}
    >
      ${glyph}
    </button>`;
  }

  private readonly openComment = async (): Promise<void> => {
    this.hasComment = true;
    await this.updateComplete;
    this.renderRoot.querySelector("textarea")?.focus();
  };

  private readonly onComment = (event: Event): void => {
    this.note({ comment: (event.target as HTMLTextAreaElement).value.trim() });
  };

  private readonly onFile = async (event: Event): Promise<void> => {
    const input = event.target as HTMLInputElement;
    const text = await input.files?.[0]?.text();
    input.value = "";
    if (text === undefined) return;
    this.chosen = text;
    if (this.isEmpty) this.open();
  };

  private readonly open = (): void => {
    if (this.chosen !== null) this.dispatchEvent(new CustomEvent<string>("file", { detail: this.chosen }));
    this.chosen = null;
  };

  private readonly keep = (): void => {
    this.chosen = null;
  };

  private note(note: Note): void {
    this.dispatchEvent(new CustomEvent<Note>("note", { detail: note }));
  }

  private save(format: string): void {
    this.dispatchEvent(new CustomEvent<string>("save", { detail: format }));
  }

  private readonly promote = (): void => {
    this.dispatchEvent(new CustomEvent("promote"));
  };

  private readonly cut = (): void => {
    this.dispatchEvent(new CustomEvent("remove"));
  };
}
