// <bot-page>: what the ladder knows about one bot: ratings, opponents, latest games, errors.
import { LitElement, html, svg, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
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
        <p class="note">${report.bot} · <a href="/bots">All bots</a></p>
        ${report.pools.map((pool) => this.pool(pool, report, rules))} ${howItPlays(report)}
        <h2>Latest games</h2>
        ${report.results.length === 0 ? html`<p class="note">None has ended yet.</p>` : null}
        <table ?hidden=${report.results.length === 0}>
          <thead>
            <tr>
              <th scope="col">Against</th>
              <th scope="col">Result</th>
              <th class="wide" scope="col">Game</th>
              <th scope="col">Ended</th>
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
    if (problem === "") return html`<p>Loading…</p>`;
    return html`<div class="card">
      <h1>${this.bot}</h1>
      <p role="alert">${problem}</p>
      <p class="note"><a href="/bots">All bots</a></p>
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
                  <th scope="col">Against</th>
                  <th class="number" scope="col">Score</th>
                  <th class="number" scope="col">Won</th>
                  <th class="number" scope="col">Drawn</th>
                  <th class="number" scope="col">Lost</th>
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
    const { rating, games, wins, draws, losses, errors, player, bot, rank, waiting } = version;
    const name = player.slice(bot.length + 1);
    const curve = curveOf(version.progress);
    return html`
      <p>
        ${name === "" ? null : html`Version <strong>${name}</strong>: `}<strong>${Math.round(rating)}</strong>
        ${errorOf(version)}${rank === null ? " (provisional)" : `, place ${rank}`}, ${games}
        ${games === 1 ? "game" : "games"} (${wins} won, ${draws} drawn, ${losses}
        lost${errors === 0 ? "" : html`, <span class="error">${errors} by errors</span>`})
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
                aria-label="The rating and its 95 % interval over its latest games"
              >
                ${svg`<path class="band" d=${curve.band} /><path class="line" d=${curve.line} />`}
              </svg>
              <p class="note">
                Its latest games, by today's ratings of its opponents: between ${Math.round(curve.low)} and
                ${Math.round(curve.high)}, with the 95 % interval.
              </p>`
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
        <a href=${analysisPath(gameId)}>analyse</a> <span class="soft">${titleOf(game, variant, rules)}</span>
      </td>
      <td class="soft">
        ${new Date(result.endedAt).toLocaleString([], { dateStyle: "short", timeStyle: "short" })}
      </td>
    </tr>`;
  }
}

function howItPlays({ looked, losses, thinking }: BotReport): TemplateResult | null {
  if (losses.length === 0 && thinking === null) return null;
  return html`
    <h2>How it plays</h2>
    ${
      thinking === null
        ? null
        : html`<p>
            ${thinkingText(thinking)} <a href=${gamePath(thinking.slowestGameId, null)}>Slowest move</a>
          </p>`
    }
    ${losses.map(
      (loss) =>
        html`<p>
          ${lossText(loss, looked)} <a href=${analysisPath(loss.gameId)}>Latest</a>
          ${
            loss.shortestGameId === loss.gameId
              ? null
              : html`<a href=${analysisPath(loss.shortestGameId)}>Shortest</a>`
          }
        </p>`,
    )}
  `;
}

function weakOpenings(weak: readonly WeakOpening[]): TemplateResult | null {
  if (weak.length === 0) return null;
  return html`
    <h3>Openings in which it scores less than its rating says</h3>
    <ul>
      ${weak.map(
        ({ moves, games, score, expected, gameId }) =>
          html`<li>
            ${moves.map((move, index) => html`${index === 0 ? "" : " "}<code>${move}</code>`)}: scores
            ${percentText(score / games)} in ${games} games, ${percentText(expected / games)} expected.
            <a href=${analysisPath(gameId)}>Analyse a lost one</a>
          </li>`,
      )}
    </ul>
    <p class="note">Only openings are listed in which bad luck hardly explains the score.</p>
  `;
}

function percentText(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
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
  if (places === null) return "does not count";
  if (places[seat] !== 1) return "lost";
  return places.filter((place) => place === 1).length > 1 ? "drawn" : "won";
}

function nameOf({ bot, pools }: BotReport): string {
  return pools[0]?.versions[0]?.name ?? bot;
}

function titleOf(game: string, variant: string, rules: Shown["rules"]): string {
  const known = rules.get(game);
  return `${known === undefined ? game : gameTitle(known)}, ${variantTitle(known?.about, variant)}`;
}
