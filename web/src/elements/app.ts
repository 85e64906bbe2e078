// <ply-app>: the frame around every page, and the choice of the page for the address.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import * as texts from "#texts/app";
import * as common from "#texts/common";
import { requestEarly } from "../state/early-game";
import { goTo, routeOf, type Route } from "../state/route";
import { ownSeat } from "../state/seats";
import { apply as applySettings } from "../state/settings";
import { controls } from "./controls";
import { icons } from "./icons";
import type { SettingsSheet } from "./settings-sheet";
import "./lobby-page";

/** Load the code of the pages that the frame does not bring along. */
const LOADERS: Readonly<Partial<Record<Route["page"], () => Promise<unknown>>>> = {
  new: () => import("./new-page"),
  learn: () => import("./learn-page"),
  rules: () => import("./rules-page"),
  bots: () => import("./bots-page"),
  bot: () => import("./bot-page"),
  ladder: () => import("./ladder-page"),
  tournaments: () => import("./tournaments-page"),
  tournament: () => import("./tournament-page"),
  game: () => import("./game-page"),
  import: () => import("./import-page"),
  analysis: () => import("./analysis-page"),
  board: () => import("./board-page"),
  puzzles: () => import("./puzzle-page"),
};

@customElement("ply-app")
export class PlyApp extends LitElement {
  static override styles = [
    controls,
    css`
      header {
        display: flex;
        align-items: center;
        justify-content: space-between;
        max-width: 1200px;
        margin: 0 auto;
        padding: 2px 16px;
      }
      .brand {
        display: flex;
        align-items: center;
        min-height: var(--target);
        gap: 9px;
        color: var(--ink);
        font-weight: 700;
        font-size: 1.1rem;
        letter-spacing: 0.01em;
        text-decoration: none;
      }
      nav {
        display: flex;
        gap: 18px;
      }
      nav a {
        display: grid;
        place-items: center;
        min-width: var(--target);
        min-height: var(--target);
        text-decoration: none;
      }
      nav a:hover {
        text-decoration: underline;
      }
      .gear {
        display: grid;
        place-items: center;
        width: var(--target);
        margin-left: -8px;
        padding: 0;
        border: 0;
        background: none;
        color: var(--ink-soft);
      }
      .brand svg {
        width: 24px;
        height: 24px;
      }
      main {
        max-width: 1200px;
        margin: 0 auto;
        padding: 4px 16px 32px;
      }
      @media (max-height: 500px) {
        header {
          padding-top: 0;
          padding-bottom: 0;
        }
      }
      @media (max-width: 640px) {
        /* The page of bots leads there as well. */
        nav a[href="/tournaments"] {
          display: none;
        }
      }
      @media (max-width: 480px) {
        nav {
          gap: 10px;
        }
        nav a {
          white-space: nowrap;
        }
        /* The brand leads there as well. */
        nav a[href="/"] {
          display: none;
        }
        header,
        main {
          padding-left: 10px;
          padding-right: 10px;
        }
      }
      @media (max-width: 420px) {
        .brand span {
          position: absolute;
          clip-path: inset(50%);
        }
      }
    `,
  ];

  /** The page that is shown; null until its code is loaded. */
  @state() private route: Route | null = null;
  /** Whether the code of a page could not be loaded. */
  @state() private isBroken = false;

  private readonly follow = (event?: Event): void => {
    void this.turnTo(routeOf(new URL(location.href)), event?.isTrusted === false);
  };

  /**
   * Shows a page as soon as its code is loaded, unless the address has changed by then: from its top if it `isNew`,
   * otherwise as the browser returns to it.
   */
  private async turnTo(route: Route, isNew: boolean): Promise<void> {
    const address = location.href;
    if (route.page === "game") requestEarly(route.gameId, route.token ?? ownSeat(route.gameId));
    try {
      await LOADERS[route.page]?.();
      this.isBroken = false;
    } catch {
      this.isBroken = true;
    }
    if (location.href !== address) return;
    this.route = route;
    await this.updateComplete;
    if (isNew) window.scrollTo(0, 0);
  }

