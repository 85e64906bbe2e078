// <puzzle-page>: positions with one best move, to be found on the board. state/puzzle-session.ts has one puzzle,
// state/puzzle-results.ts what the browser keeps.
import { LitElement, html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import * as common from "#texts/common";
import * as exercise from "#texts/exercise";
import * as labels from "#texts/labels";
import * as texts from "#texts/puzzles";
import { getRules, sentence } from "../api/client";
import { drawPuzzles, getPuzzle, getPuzzleGames, type Puzzle, type PuzzleGame } from "../api/puzzles";
import type { GameRules } from "../api/shapes";
import { createBoard, type BoardElement } from "../boards";
import { LEARNABLE } from "../lessons";
import { boardPath } from "../state/board-address";
import { capitalised, gameTitle, tabTitle, variantTitle } from "../state/labels";
import { PuzzleSession } from "../state/puzzle-session";
import { seenIn, streakIn } from "../state/puzzle-results";
import { learnPath, puzzlePath, rulesPath } from "../state/route";
import { percentage, sharesOf, worthOf } from "../state/worth";
import { fill, listenTo, moveButtons } from "./asking-board";
import { controls } from "./controls";
import { selectField, type Option } from "./fields";
import { learnPageStyles } from "./learn-page-styles";
import { puzzlePageStyles } from "./puzzle-page-styles";

/** How many puzzles are drawn, so that one of them is probably new. */
const DRAWN = 20;

@customElement("puzzle-page")
export class PuzzlePage extends LitElement {
  static override styles = [controls, learnPageStyles, puzzlePageStyles];

  @property({ attribute: false }) game = "";
  /** The puzzle of the address; null for any. */
  @property({ attribute: false }) puzzleId: string | null = null;

  @state() private rules: GameRules | null = null;
  @state() private offered: PuzzleGame | null = null;
  @state() private board: BoardElement | null = null;
  @state() private problem = "";
  @state() private wish = { variant: "", theme: "", difficulty: "" };
  private session: PuzzleSession | null = null;
  /** Puzzles are numbered, so that one that arrives late is ignored. */
  private request = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.open();
  }

  override disconnectedCallback(): void {
    this.request++;
    this.session?.close();
    document.title = "Plyhouse";
    super.disconnectedCallback();
  }

  private async open(): Promise<void> {
    await this.attempt(async () => {
      const [catalogue, games] = await Promise.all([getRules(), getPuzzleGames()]);
      const rules = catalogue.find(({ game }) => game === this.game);
      if (rules === undefined) throw new Error(texts.noGame(this.game));
      this.rules = rules;
      this.offered = games.find(({ game }) => game === this.game) ?? null;
    });
    if (this.offered !== null) await this.begin(this.puzzleId);
  }

  /** Sets the puzzle with this id, or another one that fits the wish. */
  private async begin(id: string | null): Promise<void> {
    const request = ++this.request;
    await this.attempt(async () => {
      const puzzle = id === null ? await this.drawn() : await getPuzzle(id);
      if (request !== this.request) return;
      if (puzzle.game !== this.game) throw new Error(texts.otherGame(puzzle.id));
      await this.set(puzzle);
    });
  }

  private async drawn(): Promise<Puzzle> {
    const puzzles = await drawPuzzles(this.game, this.wish, DRAWN);
    const seen = seenIn(this.game);
    const last = this.session?.puzzle.id;
    const found =
      puzzles.find(({ id }) => !seen.has(id) && id !== last) ??
      puzzles.find(({ id }) => id !== last) ??
      puzzles[0];
    if (found === undefined) throw new Error(texts.noSuch);
    return found;
  }

  private async set(puzzle: Puzzle): Promise<void> {
    this.session?.close();
    const isSimultaneous = this.rules?.about.simultaneous === true;
    const session = new PuzzleSession(puzzle, isSimultaneous, () => {
      this.requestUpdate();
    });
    this.session = session;
    history.replaceState(null, "", puzzlePath(this.game, puzzle.id));
    const [board] = await Promise.all([
      createBoard({ game: this.game, variant: puzzle.variant }, { about: this.rules?.about }),
      session.open(),
    ]);
    if (this.session !== session) return;
    listenTo(board, this, () => (session.phase === "asking" ? session.own : null));
    this.board = board;
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    this.problem = "";
    try {
      await work();
    } catch (error) {
      this.problem = sentence(error);
    }
  }

  private readonly next = (): void => {
    void this.begin(null);
  };

  private choose(part: Partial<PuzzlePage["wish"]>): void {
    this.wish = { ...this.wish, ...part };
    this.next();
  }

  // ---- drawing -------------------------------------------------------------------------------

  protected override willUpdate(): void {
    const title = this.rules === null ? this.game : gameTitle(this.rules);
    document.title = tabTitle(texts.heading(title));
    const { board, session } = this;
    const position = session?.shown ?? null;
    if (board === null || session === null || position === null) return;
    const own = session.phase === "asking" ? session.own : null;
    fill(board, { position, own, hint: session.hint, seat: session.puzzle.seat });
  }

  override render(): TemplateResult {
    const { rules, offered, problem } = this;
    if (rules === null)
      return problem === "" ? loading : html`<p class="problem" role="alert">${problem}</p>`;
    if (offered === null)
      return problem === ""
        ? html`<p>${texts.noneYet(gameTitle(rules))}</p>`
        : html`<p class="problem" role="alert">${problem}</p>`;
    return html`
      <section class="board" aria-label=${common.board}>${this.board}</section>
      <div class="side">
        <div class="card step">${this.card(rules)}</div>
        ${this.choices(rules, offered)}
      </div>
    `;
  }

  private card(rules: GameRules): TemplateResult {
    const { session, problem } = this;
    const { streak, best } = streakIn(this.game);
    return html`
      <h1>${texts.heading(gameTitle(rules))}</h1>
      <p class="streak note">
        ${texts.inARow(html`<strong>${streak}</strong>`, best > streak ? best : null)}
      </p>
      ${
        session === null
          ? html`<p class="problem" role="alert">${problem}</p>
              <div class="row">
                ${problem === "" ? loading : html`<button class="primary" @click=${this.next}>${texts.next}</button>`}
              </div>`
          : this.puzzle(session, rules)
      }
    `;
  }

  private puzzle(session: PuzzleSession, rules: GameRules): TemplateResult {
    return html`
      <p class="task">${this.task(session, rules)}</p>
      <div class="said" role="status">${this.said(session)}</div>
      <div class="row">${this.buttons(session)}</div>
      ${session.phase === "solved" || session.phase === "shown" ? this.about(session.puzzle, rules) : null}
    `;
  }

  private task({ puzzle, progress: [found, all] }: PuzzleSession, { about }: GameRules): TemplateResult {
    const seat = capitalised(about.seats?.[puzzle.seat] ?? labels.player(puzzle.seat + 1));
    const task = all === 1 ? texts.task(seat) : texts.taskOfMany(seat, Math.min(found + 1, all), all);
    return html`<span class="swatch" style="--own: var(--seat-${puzzle.seat})"></span>${task}`;
  }

  private said(session: PuzzleSession): TemplateResult | null {
    const { board } = this;
    const problem = this.problem === "" ? session.own.problem : this.problem;
    if (problem !== "") return html`<p class="problem">${problem}</p>`;
    if (board === null) return null;
    switch (session.phase) {
      case "solved":
        return html`<p class="done"><strong>${exercise.right}</strong> ${this.solved(session)}</p>`;
      case "shown":
        return html`<p>${exercise.best(html`<strong>${board.spell(session.best)}</strong>`)}</p>`;
      case "wrong":
        return html`<p class="mistake">${this.mistake(session, board)}</p>`;
      case "asking":
        return session.progress[0] > 0
          ? html`<p class="done"><strong>${exercise.right}</strong> ${texts.answered}</p>`
          : null;
    }
  }

  private solved({ puzzle, shown }: PuzzleSession): string {
    if (shown?.result?.winners.includes(puzzle.seat) === true) return texts.won;
    return puzzle.share === 1 ? texts.winsByForce : texts.expected(percentage(puzzle.share));
  }

  private mistake({ wrong, puzzle }: PuzzleSession, board: BoardElement): TemplateResult {
    const { studied = null } = wrong ?? {};
    const not = html`<strong>${texts.notBest}</strong>`;
    if (studied === null || studied.bestMove === "") return html`${not} ${texts.otherIsBetter}`;
    const share = sharesOf(worthOf(studied))[puzzle.seat] ?? 0;
    return html`${not}
    ${texts.answer(board.spell(studied.bestMove), percentage(share), percentage(puzzle.share))}`;
  }

  private buttons(session: PuzzleSession): TemplateResult {
    const { board } = this;
    if (board === null) return loading;
    const next = html`<button class="primary" @click=${this.next}>${texts.next}</button>`;
    if (session.phase === "solved" || session.phase === "shown") return next;
    const solution = html`<button @click=${session.giveUp}>${exercise.solution}</button>`;
    if (session.phase === "wrong")
      return html`<button class="primary" @click=${session.tryAgain}>${exercise.tryAgain}</button
        >${solution}`;
    return html`${moveButtons(session.own, board)} ${solution}`;
  }

  /** What the solver should not know before. */
  private about(puzzle: Puzzle, rules: GameRules): TemplateResult {
    const titles = new Map(this.offered?.themes.map(({ theme, title }) => [theme, title]));
    const themes = puzzle.themes.map((theme) => titles.get(theme) ?? theme);
    const { variant, config, moves } = puzzle;
    return html`<p class="note">
      ${variantTitle(rules.about, variant)}, ${difficultyText(puzzle.difficulty)}: ${themes.join(", ")}.
      <a href=${boardPath(this.game, { variant, config, moves })}>${texts.tryMoves}</a>
    </p>`;
  }

  private choices(rules: GameRules, { count, variants, difficulties, themes }: PuzzleGame): TemplateResult {
    const { wish } = this;
    const levels = Object.entries(difficulties).map(([name, number]): Option<string> => [
      name,
      `${capitalised(difficultyText(name))} (${number})`,
    ]);
    const kinds = themes.map(({ theme, title, count: number }): Option<string> => [
      theme,
      `${title} (${number})`,
    ]);
    const sets = Object.entries(variants).map(([name, number]): Option<string> => [
      name,
      `${variantTitle(rules.about, name)} (${number})`,
    ]);
    return html`<div class="contents choices">
      ${selectField(
        texts.difficulty,
        "difficulty",
        [["", texts.anyDifficulty(count)], ...levels],
        wish.difficulty,
        (difficulty) => {
          this.choose({ difficulty });
        },
      )}
      ${selectField(texts.theme, "theme", [["", texts.all], ...kinds], wish.theme, (theme) => {
        this.choose({ theme });
      })}
      ${
        sets.length > 1
          ? selectField(common.variant, "variant", [["", texts.all], ...sets], wish.variant, (variant) => {
              this.choose({ variant });
            })
          : null
      }
      <p class="note">
        ${LEARNABLE.includes(this.game) ? html`<a href=${learnPath(this.game)}>${texts.learnGame}</a> · ` : null}<a
          href=${rulesPath(this.game)}
          >${texts.allRules}</a
        >
      </p>
    </div>`;
  }
}

const loading = html`<p class="note">${common.loading}</p>`;

function difficultyText(name: string): string {
  return texts.difficulties[name] ?? name;
}
