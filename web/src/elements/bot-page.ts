// <bot-page>: what the ladder knows about one bot: ratings, opponents, latest games, errors.
import { LitElement, html, svg, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import * as common from "#texts/common";
import * as formats from "#texts/formats";
import * as ladder from "#texts/ladder";
import * as texts from "#texts/bot";
import { getRules } from "../api/client";
import {
  getBotReport,
  type BotReport,
  type Meeting,
  type RatedResult,
  type Version,
  type WeakOpening,
} from "../api/ladder";
import type { GameRules } from "../api/shapes";
import { lossText, thinkingText } from "../state/findings";
import { endingText, gameTitle, reasonsIn, tabTitle, variantTitle } from "../state/labels";
import { Polling } from "../state/polling";
import { curveOf } from "../state/rating-curve";
import { analysisPath, botPath, gamePath, ladderPath } from "../state/route";
import { controls } from "./controls";
import { errorOf } from "./ladder-page";
import { ladderStyles } from "./ladder-styles";

interface Shown {
  readonly report: BotReport;
  readonly rules: ReadonlyMap<string, GameRules>;
}

@customElement("bot-page")
export class BotPage extends LitElement {
  static override styles = [controls, ladderStyles];

  @property({ attribute: false }) bot = "";
  private readonly polling = new Polling<Shown>(
    () => this.read(),
    () => {
      this.requestUpdate();
      const { answer } = this.polling;
      if (answer !== null) document.title = tabTitle(nameOf(answer.report));
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
    const [report, catalogue] = await Promise.all([getBotReport(this.bot), getRules()]);
    return { report, rules: new Map(catalogue.map((rules) => [rules.game, rules])) };
  }

  override render(): TemplateResult {
    const { answer, problem } = this.polling;
    if (answer === null) return this.missing(problem);
    const { report, rules } = answer;
    return html`
      <div class="card">
        <h1>${nameOf(report)}</h1>
        <p class="note">${report.bot} · <a href="/bots">${ladder.allBots}</a></p>
        ${report.pools.map((pool) => this.pool(pool, report, rules))} ${howItPlays(report)}
        <h2>${texts.latestGames}</h2>
        ${report.results.length === 0 ? html`<p class="note">${texts.noneEnded}</p>` : null}
        <table ?hidden=${report.results.length === 0}>
          <thead>
            <tr>
              <th scope="col">${texts.against}</th>
              <th scope="col">${texts.result}</th>
              <th class="wide" scope="col">${common.game}</th>
              <th scope="col">${texts.ended}</th>
            </tr>
          </thead>
          <tbody>
            ${report.results.map((result) => this.result(result, rules))}
          </tbody>
        </table>
      </div>
    `;
  }

  private missing(problem: string): TemplateResult {
    if (problem === "") return html`<p>${common.loading}</p>`;
    return html`<div class="card">
      <h1>${this.bot}</h1>
      <p role="alert">${problem}</p>
      <p class="note"><a href="/bots">${ladder.allBots}</a></p>
    </div>`;
  }

  private pool(
    { game, variant, versions }: BotReport["pools"][number],
    report: BotReport,
    rules: Shown["rules"],
  ): TemplateResult {
    const met = report.opponents.filter((one) => one.game === game && one.variant === variant);
    return html`
      <h2><a href=${ladderPath(game, variant)}>${titleOf(game, variant, rules)}</a></h2>
      ${versions.map((version) => this.version(version))}
      ${
        met.length === 0
          ? null
          : html`<table>
              <thead>
                <tr>
                  <th scope="col">${texts.against}</th>
                  <th class="number" scope="col">${texts.score}</th>
                  <th class="number" scope="col">${ladder.won}</th>
                  <th class="number" scope="col">${ladder.drawn}</th>
                  <th class="number" scope="col">${ladder.lost}</th>
                </tr>
              </thead>
              <tbody>
                ${met.map(meetingRow)}
              </tbody>
            </table>`
      }
      ${weakOpenings(report.weakOpenings.filter((one) => one.game === game && one.variant === variant))}
    `;
  }

  private version(version: Version): TemplateResult {
    const { rating, games, errors, player, bot, rank, waiting } = version;
    const name = player.slice(bot.length + 1);
    const byErrors = errors === 0 ? null : html`<span class="error">${texts.byErrors(errors)}</span>`;
    const curve = curveOf(version.progress);
    return html`
      <p>
        ${name === "" ? null : texts.version(html`<strong>${name}</strong>`)}<strong
          >${Math.round(rating)}</strong
        >
        ${errorOf(version)}${texts.place(rank)}${texts.record(games, version, byErrors)}
        ${waiting === null ? null : html`<span class="error">${waiting}</span>`}
      </p>
      ${
        curve === null
          ? null
          : html`<svg
                class="curve"
                viewBox="0 0 100 100"
                preserveAspectRatio="none"
                role="img"
                aria-label=${texts.curve}
              >
                ${svg`<path class="band" d=${curve.band} /><path class="line" d=${curve.line} />`}
              </svg>
              <p class="note">${texts.curveIsOf(Math.round(curve.low), Math.round(curve.high))}</p>`
      }
    `;
  }

  private result(result: RatedResult, rules: Shown["rules"]): TemplateResult {
    const { gameId, game, variant, names, seat, note } = result;
    const others = names.filter((_, index) => index !== seat);
    const isError = result.lostByError.includes(seat);
    const reasons = reasonsIn(rules.get(game)?.about, variant);
    return html`<tr>
      <td class="name">${others.join(", ")}</td>
      <td>
        <a href=${gamePath(gameId, null)}>${outcomeOf(result)}</a>
        <span class="soft">${endingText(result.reason, reasons)}</span>
        ${note === null ? null : html`<span class=${isError ? "error" : "soft"}>${note}</span>`}
      </td>
      <td class="wide">
        <a href=${analysisPath(gameId)}>${texts.analyse}</a>
        <span class="soft">${titleOf(game, variant, rules)}</span>
      </td>
      <td class="soft">${texts.endedAt(result.endedAt)}</td>
    </tr>`;
  }
}

function howItPlays({ looked, losses, thinking }: BotReport): TemplateResult | null {
  if (losses.length === 0 && thinking === null) return null;
  return html`
    <h2>${texts.howItPlays}</h2>
    ${
      thinking === null
        ? null
        : html`<p>
            ${thinkingText(thinking)} <a href=${gamePath(thinking.slowestGameId, null)}>${texts.slowest}</a>
          </p>`
    }
    ${losses.map(
      (loss) =>
        html`<p>
          ${lossText(loss, looked)} <a href=${analysisPath(loss.gameId)}>${texts.latest}</a>
          ${
            loss.shortestGameId === loss.gameId
              ? null
              : html`<a href=${analysisPath(loss.shortestGameId)}>${texts.shortest}</a>`
          }
        </p>`,
    )}
  `;
}

function weakOpenings(weak: readonly WeakOpening[]): TemplateResult | null {
  if (weak.length === 0) return null;
  return html`
    <h3>${texts.weakOpenings}</h3>
    <ul>
      ${weak.map(
        ({ moves, games, score, expected, gameId }) =>
          html`<li>
            ${texts.weakOpening(
              moves.map((move, index) => html`${index === 0 ? "" : " "}<code>${move}</code>`),
              percentText(score / games),
              games,
              percentText(expected / games),
            )}
            <a href=${analysisPath(gameId)}>${texts.analyseLost}</a>
          </li>`,
      )}
    </ul>
    <p class="note">${texts.aboutOpenings}</p>
  `;
}

function percentText(share: number): string {
  return formats.percent(Math.round(100 * share));
}

function meetingRow({ bot, name, wins, draws, losses }: Meeting): TemplateResult {
  const games = wins + draws + losses;
  return html`<tr>
    <td class="name"><a href=${botPath(bot)}>${name}</a></td>
    <td class="number">${percentText((wins + draws / 2) / games)}</td>
    <td class="number">${wins}</td>
    <td class="number">${draws}</td>
    <td class="number">${losses}</td>
  </tr>`;
}

function outcomeOf({ places, seat }: RatedResult): string {
  if (places === null) return texts.results.uncounted;
  if (places[seat] !== 1) return texts.results.lost;
  return places.filter((place) => place === 1).length > 1 ? texts.results.drawn : texts.results.won;
}

function nameOf({ bot, pools }: BotReport): string {
  return pools[0]?.versions[0]?.name ?? bot;
}

function titleOf(game: string, variant: string, rules: Shown["rules"]): string {
  const known = rules.get(game);
  return `${known === undefined ? game : gameTitle(known)}, ${variantTitle(known?.about, variant)}`;
}