  /** Handles plain clicks on links to our own pages without loading a document; the browser handles all others. */
  private readonly onClick = (event: MouseEvent): void => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.defaultPrevented;
    const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
    if (!isPlain || link === undefined || link.hasAttribute("download")) return;
    const url = new URL(link.href);
    if (url.origin !== location.origin || routeOf(url).page === "unknown") return;
    event.preventDefault();
    goTo(url.pathname + url.search + url.hash);
  };

  override connectedCallback(): void {
    super.connectedCallback();
    applySettings();
    this.follow();
    window.addEventListener("popstate", this.follow);
    this.addEventListener("click", this.onClick);
  }

  override disconnectedCallback(): void {
    window.removeEventListener("popstate", this.follow);
    this.removeEventListener("click", this.onClick);
    super.disconnectedCallback();
  }

  private readonly openSettings = async (): Promise<void> => {
    await import("./settings-sheet");
    await this.renderRoot.querySelector<SettingsSheet>("settings-sheet")?.open();
  };

  override render(): TemplateResult {
    return html`
      <header>
        <a class="brand" href="/">${mark} <span>Plyhouse</span></a>
        <nav>
          ${this.route?.page === "lobby" ? null : html`<a href="/">${texts.lobby}</a>`}
          ${this.route?.page === "new" ? null : html`<a href="/new">${texts.newGame}</a>`}
          ${this.route?.page === "bots" ? null : html`<a href="/bots">${texts.bots}</a>`}
          ${this.route?.page === "tournaments" ? null : html`<a href="/tournaments">${texts.tournaments}</a>`}
          ${this.route?.page === "import" ? null : html`<a href="/analysis">${texts.analyse}</a>`}
          <button
            class="gear"
            aria-label=${texts.settings}
            title=${texts.settings}
            @click=${this.openSettings}
          >
            ${icons.settings}
          </button>
        </nav>
      </header>
      <main>${this.isBroken ? broken : this.route === null ? null : this.page(this.route)}</main>
      <settings-sheet></settings-sheet>
    `;
  }

  private page(route: Route): TemplateResult {
    switch (route.page) {
      case "lobby":
        return html`<lobby-page></lobby-page>`;
      case "new":
        return html`${keyed(route.game, html`<new-page .game=${route.game}></new-page>`)}`;
      case "learn":
        return html`${keyed(route.game, html`<learn-page .game=${route.game} .number=${route.number}></learn-page>`)}`;
      case "rules":
        return html`${keyed(route.game, html`<rules-page .game=${route.game}></rules-page>`)}`;
      case "bots":
        return html`<bots-page></bots-page>`;
      case "bot":
        return html`${keyed(route.bot, html`<bot-page .bot=${route.bot}></bot-page>`)}`;
      case "ladder": {
        const page = html`<ladder-page .game=${route.game} .variant=${route.variant}></ladder-page>`;
        return html`${keyed(`${route.game} ${route.variant ?? ""}`, page)}`;
      }
      case "tournaments":
        return html`<tournaments-page></tournaments-page>`;
      case "tournament":
        return html`${keyed(route.id, html`<tournament-page .tournamentId=${route.id}></tournament-page>`)}`;
      case "game": {
        const { gameId } = route;
        const token = route.token ?? ownSeat(gameId);
        const page = html`<game-page .gameId=${gameId} .token=${token}></game-page>`;
        return html`${keyed(`${gameId} ${token ?? ""}`, page)}`;
      }
      case "import":
        return html`${keyed(route, html`<import-page .record=${route.record}></import-page>`)}`;
      case "analysis": {
        const page = html`<analysis-page .gameId=${route.gameId} .ply=${route.ply}></analysis-page>`;
        return html`${keyed(route.gameId, page)}`;
      }
      case "board": {
        const page = html`<board-page .game=${route.game} .fragment=${route.fragment}></board-page>`;
        return html`${keyed(route, page)}`;
      }
      case "puzzles": {
        const page = html`<puzzle-page .game=${route.game} .puzzleId=${route.id}></puzzle-page>`;
        return html`${keyed(route, page)}`;
      }
      case "unknown":
        return html`<p>${texts.notFound} <a href="/">${common.goToLobby}</a></p>`;
    }
  }
}

const broken = html`<p class="problem" role="alert">
  ${texts.notLoaded} <a href="" @click=${reload}>${texts.loadAgain}</a>
</p>`;

function reload(event: Event): void {
  event.preventDefault();
  location.reload();
}

const mark = html`
  <svg viewBox="0 0 32 32" aria-hidden="true">
    <path
      d="M4 15 16 5l12 10v12H4z"
      fill="none"
      stroke="var(--accent)"
      stroke-width="3"
      stroke-linejoin="round"
    />
    <path d="M16 27V15M16 21h6" stroke="var(--seat-0)" stroke-width="3" stroke-linecap="round" />
  </svg>
`;
