// <opening-explorer>: what was played from a position, how often, and with what results. state/openings.ts asks.
// A click on a move fires "play" with it. Nothing is loaded while it is closed.
import { LitElement, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import * as common from "#texts/common";
import * as formats from "#texts/formats";
import * as labels from "#texts/labels";
import * as texts from "#texts/explorer";
import type { ExploredMove, Explored, OpeningTally } from "../api/explorer";
import type { Start } from "../api/positions";
import type { GameRules } from "../api/shapes";
import { pastRow } from "../state/game-rows";
import { capitalised } from "../state/labels";
import { showsCodes } from "../state/move-notation";
import { Openings, SELF_PLAY } from "../state/openings";
import { controls } from "./controls";
import { openingExplorerStyles } from "./opening-explorer-styles";

@customElement("opening-explorer")
export class OpeningExplorer extends LitElement {
  static override styles = [controls, openingExplorerStyles];

  @property({ attribute: false }) start: Start | null = null;
  @property({ attribute: false }) moves: readonly string[] = [];
  @property({ attribute: false }) rules: GameRules | null = null;
  /** A move in words, which are shown unless the person prefers codes. */
  @property({ attribute: false }) spell: (move: string) => string = (move) => move;
  /** The start and the moves that were looked at last. */
  private shown = "";
  private openings = new Openings(() => {
    this.requestUpdate();
  });

  override disconnectedCallback(): void {
    this.openings.close();
    super.disconnectedCallback();
  }

  protected override willUpdate(): void {
    const shown = JSON.stringify([this.start, this.moves]);
    if (shown === this.shown) return;
    this.shown = shown;
    this.openings.look(this.start, this.moves);
  }

  override render(): TemplateResult {
    const { isOpen } = this.openings;
    return html`<details class="card" ?open=${isOpen} @toggle=${this.onToggle}>
      <summary>${texts.heading}</summary>
      ${isOpen ? html`<div class="content">${this.sources()} ${this.content()}</div>` : null}
    </details>`;
  }

  private sources(): TemplateResult {
    const { source, choices } = this.openings;
    const option = (value: string, label: string): TemplateResult =>
      html`<option value=${value} .selected=${value === source}>${label}</option>`;
    return html`<div class="sources">
      <label for="source">${texts.gamesOf}</label>
      <select id="source" @change=${this.onSource}>
        <optgroup label=${texts.ofServer}>
          ${choices.map(({ value, label }) => option(value, label))}
        </optgroup>
        <optgroup label=${texts.ofPlyhouse}>${option(SELF_PLAY, texts.selfPlay)}</optgroup>
      </select>
    </div>`;
  }

  private content(): TemplateResult {
    const { explored, problem } = this.openings;
    if (problem !== "") return html`<p class="problem" role="alert">${problem}</p>`;
    if (explored === null) return html`<p class="note">${common.loading}</p>`;
    if (explored.games === 0) return this.empty(explored);
    return html`
      <p class="note">${this.summary(explored)}</p>
      ${explored.moves.length > 0 ? this.table(explored) : html`<p class="note">${texts.noFurtherGame}</p>`}
      ${explored.latest.length > 0 ? this.latest(explored) : null}
    `;
  }

  private empty({ ply, depth, made }: Explored): TemplateResult {
    const isServer = this.openings.source !== SELF_PLAY;
    const why =
      made === null && !isServer ? texts.noSelfPlay : ply < depth ? texts.noGame : texts.tooDeep(depth);
    return html`<div class="empty">
      <p class="note">${why}</p>
      ${isServer && ply < depth ? html`<button @click=${this.onSelfPlay}>${texts.lookAtSelfPlay}</button>` : null}
    </div>`;
  }

  /** How many games there are, how they ended, and where they come from. */
  private summary(explored: Explored): string {
    const { games, made } = explored;
    const counted = made === null ? texts.games(games) : texts.selfPlayGames(games, made.level);
    return `${counted}. ${this.results(explored)}`;
  }

  private table(explored: Explored): TemplateResult {
    return html`<div class="moves">
      <table aria-label=${texts.movesFromHere}>
        <thead>
          <tr>
            <th scope="col">${texts.move}</th>
            <th scope="col" class="number">${texts.gamesHeading}</th>
            <th scope="col">${texts.results}</th>
          </tr>
        </thead>
        <tbody>
          ${explored.moves.map((move) => this.row(move, explored.games))}
        </tbody>
      </table>
    </div>`;
  }

  private row(move: ExploredMove, total: number): TemplateResult {
    const text = showsCodes() ? move.move : this.spell(move.move);
    const share = formats.percent(Math.round((100 * move.games) / total));
    return html`<tr>
      <th scope="row">
        <button
          @click=${() => {
            this.dispatchEvent(new CustomEvent<string>("play", { detail: move.move }));
          }}
        >
          ${text}
        </button>
      </th>
      <td class="number" title=${share}>${formats.number(move.games)}</td>
      <td>${this.bar(move)}</td>
    </tr>`;
  }

  private bar(tally: OpeningTally): TemplateResult {
    const text = this.results(tally);
    const part = (share: number, style: string): TemplateResult =>
      html`<i style="flex-grow: ${share}; background: ${style}"></i>`;
    const [first = 0, ...others] = tally.wins;
    return html`<div class="bar" role="img" aria-label=${text} title=${text}>
      ${part(first, "var(--seat-0)")} ${part(tally.draws, "var(--line)")}
      ${others.map((wins, index) => part(wins, `var(--seat-${index + 1})`))}
    </div>`;
  }

  /** How games ended: `White 52 %, Black 40 %, draws 8 %`. */
  private results({ games, draws, wins, points }: OpeningTally): string {
    const share = (number: number): number => Math.round((100 * number) / games);
    const names = this.rules?.about.seats ?? [];
    const seats = wins.map((number, seat) => {
      const name = capitalised(names[seat] ?? labels.player(seat + 1));
      const mean = points === null ? "" : texts.meanPoints(points[seat] ?? 0);
      return `${name} ${formats.percent(share(number))}${mean}`;
    });
    return `${[...seats, ...(draws > 0 ? [texts.draws(share(draws))] : [])].join(", ")}.`;
  }

  private latest({ latest }: Explored): TemplateResult {
    const { rules } = this;
    const catalogue = new Map(rules === null ? [] : [[rules.game, rules] as const]);
    return html`<h2>${texts.latest}</h2>
      <ul>
        ${latest.map((game) => {
          const { href, players, note } = pastRow(game, catalogue);
          return html`<li><a href=${href}>${players.join(" – ")}</a><span class="note">${note}</span></li>`;
        })}
      </ul>`;
  }

  private readonly onToggle = (event: Event): void => {
    this.openings.open((event.target as HTMLDetailsElement).open);
  };

  private readonly onSource = (event: Event): void => {
    this.openings.choose((event.target as HTMLSelectElement).value);
  };

  private readonly onSelfPlay = (): void => {
    this.openings.choose(SELF_PLAY);
  };
}
