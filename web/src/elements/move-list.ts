// <move-list>: the moves of a game, one row per round, and buttons to navigate them.
// It fires "browse" with the ply to show.
import { LitElement, html, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import * as texts from "#texts/moves";
import * as analysis from "#texts/analysis";
import type { Judgement } from "../api/analysis";
import { SIGNS } from "../state/analysis";
import { keepCodes, showsCodes } from "../state/move-notation";
import { moveRows, rowsAround } from "../state/moves";
import { partsOf } from "../state/turns";
import { controls } from "./controls";
import { icons } from "./icons";
import { moveListStyles } from "./move-list-styles";

@customElement("move-list")
export class MoveList extends LitElement {
  static override styles = [controls, moveListStyles];

  @property({ attribute: false }) moves: readonly string[] = [];
  @property({ type: Number }) seats = 2;
  /** The seat that made each move, where the seats move in turn. */
  @property({ attribute: false }) movers: readonly number[] = [];
  /** The displayed names of the seats. */
  @property({ attribute: false }) names: readonly string[] = [];
  /** A move in words; null if there are only codes. */
  @property({ attribute: false }) spell: ((move: string) => string) | null = null;
  /** Whether a move has a part of each seat. */
  @property({ type: Boolean }) isSimultaneous = false;
  /** The ply on the board. */
  @property({ type: Number }) ply = 0;
  /** The ply of the current position. */
  @property({ type: Number }) last = 0;
  /** Judgements by the ply that the moves led to. */
  @property({ attribute: false }) judgements: ReadonlyMap<number, Judgement> = new Map();
  /** Where a move has a part of each seat: the judgements of the parts, by ply and seat. */
  @property({ attribute: false }) partJudgements: ReadonlyMap<number, ReadonlyMap<number, Judgement>> =
    new Map();

  @state() private isInCodes = showsCodes();
  /** How many more blocks of rows are listed than those around the shown move. */
  @state() private more = { before: 0, after: 0 };
  /** The rows that are listed. */
  private listed = { first: 0, end: 0 };
  /** The words for the moves so far, as a list may have hundreds. */
  private words = new Map<string, string>();

  /** Scrolls again when the size changes, as when a phone is turned. */
  private readonly resizes = new ResizeObserver(() => {
    this.scrollToShown();
  });

  override render(): TemplateResult {
    const { ply, last } = this;
    return html`
      <div class="moves" tabindex="-1">${this.moves.length === 0 ? this.empty() : this.rows()}</div>
      <div class="walk" role="group" aria-label=${texts.navigation}>
        ${this.step(texts.firstPosition, icons.first, 0, ply === 0)}
        ${this.step(texts.previousMove, icons.back, ply - 1, ply === 0)}
        ${this.step(texts.nextMove, icons.forward, ply + 1, ply === last)}
        ${this.step(texts.lastPosition, icons.last, last, ply === last)}
        ${
          this.spell === null
            ? null
            : html`<button
                class="codes"
                title=${texts.showCodes}
                aria-pressed=${this.isInCodes}
                @click=${this.switchCodes}
              >
                ${texts.codes}
              </button>`
        }
      </div>
    `;
  }

  private readonly switchCodes = (): void => {
    this.isInCodes = !this.isInCodes;
    keepCodes(this.isInCodes);
  };

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("spell")) this.words = new Map();
    const { first, end } = this.listed;
    // A row that follows the last one is that of a new move.
    if (this.row < first || this.row > end) this.more = { before: 0, after: 0 };
    this.listed = rowsAround(this.row, Math.ceil(this.moves.length / this.columns), this.more);
  }

  private get isInWords(): boolean {
    return this.spell !== null && !this.isInCodes;
  }

  /** With more than two seats, a row has no room for a move of each. Moves of all seats have a row of their own. */
  private get columns(): number {
    return this.isSimultaneous || this.seats > 2 || this.isInWords ? 1 : this.seats;
  }

  /** The row of the shown move, from 0. */
  private get row(): number {
    return Math.max(0, Math.ceil(this.ply / this.columns) - 1);
  }

  /** The text of a move, or of a part of one, in the list. */
  private label(move: string): string {
    if (this.spell === null || this.isInCodes) return move;
    const known = this.words.get(move);
    if (known !== undefined) return known;
    const words = this.spell(move);
    this.words.set(move, words);
    return words;
  }

  private empty(): TemplateResult {
    return html`<p class="none">${texts.none}</p>`;
  }

  private rows(): TemplateResult {
    const { columns, isInWords } = this;
    const { first, end } = this.listed;
    const rows = moveRows(this.moves, columns);
    return html`
      ${first === 0 ? null : this.further(texts.earlier, { before: 1, after: 0 })}
      <ol
        aria-label=${texts.moves}
        class=${isInWords ? "words" : ""}
        style="--columns: ${columns}"
        @click=${this.onPick}
      >
        ${rows.slice(first, end).map(
          ({ number, moves }, index) => html`
            <li>
              <span class="number">${number}.</span>
              ${moves.map((move, column) => this.move(move, (first + index) * columns + column + 1))}
            </li>
          `,
        )}
      </ol>
      ${end === rows.length ? null : this.further(texts.later, { before: 0, after: 1 })}
    `;
  }

  private further(label: string, by: MoveList["more"]): TemplateResult {
    return html`<button class="further" @click=${() => this.listMore(by)}>${label}</button>`;
  }

  /** Lists more blocks. When there are no more, the button goes, and the list gets its focus. */
  private async listMore({ before, after }: MoveList["more"]): Promise<void> {
    this.more = { before: this.more.before + before, after: this.more.after + after };
    await this.updateComplete;
    if (this.shadowRoot?.activeElement === null)
      this.renderRoot.querySelector<HTMLElement>(".moves")?.focus();
  }

  private readonly onPick = ({ target }: MouseEvent): void => {
    const move = (target as Element).closest<HTMLElement>(".move");
    if (move !== null) this.browse(Number(move.dataset.ply));
  };

  private move(text: string, ply: number): TemplateResult {
    const isShown = ply === this.ply;
    return html`<button
      class="move ${isShown ? "shown" : ""}"
      aria-current=${isShown ? "step" : "false"}
      data-ply=${ply}
    >
      ${
        this.isSimultaneous
          ? this.parts(text, this.partJudgements.get(ply) ?? new Map())
          : html`${this.mover(ply)}${this.label(text)}${sign(this.judgements.get(ply))}`
      }
    </button>`;
  }

  /** Who made a move: its colour, and its name for those who do not see it. */
  private mover(ply: number): TemplateResult | null {
    const seat = this.movers[ply - 1];
    if (seat === undefined) return null;
    return html`<i
      style="background: var(--seat-${seat})"
      role="img"
      aria-label=${this.names[seat] ?? ""}
    ></i>`;
  }

  /** The parts of a move, each in its column, with the colour of its seat and its judgement. */
  private parts(turn: string, judgements: ReadonlyMap<number, Judgement>): TemplateResult {
    return html`<span class="parts">
      ${partsOf(turn).map(
        (part, seat) =>
          html`<span class="part"
            ><i style="background: var(--seat-${seat})"></i
            >${this.label(part)}${sign(judgements.get(seat))}</span
          >`,
      )}
    </span>`;
  }

  private step(label: string, icon: TemplateResult, ply: number, isDisabled: boolean): TemplateResult {
    return html`<button
      aria-label=${label}
      title=${label}
      ?disabled=${isDisabled}
      @click=${() => {
        this.browse(ply);
      }}
    >
      ${icon}
    </button>`;
  }

  private browse(ply: number): void {
    this.dispatchEvent(new CustomEvent<number>("browse", { detail: ply }));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.resizes.observe(this);
  }

  override disconnectedCallback(): void {
    this.resizes.disconnect();
    super.disconnectedCallback();
  }

  /** Scrolls to another move, but not when the same moves get other judgements, as a reader may be elsewhere in the list. */
  protected override updated(changed: PropertyValues<this>): void {
    const before = changed.get("moves")?.length ?? this.moves.length;
    if (changed.has("ply") || before !== this.moves.length) this.scrollToShown();
  }

  /** Centres the move on the board. Only the list scrolls, never the page. */
  private scrollToShown(): void {
    const list = this.renderRoot.querySelector<HTMLElement>(".moves");
    const shown = this.renderRoot.querySelector<HTMLElement>(".shown");
    if (list === null) return;
    if (shown === null) list.scrollTop = 0;
    else list.scrollTop = shown.offsetTop - (list.clientHeight - shown.offsetHeight) / 2;
  }
}

function sign(judgement: Judgement | undefined): TemplateResult | null {
  if (judgement === undefined) return null;
  return html`<span class="sign ${judgement}" title=${analysis.judgement[judgement]}
    >${SIGNS[judgement]}</span
  >`;
}
