// Who plays each colour: people or engines, and by which clock.

import type { Game } from "../game/game";
import { make, seatSign, select } from "../markup";
import type { Messages } from "../messages";
import type { Report } from "../server/protocol";
import { Signal } from "../signal";
import { thisTab } from "../storage";
import type { Analysis } from "../search/analysis";
import type { Searcher, Searchers } from "../search/searchers";
import { Clock, ClockSettings, Left } from "./clock";

const kept = "seats";
const clockKept = "clock";

/** The clocks of a game, as the browser keeps them for the tab. */
interface KeptClock {
  settings: ClockSettings;
  /** The game's `id`. */
  game: string;
  left: [string, Left][];
}

export class Seats {
  readonly host = make(null, "div", "seats");
  readonly clocks = make(null, "div", "clocks");
  /** Others play. */
  readonly seated = new Signal();
  private readonly choices = new Map<string, HTMLSelectElement>();
  private clock?: Clock;
  /** Of the clocks of this game; null: there are none. */
  settings: ClockSettings | null = null;
  /** A game has been opened at its end, and not shown yet. */
  private isNew = false;
  /** Whether an engine that has the side to move is to move: not where people look back. */
  private isDue = false;
  /** Whether the analysis goes on after the engine's move. */
  private hasPaused = false;

  /** `isSecret`: an engine's thoughts stay its own. */
  constructor(private readonly game: Game, private readonly searchers: Searchers, private readonly analysis: Analysis,
              private readonly messages: Messages, private readonly isSecret: () => boolean) {
    game.opened.listen(() => {
      this.isNew = game.node.children.length === 0;
      this.makeChoices();
      const before: KeptClock | null = JSON.parse(thisTab.get(clockKept) ?? "null");
      this.startClock(before?.settings ?? null, before?.game === game.tree.id ? before.left : undefined);
    });
    window.addEventListener("pagehide", () => this.keepClock());
    game.moved.listen((isPlayed) => {
      this.isDue = isPlayed || this.isNew;
      this.isNew = false;
      this.interrupt();
    });
    game.known.listen((isPlayed) => {
      this.clock?.turn(game.state!.to_move, isPlayed);
      this.keepClock();
      if (this.isDue) this.move();
    });
    searchers.ready.listen(() => { if (this.isDue) this.move(); });
    this.seated.listen(() => thisTab.set(kept, JSON.stringify([...this.players])));
  }

  /** Whether an engine plays against a person. */
  get isDuel(): boolean {
    const players = [...this.players.values()];
    return players.includes("") && players.some(Boolean);
  }

  /** Of each colour: "" for a person, or the name of an engine. */
  private get players(): Map<string, string> {
    return new Map([...this.choices].map(([colour, { value }]) => [colour, value]));
  }

  get isThinking(): boolean {
    return this.searchers.thinking !== undefined;
  }

  private makeChoices() {
    const old = this.choices.size > 0 ? this.players : new Map<string, string>(JSON.parse(thisTab.get(kept) ?? "[]"));
    this.choices.clear();
    this.host.replaceChildren();
    for (const colour of this.game.geometry.colours) {
      const label = make(this.host, "label");
      seatSign(label, colour);
      make(label, "span", "", colour);
      const choice = select([["", "human"], ["A", "engine A"], ["B", "engine B"]], old.get(colour) ?? "");
      if (choice.value) this.searchers.opened(choice.value);
      label.append(choice);
      choice.addEventListener("change", () => {
        if (choice.value) this.searchers.opened(choice.value);
        this.seated.tell();
        if (colour === this.game.state?.to_move) this.interrupt();
        this.isDue = true;
        this.move();
      });
      this.choices.set(colour, choice);
    }
  }

  /** Seats a person at one colour, and engine A at all others. */
  sit(person: string) {
    for (const [colour, choice] of this.choices) choice.value = colour === person ? "" : "A";
    this.seated.tell();
  }

  /** Sets the clocks of this game, and of those that follow. */
  startClock(settings: ClockSettings | null, left?: [string, Left][]) {
    this.settings = settings;
    this.clock?.stop();
    this.clock = new Clock(this.clocks, this.game.geometry.colours, settings, left);
    this.clock.turn(this.game.state?.to_move ?? null, false);
    this.keepClock();
  }

  private keepClock() {
    const { settings, clock, game } = this;
    const now: KeptClock | null = settings && clock ? { settings, game: game.tree.id, left: clock.allLeft } : null;
    thisTab.set(clockKept, JSON.stringify(now));
  }

  /** Ends the search of the engine that is to move, whose move is then not played; false if there is none. */
  interrupt(): boolean {
    const { thinking } = this.searchers;
    if (!thinking) return false;
    thinking.round++;
    thinking.engine.connection.interrupt();
    this.searchers.thinking = undefined;
    return true;
  }

  /** Has the engine that is thinking move at once; false if there is none. */
  hurry(): boolean {
    this.searchers.thinking?.engine.connection.interrupt();
    return this.isThinking;
  }

  /** An engine moves if it has the side to move, or is told to. */
  move(isTold = false) {
    const { state } = this.game;
    if (!state?.to_move || state.over || this.searchers.thinking) return;
    const name = this.choices.get(state.to_move)?.value;
    const searcher = name ? this.searchers.named(name) : isTold ? this.searchers.first : undefined;
    if (searcher?.engine.connection.isOpen) void this.search(searcher, state.to_move);
  }

  private rest() {
    document.body.classList.remove("thinking");
    if (this.hasPaused) this.analysis.toggle(true);
    this.hasPaused = false;
  }

  private async search(searcher: Searcher, colour: string) {
    const { node, tree } = this.game;
    this.hasPaused ||= this.analysis.isOn;
    this.analysis.toggle(false);
    const { clock } = this;
    const round = ++searcher.round;
    this.searchers.thinking = searcher;
    document.body.classList.add("thinking");
    searcher.view.clear(`Engine ${searcher.name} is thinking.`);
    let last: Report | undefined;
    try {
      const move = await searcher.engine.move(tree.lineTo(node), clock?.commands(colour) ?? [], (report) => {
        last = report;
        if (round === searcher.round && !this.isSecret()) searcher.view.tell(report);
      });
      if (round !== searcher.round) return;
      node.report = await searcher.engine.lastSearch(tree.lineTo(node)).catch(() => last);
      node.values = node.report?.values ?? undefined;
      if (round !== searcher.round) return;
      this.searchers.thinking = undefined;
      if (node.report) clock?.took(node.report.seconds);
      void this.game.go(node.child(move), true);
    } catch (error) {
      this.messages.fail(error);
    } finally {
      if (round === searcher.round) this.searchers.thinking = undefined;
      if (!this.searchers.thinking) this.rest();
    }
  }
}
