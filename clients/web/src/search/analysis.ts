// The analysis of the position shown: on and off, on which moves, and by one engine or two.

import type { Game } from "../game/game";
import type { Node } from "../game/game_tree";
import { button, make, valueField } from "../markup";
import { isPassing, Messages } from "../messages";
import type { Restriction } from "../server/engine";
import type { Report } from "../server/protocol";
import { Signal } from "../signal";
import { thisTab } from "../storage";
import type { Searcher, Searchers } from "./searchers";

/** Quick steps through a game begin no search: a position is searched when it has been shown for so long. */
const restBeforeSearch = 60;
/** How many simulations two engines make in turn if both are to have the same number. */
const equalStep = 100;
/** How many simulations more a move gets by itself. */
const focused = 1000;
/** Of how many positions the findings are remembered. */
const mostRemembered = 500;
const kept = "analysis";

/** By which an engine's findings in a position are known, however that came about. */
function findingKey({ name }: Searcher, { state }: Node): string {
  return `${name} ${state?.rules} ${state?.position}`;
}

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
  /** Two engines are compared, or no longer. */
  readonly compared = new Signal<boolean>();
  isComparing = false;
  private restriction?: Restriction;
  /** What engines have found in positions, however these came about; the oldest first. */
  private readonly found = new Map<string, Report>();

  constructor(private readonly game: Game, private readonly searchers: Searchers, private readonly messages: Messages) {
    this.isEqual.type = "checkbox";
    for (const field of [this.isEqual, this.rows, this.cap]) {
      field.addEventListener("change", () => {
        this.keep();
        this.begin();
      });
    }
    game.opened.listen(() => this.toggle(false));
    game.moved.listen(() => {
      this.restriction = undefined;
      this.showRestriction();
      const { isOn } = this;
      for (const searcher of searchers.all) {
        searcher.isOn = isOn && this.takesPart(searcher);  // one may have had enough before the other
        searcher.view.clear();
        this.showEarlier(searcher);
      }
      this.begin();
    });
    game.known.listen(() => {
      for (const searcher of searchers.all) {
        if (!searcher.view.report) this.showEarlier(searcher);
        if (!searcher.view.report) this.askEarlier(searcher);
      }
      this.begin();
    });
    searchers.ready.listen((searcher) => {
      if (searcher.isOn) this.begin();
    });
  }

  get isOn(): boolean {
    return this.searchers.all.some((searcher) => searcher.isOn);
  }

  /** Makes it what it was before the page was loaded anew. */
  restore() {
    const before = JSON.parse(thisTab.get(kept) ?? "{}");
    this.rows.value = before.rows ?? this.rows.value;
    this.cap.value = before.cap ?? this.cap.value;
    this.isEqual.checked = before.isEqual ?? false;
    if (before.isComparing) this.compare();
  }

  private keep() {
    const { rows, cap, isEqual, isComparing } = this;
    thisTab.set(kept, JSON.stringify({ rows: rows.value, cap: cap.value, isEqual: isEqual.checked, isComparing }));
  }

  /** Starts the analysis, or pauses it: what it has found stays. */
  toggle(isOn = !this.isOn) {
    if (isOn && !this.searchers.mayBegin()) return;
    const wasOn = this.isOn;
    for (const searcher of this.searchers.all) {
      if (!isOn && searcher.isOn) this.stop(searcher);
      searcher.isOn = isOn && this.takesPart(searcher);
    }
    if (isOn && !wasOn) this.begin();
    if (wasOn !== isOn) this.switched.tell(isOn);
  }

  /** Whether it analyses when the analysis is on. */
  private takesPart(searcher: Searcher): boolean {
    return this.isComparing || searcher === this.searchers.first;
  }

  private stop(searcher: Searcher) {
    searcher.round++;
    searcher.engine.stop().catch(() => {});
  }

  /** Has engine B search whenever A does, or no longer. */
  compare(isComparing = !this.isComparing) {
    const { first } = this.searchers;
    const other = this.searchers.opened("B");
    this.isComparing = isComparing;
    if (!isComparing && other.isOn) this.stop(other);
    if (!isComparing) this.searchers.choose(0);
    other.isOn = isComparing && first.isOn;
    other.view.host.hidden = !isComparing;
    document.body.classList.toggle("comparing", isComparing);
    this.compared.tell(isComparing);
    this.keep();
    this.begin();
  }

  /** Has engine B search beside engine A, with A's options but for one: A keeps its tree. */
  async keepBeside(name: string, value: string) {
    const { engine } = this.searchers.named("B");
    for (const each of [...this.searchers.first.engine.changed, [name, value]] as [string, string][]) await engine.prepare(...each);
    this.compare(true);
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
    try {
      const extent = { rows: Number(this.rows.value) || 20, simulations: this.missing(searcher), restriction: this.restriction };
      searcher.view.begin();
      if (extent.simulations !== 0) {
        await searcher.engine.analyse(tree.lineTo(node), extent, (report) => {
          if (round === searcher.round) this.take(searcher, report);
        });
      }
      if (round === searcher.round && this.missing(searcher) === 0) this.end(searcher);
    } catch (error) {
      if (round === searcher.round) this.fail(error, searcher);
    }
  }

  /** Steps of the same size, until something else is asked for. */
  private async searchEqually(searchers: Searcher[], isPast: () => boolean) {
    const line = this.game.tree.lineTo(this.game.node);
    for (const { view } of searchers) view.begin();
    try {
      while (!isPast() && searchers.every(({ isOn }) => isOn)) {
        const reports = await Promise.all(searchers.map(({ engine }) => engine.simulate(line, equalStep)));
        if (isPast()) return;
        searchers.forEach((searcher, i) => this.take(searcher, reports[i]));
        for (const searcher of searchers) if (this.missing(searcher) === 0) this.end(searcher);
      }
    } catch (error) {
      if (!isPast()) this.fail(error, ...searchers);
    }
  }

  /** How many simulations a position lacks to the number at which the analysis pauses; nothing if it does not. */
  private missing({ engine }: Searcher): number | undefined {
    const cap = Math.round(Number(this.cap.value));
    return cap > 0 ? Math.max(0, cap - engine.visitsOf(this.game.tree.lineTo(this.game.node))) : undefined;
  }

  /** A searcher has nothing more to do. */
  private end(searcher: Searcher) {
    searcher.isOn = false;
    if (!this.isOn) this.switched.tell(false);
  }

  /** Searches have failed: nothing that was found before passes for theirs. */
  private fail(error: unknown, ...searchers: Searcher[]) {
    this.messages.fail(error);
    if (isPassing(error)) return;
    for (const searcher of searchers) {
      searcher.view.clear();
      this.end(searcher);
    }
  }

  /** Shows what an engine has found in the position shown before, here or on another way. */
  private showEarlier(searcher: Searcher) {
    const { node } = this.game;
    const own = searcher === this.searchers.first ? node.report : undefined;
    const report = own ?? this.found.get(findingKey(searcher, node));
    if (!report) return;
    if (searcher === this.searchers.first) node.report = report;
    searcher.view.show(report, true);
  }

  /** Shows what the server knows of the position shown, if it is shown for a while and nothing else is told of it. */
  private askEarlier(searcher: Searcher) {
    const { node, tree } = this.game;
    const isIdle = () => node === this.game.node && !searcher.view.report && !searcher.isOn && !this.searchers.thinking &&
      this.takesPart(searcher);
    setTimeout(() => {
      if (!isIdle() || !node.state || node.state.over) return;
      searcher.engine.earlier(tree.lineTo(node)).then((report) => {
        if (!report || !isIdle()) return;
        this.remember(searcher, node, report);
        searcher.view.show(report, true);
        this.searchers.found.tell(searcher);
        this.game.changed.tell();
      }).catch(() => {});  // a server that is away tells nothing
    }, restBeforeSearch);
  }

  /** Keeps what an engine has found in a position. */
  remember(searcher: Searcher, node: Node, report: Report) {
    if (searcher === this.searchers.first) node.report = report;
    const key = findingKey(searcher, node);
    this.found.delete(key);
    this.found.set(key, report);
    if (this.found.size > mostRemembered) this.found.delete(this.found.keys().next().value!);
  }

  private take(searcher: Searcher, report: Report) {
    this.remember(searcher, this.game.node, report);
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

  /** Gives a move some simulations more, in the same tree. */
  async focus(move: string) {
    const colour = this.game.state?.to_move;
    if (!colour || !this.searchers.mayBegin()) return;
    this.toggle(false);
    const { shown } = this.searchers;
    const round = ++shown.round;
    const { node, tree } = this.game;
    const line = tree.lineTo(node);
    const isPast = () => round !== shown.round || node !== this.game.node;
    try {
      const restriction: Restriction = { words: "allow", colour, moves: [move] };
      await shown.engine.analyse(line, { rows: 1, simulations: focused, restriction }, () => {});
      const report = await shown.engine.lastSearch(line);
      if (!isPast()) this.take(shown, report);
    } catch (error) {
      if (!isPast()) this.messages.fail(error);
    }
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
