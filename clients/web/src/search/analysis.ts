// The analysis of the position shown: on and off, on which moves, and by one engine or two.

import type { Game } from "../game/game";
import { button, make, valueField } from "../markup";
import type { Messages } from "../messages";
import type { Restriction } from "../server/engine";
import type { Report } from "../server/protocol";
import { Signal } from "../signal";
import type { Searcher, Searchers } from "./searchers";

/** Quick steps through a game begin no search: a position is searched when it has been shown for so long. */
const restBeforeSearch = 60;
/** How many simulations two engines make in turn if both are to have the same number. */
const equalStep = 100;

export class Analysis {
  /** Which moves are left out, or alone in. */
  readonly restricted = make(null, "p", "restricted");
  /** How many rows the table has at most. */
  readonly rows = valueField("20");
  /** At how many simulations the analysis pauses; 0: never. */
  readonly cap = valueField("0");
  /** Whether two engines get the same number of simulations. */
  readonly isEqual = make(null, "input");
  /** It is on or off. */
  readonly switched = new Signal<boolean>();
  private restriction?: Restriction;

  constructor(private readonly game: Game, private readonly searchers: Searchers, private readonly messages: Messages) {
    this.isEqual.type = "checkbox";
    this.isEqual.addEventListener("change", () => this.begin());
    for (const field of [this.rows, this.cap]) field.addEventListener("change", () => this.begin());
    game.opened.listen(() => this.toggle(false));
    game.moved.listen(() => {
      this.restriction = undefined;
      this.showRestriction();
      for (const searcher of searchers.all) {
        searcher.view.clear();
        if (game.node.report && searcher === searchers.first) searcher.view.show(game.node.report);
      }
      this.begin();
    });
    game.known.listen(() => this.begin());
    searchers.ready.listen((searcher) => {
      if (searcher.isOn) this.begin();
    });
  }

  get isOn(): boolean {
    return this.searchers.all.some((searcher) => searcher.isOn);
  }

  /** Starts the analysis, or pauses it: what it has found stays. */
  toggle(isOn = !this.isOn) {
    if (isOn && !this.searchers.mayBegin()) return;
    const wasOn = this.isOn;
    for (const searcher of this.searchers.all) {
      if (!isOn && searcher.isOn) this.stop(searcher);
      searcher.isOn = isOn;
    }
    if (isOn && !wasOn) this.begin();
    if (wasOn !== isOn) this.switched.tell(isOn);
  }

  private stop(searcher: Searcher) {
    searcher.round++;
    searcher.engine.stop().catch(() => {});
  }

  /** Adds engine B, which searches whenever A does. */
  compare() {
    this.searchers.named("B").isOn = this.searchers.first.isOn;
    document.body.classList.add("comparing");
    this.begin();
  }

  /** Searches the position shown, soon, with whatever has changed. */
  private begin() {
    const on = this.searchers.all.filter((searcher) => searcher.isOn);
    for (const searcher of on) searcher.round++;
    const rounds = on.map(({ round }) => round);
    const isPast = () => on.some(({ round }, i) => round !== rounds[i]);
    setTimeout(() => {
      // Where the state is not known yet, the analysis begins when it is.
      if (isPast() || !this.game.state || this.game.state.over) return;
      if (on.length > 1 && this.isEqual.checked) void this.searchEqually(on, isPast);
      else for (const searcher of on) void this.search(searcher);
    }, restBeforeSearch);
  }

  private async search(searcher: Searcher) {
    const { round } = searcher;
    const { node, tree } = this.game;
    searcher.view.begin();
    try {
      const most = Number(this.rows.value) || 20;
      await searcher.engine.analyse(tree.lineTo(node), most, this.restriction, (report) => {
        if (round !== searcher.round) return;
        this.take(searcher, report);
        if (this.isCapped(report)) this.toggle(false);
      });
    } catch (error) {
      if (round === searcher.round) this.messages.fail(error);
    }
  }

  /** Steps of the same size, until something else is asked for. */
  private async searchEqually(searchers: Searcher[], isPast: () => boolean) {
    const line = this.game.tree.lineTo(this.game.node);
    for (const { view } of searchers) view.begin();
    try {
      while (!isPast()) {
        const reports = await Promise.all(searchers.map(({ engine }) => engine.simulate(line, equalStep)));
        if (isPast()) return;
        searchers.forEach((searcher, i) => this.take(searcher, reports[i]));
        if (this.isCapped(reports[0])) this.toggle(false);
      }
    } catch (error) {
      if (!isPast()) this.messages.fail(error);
    }
  }

  private isCapped({ simulations }: Report) {
    const cap = Number(this.cap.value);
    return cap > 0 && simulations >= cap;
  }

  private take(searcher: Searcher, report: Report) {
    if (searcher === this.searchers.first) this.game.node.report = report;
    searcher.view.tell(report);
    this.searchers.found.tell(searcher);
    this.game.changed.tell();
  }

  /** Leaves a move out of the search, or has only such moves searched. */
  restrict(words: Restriction["words"], move: string) {
    const colour = this.game.state?.to_move;
    if (!colour || !this.searchers.mayBegin()) return;
    const moves = this.restriction?.words === words ? this.restriction.moves : [];
    this.restriction = { words, colour, moves: [...new Set([...moves, move])] };
    this.showRestriction();
    this.isEqual.checked = false;  // steps of the same size search all moves
    this.toggle(true);
    this.begin();
  }

  private showRestriction() {
    this.restricted.replaceChildren();
    if (!this.restriction) return;
    const { words, moves } = this.restriction;
    this.restricted.append(`${words === "avoid" ? "without" : "only"} ${moves.join(", ")} `);
    button(this.restricted, "search all moves", "search all moves again", () => {
      this.restriction = undefined;
      this.showRestriction();
      this.begin();
    });
  }
}
