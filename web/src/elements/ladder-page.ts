// <ladder-page>: the bots of a game and variant by their ratings, kept up to date.
import { LitElement, html, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import * as common from "#texts/common";
import * as texts from "#texts/ladder";
import { getRules } from "../api/client";
import { getPools, getRatings, type LadderPool, type Rated, type Ratings } from "../api/ladder";
import type { GameRules } from "../api/shapes";
import { gameTitle, tabTitle, variantTitle } from "../state/labels";
import { Polling } from "../state/polling";
import { botPath, gamePath, ladderPath } from "../state/route";
import { controls } from "./controls";
import { ladderStyles } from "./ladder-styles";

interface Shown {
  readonly ratings: Ratings;
  readonly pools: readonly LadderPool[];
}

@customElement("ladder-page")
export class LadderPage extends LitElement {
  static override styles = [controls, ladderStyles];

  @property({ attribute: false }) game = "";
  @property({ attribute: false }) variant: string | null = null;
  private rules: GameRules | undefined;
  private readonly polling = new Polling<Shown>(
    () => this.read(),
    () => {
      this.requestUpdate();
      if (this.polling.answer !== null) document.title = tabTitle(texts.ladderOf(this.gameTitle));
    },
  );

  override connectedCallback(): void {
    super.connectedCallback();
    this.polling.open();
  }

  override disconnectedCallback(): void {
    this.polling.close();
    document.title = "Plyhouse";
    super.disconnectedCallback();
  }

  private async read(): Promise<Shown> {
    const rules = getRules().then((catalogue) => {
      this.rules = catalogue.find(({ game }) => game === this.game);
    });
    const [ratings, pools] = await Promise.all([getRatings(this.game, this.variant), getPools(), rules]);
    return { ratings, pools: pools.filter(({ game }) => game === this.game) };
  }

  private get gameTitle(): string {
    return this.rules === undefined ? this.game : gameTitle(this.rules);
  }

  override render(): TemplateResult {
    const { answer, problem } = this.polling;
    if (answer === null) return this.missing(problem);
    const { ratings, pools } = answer;
    return html`
      <div class="card">
        <h1>${texts.ladderOf(this.gameTitle)}</h1>
        <p class="note">
          ${texts.introduction}
          <a href="/bots">${texts.allBots}</a>
        </p>
        <p class="problem" role="alert" ?hidden=${problem === ""}>${problem}</p>
        ${pools.length > 1 ? this.tabs(pools, ratings.variant) : null}
        <table>
          <thead>
            <tr>
              <th class="number" scope="col">#</th>
              <th scope="col">${texts.bot}</th>
              <th class="number" scope="col">${texts.rating}</th>
              <th class="number" scope="col">${texts.games}</th>
              <th class="number wide" scope="col">${texts.won}</th>
              <th class="number wide" scope="col">${texts.drawn}</th>
              <th class="number wide" scope="col">${texts.lost}</th>
              <th scope="col">${texts.now}</th>
            </tr>
          </thead>
          <tbody>
            ${ratings.players.map((row) => this.row(row))}
          </tbody>
        </table>
      </div>
    `;
  }

  private missing(problem: string): TemplateResult {
    if (problem === "") return html`<p>${common.loading}</p>`;
    return html`<div class="card">
      <h1>${texts.ladderOf(this.gameTitle)}</h1>
      <p role="alert">${problem}</p>
      <p class="note">${how} <a href="/bots">${texts.allBots}</a></p>
    </div>`;
  }

  private tabs(pools: readonly LadderPool[], variant: string): TemplateResult {
    return html`<nav class="tabs" aria-label=${texts.variants}>
      ${pools.map(
        (pool) =>
          html`<a
            class="button"
            href=${ladderPath(pool.game, pool.variant)}
            aria-current=${pool.variant === variant ? "page" : nothing}
            >${variantTitle(this.rules?.about, pool.variant)}</a
          >`,
      )}
    </nav>`;
  }

  private row(row: Rated): TemplateResult {
    return html`<tr class=${row.level ? "level" : row.here ? "" : "away"}>
      <td class="number">
        ${row.rank ?? html`<span class="soft" title=${texts.fewGames}>${texts.isNew}</span>`}
      </td>
      <td class="name">
        <a href=${botPath(row.bot)}>${row.name}</a>
        <span class="soft">${row.level ? texts.builtIn : row.player}</span>
      </td>
      <td class="number">${Math.round(row.rating)} ${errorOf(row)}</td>
      <td class="number">${row.games}</td>
      <td class="number wide">${row.wins}</td>
      <td class="number wide">${row.draws}</td>
      <td class="number wide">${row.losses}</td>
      <td>${nowOf(row)}</td>
    </tr>`;
  }
}

export function errorOf({ error }: { readonly error: number }): TemplateResult {
  const text = Math.round(error);
  return html`<span class="soft">${text === 0 ? texts.fixed : `± ${text}`}</span>`;
}

function nowOf({ playing, here, level, waiting }: Rated): TemplateResult | string {
  const [game] = playing;
  if (game !== undefined) return html`<a href=${gamePath(game, null)}>${texts.plays}</a>`;
  if (waiting !== null) return waiting;
  return level ? "" : here ? texts.waits : texts.away;
}

const how = html`${texts.howToJoin(html`<code>plyhouse bot --ladder</code>`)}`;
