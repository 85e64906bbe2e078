// <rules-page>: all rules of a game on one page: the texts of its lesson, and the notes of its catalogue entry.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import * as common from "#texts/common";
import * as texts from "#texts/rules";
import * as server from "#texts/server";
import { getRules, sentence } from "../api/client";
import type { GameRules } from "../api/shapes";
import { lessonOf, type Lesson } from "../lessons";
import { gameTitle, tabTitle, variantTitle } from "../state/labels";
import { learnPath, puzzlePath, startPath } from "../state/route";
import { controls } from "./controls";

@customElement("rules-page")
export class RulesPage extends LitElement {
  static override styles = [
    controls,
    css`
      :host {
        display: block;
        max-width: 680px;
        margin: 0 auto;
      }
      h1 {
        margin: 0 0 8px;
      }
      h2 {
        margin: 22px 0 4px;
        font-size: 1.1rem;
      }
      p {
        margin: 0;
      }
      code {
        overflow-wrap: anywhere;
      }
      dt {
        margin-top: 6px;
        font-weight: 600;
      }
      dd {
        margin: 0;
      }
    `,
  ];

  @property({ attribute: false }) game = "";
  @state() private lesson: Lesson | null = null;
  @state() private rules: GameRules | null = null;
  @state() private problem = "";

  override connectedCallback(): void {
    super.connectedCallback();
    void this.open();
  }

  override disconnectedCallback(): void {
    document.title = "Plyhouse";
    super.disconnectedCallback();
  }

  private async open(): Promise<void> {
    try {
      const [lesson, catalogue] = await Promise.all([lessonOf(this.game), getRules()]);
      this.lesson = lesson;
      this.rules = catalogue.find(({ game }) => game === this.game) ?? null;
      if (this.rules === null) throw new Error(server.noGame(this.game));
      document.title = tabTitle(texts.rulesOf(gameTitle(this.rules)));
    } catch (error) {
      this.problem = sentence(error);
    }
  }

  override render(): TemplateResult {
    if (this.problem !== "") return html`<p class="problem" role="alert">${this.problem}</p>`;
    const { rules, lesson } = this;
    if (rules === null) return html`<p>${common.loading}</p>`;
    const { sentence: what = "", notes = [], notation = "", variants = {} } = rules.about;
    return html`
      <article class="card">
        <h1>${texts.rulesOf(gameTitle(rules))}</h1>
        <p>${what}</p>
        <p>
          <a href=${learnPath(rules.game)}>${texts.learn}</a> ·
          <a href=${puzzlePath(rules.game)}>${common.puzzles}</a> ·
          <a href=${startPath(rules.game)}>${texts.play}</a>
        </p>
        ${lesson?.steps.map(
          ({ title, rule }) =>
            html`<h2>${title}</h2>
              <p>${rule}</p>`,
        )}
        <h2>${texts.inShort}</h2>
        <ul>
          ${notes.map((note) => html`<li>${note}</li>`)}
        </ul>
        <h2>${texts.variants}</h2>
        <dl>
          ${rules.variants.map(
            (variant) =>
              html`<dt>${variantTitle(rules.about, variant)}</dt>
                <dd>${variants[variant] ?? ""}</dd>`,
          )}
        </dl>
        <h2>${texts.notation}</h2>
        <p>${notation}</p>
      </article>
    `;
  }
}
