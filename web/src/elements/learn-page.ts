// <learn-page>: teaches a game in short steps on its board, then sets puzzles. lessons.ts has the steps, and
// state/exercise.ts what the reader does in one.
import { LitElement, html, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import * as common from "#texts/common";
import * as exercise from "#texts/exercise";
import * as texts from "#texts/learn";
import { getRules, sentence } from "../api/client";
import type { GameRules } from "../api/shapes";
import { createBoard, dress, type Blocked, type BoardElement } from "../boards";
import { lessonOf, type Lesson, type Step } from "../lessons";
import { READER, Exercise } from "../state/exercise";
import { gameTitle, tabTitle } from "../state/labels";
import { keepLearnt, learntIn } from "../state/learnt";
import { movesOf } from "../state/moves";
import { learnPath, puzzlePath, rulesPath, startPath } from "../state/route";
import { controls } from "./controls";
import { learnPageStyles } from "./learn-page-styles";

@customElement("learn-page")
export class LearnPage extends LitElement {
  static override styles = [controls, learnPageStyles];

  @property({ attribute: false }) game = "";
  /** From 1; the puzzles follow the steps. */
  @property({ attribute: false }) number = 1;

  @state() private lesson: Lesson | null = null;
  @state() private rules: GameRules | null = null;
  @state() private board: BoardElement | null = null;
  @state() private problem = "";
  private exercise: Exercise | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.open();
  }

  override disconnectedCallback(): void {
    this.exercise?.close();
    document.title = "Plyhouse";
    super.disconnectedCallback();
  }

  private async open(): Promise<void> {
    try {
      const [lesson, catalogue] = await Promise.all([lessonOf(this.game), getRules()]);
      const rules = catalogue.find(({ game }) => game === this.game);
      if (lesson === null || rules === undefined) throw new Error(texts.noLesson(this.game));
      this.rules = rules;
      this.lesson = lesson;
    } catch (error) {
      this.problem = sentence(error);
    }
  }

  private get gameTitle(): string {
    return this.rules === null ? this.game : gameTitle(this.rules);
  }

  /** The steps and the puzzles. */
  private get all(): readonly Step[] {
    return this.lesson === null ? [] : [...this.lesson.steps, ...this.lesson.puzzles];
  }

  private get step(): Step | undefined {
    return this.all[this.number - 1];
  }

  private async begin(step: Step): Promise<void> {
    this.exercise?.close();
    const exercise = new Exercise(this.game, step, () => {
      if (exercise.state.isSolved) keepLearnt(this.game, step.title);
      this.requestUpdate();
    });
    this.exercise = exercise;
    const variant = step.start.variant ?? this.rules?.variants[0] ?? "";
    try {
      const [board] = await Promise.all([
        createBoard({ game: this.game, variant }, { about: this.rules?.about }),
        exercise.open(),
      ]);
      if (this.exercise !== exercise) return;
      board.addEventListener("action", (event) => {
        void exercise.stage((event as CustomEvent<string>).detail, board);
      });
      board.addEventListener("unstage", () => {
        exercise.restart("");
      });
      board.addEventListener("blocked", (event) => {
        void exercise.explain((event as CustomEvent<Blocked>).detail, board);
      });
      board.addEventListener("aim", () => {
        this.requestUpdate();
      });
      dress(this, board);
      this.board = board;
    } catch (error) {
      this.problem = sentence(error);
    }
  }

  // ---- drawing -------------------------------------------------------------------------------

  protected override willUpdate(changed: PropertyValues): void {
    const { step } = this;
    if (step === undefined) return;
    if (changed.has("number") || changed.has("lesson")) void this.begin(step);
    document.title = tabTitle(texts.titleOf(step.title, this.gameTitle));
    const { board, exercise } = this;
    if (board === null || exercise?.step !== step || exercise.state.position === null) return;
    const { position, legal, staged, isBusy, isSolved } = exercise.state;
    board.view = position.view;
    board.legal = isBusy || isSolved ? [] : legal;
    if (!board.legal.includes(board.aimed ?? "")) board.aimed = null;
    board.staged = staged;
    board.lastMove = movesOf(position.history).at(-1) ?? null;
    board.seat = READER;
    board.below = READER;
  }

  override render(): TemplateResult {
    const { step, lesson } = this;
    if (this.problem !== "") return html`<p class="problem" role="alert">${this.problem}</p>`;
    if (lesson === null) return html`<p class="note">${common.loading}</p>`;
    if (step === undefined)
      return html`<p>
        ${texts.stepCount(this.all.length)} <a href=${learnPath(this.game)}>${texts.begin}</a>
      </p>`;
    return html`
      <section class="board" aria-label=${common.board}>${this.board}</section>
      <div class="side">
        <div class="card step">${this.card(step, lesson)}</div>
        ${this.board === null ? null : this.contents()}
      </div>
    `;
  }

  private card(step: Step, { steps, puzzles }: Lesson): TemplateResult {
    const isPuzzle = this.number > steps.length;
    const heading = isPuzzle
      ? texts.puzzle(this.gameTitle, this.number - steps.length, puzzles.length)
      : texts.step(this.gameTitle, this.number, steps.length);
    return html`
      <h1>${heading}</h1>
      <h2>${step.title}</h2>
      <p>${step.rule} ${step.scene}</p>
      <p class="task">${step.task}</p>
      <div class="said" role="status">${this.verdict(step)}</div>
      <div class="row">${this.buttons()}</div>
    `;
  }

  /** Shown with the board, which would push it down on phones. */
  private contents(): TemplateResult {
    return html`<div class="contents">
      <nav aria-label=${texts.steps}>
        <ol class="steps">
          ${this.all.map((each, index) => this.link(each, index + 1))}
        </ol>
      </nav>
      <p class="note">
        <a href=${rulesPath(this.game)}>${texts.allRules}</a> ·
        <a href=${puzzlePath(this.game)}>${common.puzzles}</a> ·
        <a href=${startPath(this.game)}>${texts.playGame}</a>
      </p>
    </div>`;
  }

  private verdict(step: Step): TemplateResult | null {
    const { state } = this.exercise ?? {};
    if (state === undefined) return null;
    if (state.problem !== "") return html`<p class="problem">${state.problem}</p>`;
    if (state.isSolved) return html`<p class="done"><strong>${exercise.right}</strong> ${step.done}</p>`;
    if (state.mistake !== "")
      return html`<p class="mistake"><strong>${exercise.notYet}</strong> ${state.mistake}</p>`;
    return null;
  }

  private buttons(): TemplateResult {
    const { exercise, board } = this;
    if (exercise === null || board === null) return html``;
    const { isSolved, staged, canFinish, isBusy } = exercise.state;
    if (isSolved) return this.onward();
    if (board.aimed != null)
      return html`<button
        class="primary"
        @click=${() => {
          if (board.aimed !== null) void exercise.stage(board.aimed, board);
        }}
      >
        ${common.confirmMove(board.spell(board.aimed))}
      </button>`;
    if (staged.length === 0) return html``;
    return html`
      <button
        ?disabled=${isBusy}
        @click=${() => {
          exercise.restart("");
        }}
      >
        ${common.undo}
      </button>
      <button
        class="primary"
        ?disabled=${isBusy || !canFinish}
        @click=${() => {
          void exercise.finish(board);
        }}
      >
        ${common.finishTurn}
      </button>
    `;
  }

  /** What follows a solved step. */
  private onward(): TemplateResult {
    return this.number < this.all.length
      ? html`<a class="button primary" href=${learnPath(this.game, this.number + 1)}>${texts.next}</a>`
      : html`<a class="button primary" href=${startPath(this.game)}>${texts.playFirst}</a>`;
  }

  private link({ title }: Step, number: number): TemplateResult {
    const isLearnt = learntIn(this.game).has(title);
    return html`<li>
      <a
        class=${isLearnt ? "learnt" : ""}
        href=${learnPath(this.game, number)}
        title=${title}
        aria-label=${isLearnt ? texts.solvedLink(number, title) : texts.link(number, title)}
        aria-current=${number === this.number ? "step" : "false"}
        >${isLearnt && number !== this.number ? "✓" : number}</a
      >
    </li>`;
  }
}
