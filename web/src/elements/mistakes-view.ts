// <mistakes-view>: the mistakes of a seat in an analysed game, to be made better on the board. Fires "leave" to go back
// to the analysis. state/mistake-session.ts has the answers.
import { LitElement, html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import * as common from "#texts/common";
import * as texts from "#texts/mistakes";
import * as exercise from "#texts/exercise";
import { sentence } from "../api/http";
import type { GameRules } from "../api/shapes";
import { createBoard, type BoardElement } from "../boards";
import { MistakeSession, type LearntGame } from "../state/mistake-session";
import { lossIn, type Mistake } from "../state/mistakes";
import { fill, listenTo, moveButtons } from "./asking-board";
import { controls } from "./controls";
import { learnPageStyles } from "./learn-page-styles";
import { puzzlePageStyles } from "./puzzle-page-styles";

@customElement("mistakes-view")
export class MistakesView extends LitElement {
  static override styles = [controls, learnPageStyles, puzzlePageStyles];

  @property({ attribute: false }) learnt!: LearntGame;
  @property({ attribute: false }) about: GameRules["about"] = {};
  /** At least one. */
  @property({ attribute: false }) mistakes: readonly Mistake[] = [];
  /** The name of the player whose mistakes they are. */
  @property({ attribute: false }) name = "";

  @state() private board: BoardElement | null = null;
  @state() private problem = "";
  private session!: MistakeSession;

  override connectedCallback(): void {
    super.connectedCallback();
    this.session = new MistakeSession(this.learnt, this.mistakes, () => {
      this.requestUpdate();
    });
    void this.open();
  }

  override disconnectedCallback(): void {
    this.session.close();
    super.disconnectedCallback();
  }

  private async open(): Promise<void> {
    const { session } = this;
    try {
      const [board] = await Promise.all([createBoard(this.learnt, { about: this.about }), session.open()]);
      listenTo(board, this, () => (session.phase === "asking" ? session.own : null));
      this.board = board;
    } catch (error) {
      this.problem = sentence(error);
    }
  }

  private readonly leave = (): void => {
    this.dispatchEvent(new CustomEvent("leave"));
  };

  // ---- drawing -------------------------------------------------------------------------------

  protected override willUpdate(): void {
    const { board, session } = this;
    const position = session.shown;
    if (board === null || position === null) return;
    const own = session.phase === "asking" ? session.own : null;
    const hint = session.phase === "shown" ? session.mistake.before.bestMove : null;
    fill(board, { position, own, hint, seat: session.mistake.seat });
  }

  override render(): TemplateResult {
    const { session, board, problem } = this;
    if (problem !== "") return html`<p class="problem" role="alert">${problem}</p>`;
    return html`
      <section class="board" aria-label=${common.board}>${board}</section>
      <div class="side">
        <div class="card step">
          <h1>${texts.heading(session.number + 1, session.mistakes.length)}</h1>
          ${board === null ? html`<p class="note">${common.loading}</p>` : this.card(session, board)}
          <div class="row"><button @click=${this.leave}>${texts.back}</button></div>
        </div>
      </div>
    `;
  }

  private card(session: MistakeSession, board: BoardElement): TemplateResult {
    const { move, played, seat, ply } = session.mistake;
    return html`
      <p class="task">
        <span class="swatch" style="--own: var(--seat-${seat})"></span
        >${texts.task(ply, this.name, html`<strong>${board.spell(move)}</strong>`, lossIn(played))}
      </p>
      <div class="said" role="status">${this.said(session, board)}</div>
      <div class="row">${this.buttons(session, board)}</div>
    `;
  }

  private said(session: MistakeSession, board: BoardElement): TemplateResult | null {
    const { phase, own, played, problem } = session;
    if (own.problem !== "") return html`<p class="problem">${own.problem}</p>`;
    switch (phase) {
      case "asking":
        return null;
      case "judging":
        return html`<p class="note">${texts.judging}</p>`;
      case "good":
        return html`<p class="done">
          <strong>${texts.good}</strong> ${goodText(played === null ? "" : lossIn(played))}
          ${this.ending(session)}
        </p>`;
      case "wrong":
        return html`<p class="mistake"><strong>${exercise.notYet}</strong> ${this.wrongText(session)}</p>`;
      case "refused":
        return html`<p class="problem">${texts.refused(problem)}</p>`;
      case "shown":
        return html`<p>
          ${exercise.best(html`<strong>${board.spell(session.best)}</strong>`)} ${this.ending(session)}
        </p>`;
    }
  }

  private wrongText({ answer, mistake, played }: MistakeSession): string {
    const loss = played === null ? "" : lossIn(played);
    return answer?.move === mistake.move ? texts.sameMove(loss) : texts.worse(loss);
  }

  /** After the last mistake, how many were answered well. */
  private ending({ isLast, found, mistakes }: MistakeSession): string {
    return isLast ? texts.found(found, mistakes.length) : "";
  }

  private buttons(session: MistakeSession, board: BoardElement): TemplateResult | null {
    const next = session.isLast
      ? null
      : html`<button class="primary" @click=${session.next}>${texts.next}</button>`;
    const solution = html`<button @click=${session.giveUp}>${exercise.solution}</button>`;
    switch (session.phase) {
      case "asking":
        return html`${moveButtons(session.own, board)} ${solution}`;
      case "judging":
        return null;
      case "wrong":
        return html`<button class="primary" @click=${session.tryAgain}>${exercise.tryAgain}</button
          >${solution}`;
      case "refused":
        return html`<button class="primary" @click=${session.judgeAgain}>${texts.judgeAgain}</button>
          <button @click=${session.tryAgain}>${texts.otherMove}</button>`;
      case "good":
      case "shown":
        return next;
    }
  }
}

function goodText(loss: string): string {
  return loss === "" ? texts.asGood : texts.nearlyAsGood(loss);
}
