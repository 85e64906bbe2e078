// Keeps the keyboard's focus on the board when what had it is picked and goes: as soon as there are targets again, the one
// that the Tab key reaches gets it, unless it is elsewhere by then. A part of board elements.
import type { LitElement, ReactiveController } from "lit";

export class FocusKeeper implements ReactiveController {
  private isLost = false;

  /** `target`: the selector of everything that can be picked. */
  constructor(
    private readonly board: LitElement & { readonly legal: readonly string[] },
    private readonly target: string,
  ) {}

  hostUpdate(): void {
    if (!this.board.hasUpdated) return;
    this.isLost ||= this.board.renderRoot.querySelector(`${this.target}:focus-visible`) !== null;
  }

  hostUpdated(): void {
    const isElsewhere = document.activeElement !== document.body;
    const canGo = this.board.legal.length > 0;
    if (this.isLost && canGo && !isElsewhere)
      this.board.renderRoot.querySelector<SVGElement>(`${this.target}[tabindex="0"]`)?.focus();
    if (canGo || isElsewhere) this.isLost = false;
  }
}
