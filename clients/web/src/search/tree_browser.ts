// Into the tree of a search: what it found below a move, and single simulations whose path lights up.

import type { Game } from "../game/game";
import { button, make } from "../markup";
import type { Messages } from "../messages";
import type { BoardPanel } from "../play/board_panel";
import type { Analysis } from "./analysis";
import type { Searchers } from "./searchers";

const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
/** Milliseconds from one move of a simulation to the next. */
const pace = 150;

export class TreeBrowser {
  /** The way from the position searched to the one shown in the table. */
  readonly crumbs = make(null, "p", "crumbs");
  private moves: string[] = [];
  private timer = 0;

  constructor(private readonly game: Game, private readonly searchers: Searchers, private readonly analysis: Analysis,
              private readonly panel: BoardPanel, private readonly messages: Messages) {
    game.moved.listen(() => this.leave());
    analysis.switched.listen((isOn) => {
      if (isOn && this.moves.length > 0) void panel.preview(null);
      if (isOn) this.leave();
    });
  }

  private leave() {
    this.moves = [];
    clearInterval(this.timer);
    this.showCrumbs();
  }

  /** Shows what the last search found below a move of the table. */
  async below(move: string) {
    await this.browse([...this.moves, move]);
  }

  /** Shows it of the position after these moves. */
  async browse(moves: string[]) {
    const { shown } = this.searchers;
    const { node, tree } = this.game;
    if (!this.searchers.mayBegin()) return;
    this.analysis.toggle(false);
    try {
      const report = await shown.engine.lastSearch(tree.lineTo(node), moves);
      if (this.game.node !== node) return;
      this.moves = moves;
      shown.view.show(report);
      this.showCrumbs();
      await this.panel.preview(moves.length > 0 ? moves : null);
    } catch (error) {
      this.messages.fail(error);
    }
  }

  private showCrumbs() {
    const { moves } = this;
    this.crumbs.replaceChildren();
    if (moves.length === 0) return;
    button(this.crumbs, "root", "back to the position searched", () => void this.browse([]));
    moves.forEach((move, i) => button(this.crumbs, move, `below ${move}`, () => void this.browse(moves.slice(0, i + 1))));
  }

  /** Searches so many simulations more, and shows where the last one went. */
  async step(count: number) {
    const { shown } = this.searchers;
    const { node, tree } = this.game;
    if (!this.searchers.mayBegin()) return;
    this.analysis.toggle(false);
    shown.round++;  // which ends its search for mistakes
    this.leave();
    try {
      const report = await shown.engine.simulate(tree.lineTo(node), count);
      if (this.game.node !== node) return;
      await this.panel.preview(null);
      shown.view.show(report);
      this.analysis.remember(shown, node, report);
      this.game.changed.tell();
      this.lightUp(report.paths?.at(-1)?.moves ?? []);
    } catch (error) {
      this.messages.fail(error);
    }
  }

  private lightUp(path: string[]) {
    this.messages.tell(`simulation: ${path.join(" ") || "the position itself"}`);
    if (path.length === 0) return;
    let length = isStill ? path.length : 1;
    this.panel.showPath(path.slice(0, length));
    clearInterval(this.timer);
    this.timer = window.setInterval(() => {
      if (++length > path.length) clearInterval(this.timer);
      else this.panel.showPath(path.slice(0, length));
    }, pace);
  }
}
