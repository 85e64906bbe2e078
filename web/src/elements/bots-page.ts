// <bots-page>: the bots that are here, and the ladders in which bots are rated.
import { LitElement, html, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import * as common from "#texts/common";
import * as counts from "#texts/counts";
import * as texts from "#texts/bots";
import { getRules } from "../api/client";
import { getAllBots, getPools, type LadderPool, type ListedBot } from "../api/ladder";
import type { GameRules } from "../api/shapes";
import { gameTitle, tabTitle, variantTitle } from "../state/labels";
import { Polling } from "../state/polling";
import { botPath, ladderPath, startPath } from "../state/route";
import { controls } from "./controls";
import { ladderStyles } from "./ladder-styles";

interface Shown {
  readonly bots: readonly ListedBot[];
  readonly pools: readonly LadderPool[];
  readonly rules: ReadonlyMap<string, GameRules>;
}

@customElement("bots-page")
export class BotsPage extends LitElement {
  static override styles = [controls, ladderStyles];

  private readonly polling = new Polling<Shown>(read, () => {
    this.requestUpdate();
  });

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = tabTitle(texts.heading);
    this.polling.open();
  }

  override disconnectedCallback(): void {
    this.polling.close();
    document.title = "Plyhouse";
    super.disconnectedCallback();
  }

  override render(): TemplateResult {
    const { answer, problem } = this.polling;
    if (answer === null) return html`<p role="status">${problem === "" ? common.loading : problem}</p>`;
    const { bots, pools, rules } = answer;
    const attached = bots.filter(({ level }) => level === undefined);
    return html`
      <div class="card">
        <h1>${texts.heading}</h1>
        <p class="note">${texts.introduction((address, text) => html`<a href=${address}>${text}</a>`)}</p>
        <h2>${texts.ladders}</h2>
        ${
          pools.length === 0
            ? none
            : html`<ul>
                ${pools.map((pool) => ladderLine(pool, rules))}
              </ul>`
        }
        <h2>${texts.hereNow}</h2>
        ${
          attached.length === 0
            ? html`<p class="note">${texts.onlyBuiltIn}</p>`
            : html`<table>
                <thead>
                  <tr>
                    <th scope="col">${texts.bot}</th>
                    <th scope="col">${common.game}</th>
                    <th class="wide" scope="col">${texts.variants}</th>
                    <th scope="col">${texts.clock}</th>
                  </tr>
                </thead>
                <tbody>
                  ${attached.map((bot) => botLine(bot, rules))}
                </tbody>
              </table>`
        }
      </div>
    `;
  }
}

async function read(): Promise<Shown> {
  const [bots, pools, catalogue] = await Promise.all([getAllBots(), getPools(), getRules()]);
  return { bots, pools, rules: new Map(catalogue.map((rules) => [rules.game, rules])) };
}

function ladderLine(pool: LadderPool, rules: Shown["rules"]): TemplateResult {
  const known = rules.get(pool.game);
  const title = known === undefined ? pool.game : gameTitle(known);
  const players = counts.players(pool.players);
  const games = pool.running === 0 ? "" : texts.gamesNow(pool.running);
  return html`<li>
    <a href=${ladderPath(pool.game, pool.variant)}>${title}, ${variantTitle(known?.about, pool.variant)}</a>
    <span class="soft">${players}${games}</span>
  </li>`;
}

function botLine(bot: ListedBot, rules: Shown["rules"]): TemplateResult {
  const known = rules.get(bot.game);
  const variants = Object.keys(bot.variants).map((name) => variantTitle(known?.about, name));
  return html`<tr>
    <td class="name">
      ${bot.ladder === true ? html`<a href=${botPath(bot.id)}>${bot.name}</a>` : bot.name}
      <span class="soft"
        >${bot.id}${bot.protocol === undefined ? "" : `, ${bot.protocol.toUpperCase()}`}</span
      >
    </td>
    <td>${known === undefined ? bot.game : html`<a href=${startPath(bot.game)}>${gameTitle(known)}</a>`}</td>
    <td class="wide">${variants.join(", ")}</td>
    <td>${bot.timed ? texts.yes : texts.no}</td>
  </tr>`;
}

const none = html`<p class="note">${texts.noRated(html`<code>plyhouse bot --ladder</code>`)}</p>`;
