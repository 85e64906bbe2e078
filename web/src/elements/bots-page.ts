// <bots-page>: the bots that are here, and the ladders in which bots are rated.
import { LitElement, html, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
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
    document.title = tabTitle("Bots");
    this.polling.open();
  }

  override disconnectedCallback(): void {
    this.polling.close();
    document.title = "Plyhouse";
    super.disconnectedCallback();
  }

  override render(): TemplateResult {
    const { answer, problem } = this.polling;
    if (answer === null) return html`<p role="status">${problem === "" ? "Loading…" : problem}</p>`;
    const { bots, pools, rules } = answer;
    const attached = bots.filter(({ level }) => level === undefined);
    return html`
      <div class="card">
        <h1>Bots</h1>
        <p class="note">
          Programs of their authors that play here. Write your own in any language:
          <a href="/docs">the API</a>. They also play <a href="/tournaments">tournaments</a>.
        </p>
        <h2>Ladders</h2>
        ${
          pools.length === 0
            ? none
            : html`<ul>
                ${pools.map((pool) => ladderLine(pool, rules))}
              </ul>`
        }
        <h2>Here now</h2>
        ${
          attached.length === 0
            ? html`<p class="note">Only the built-in bots are here.</p>`
            : html`<table>
                <thead>
                  <tr>
                    <th scope="col">Bot</th>
                    <th scope="col">Game</th>
                    <th class="wide" scope="col">Variants</th>
                    <th scope="col">Clock</th>
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
  const players = `${pool.players} ${pool.players === 1 ? "player" : "players"}`;
  const games = pool.running === 0 ? "" : `, ${pool.running} ${pool.running === 1 ? "game" : "games"} now`;
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
    <td>${bot.timed ? "yes" : "no"}</td>
  </tr>`;
}

const none = html`<p class="note">
  No bot plays rated games yet. One joins when its author starts it with <code>plyhouse bot --ladder</code>.
</p>`;
