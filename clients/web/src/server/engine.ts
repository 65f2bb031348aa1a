// A table with a search: what the page asks of an engine.

import { CommandError } from "./connection";
import type { Option, Report, TreeMove } from "./protocol";
import { Line, Table } from "./table";

/** Moves that an analysis leaves out, or is bound to. */
export interface Restriction {
  words: "avoid" | "allow";
  colour: string;
  moves: string[];
}

/** How far an analysis goes, and how much it tells. */
export interface Extent {
  rows: number;
  simulations?: number;
  restriction?: Restriction;
}

/** How many moves of a tree are told. */
const mostOfTree = 200;

/** A table with a search: its options stay when the connection is lost. */
export class Engine extends Table {
  options: Option[] = [];
  /** The name by which others can watch this table; empty if it has none. */
  name = "";
  /** Names and values that were set, in their order: a preset overwrites what was set before. */
  readonly changed = new Map<string, string>();
  /** Called when an option has been set. */
  onChange = () => {};
  private running: Promise<unknown> = Promise.resolve();
  /** The line to the position that was searched last, and the visits of its tree. */
  private searched = "";
  private visits = 0;
  /** The most visited moves of that tree, each behind those that lead to it. */
  private tree?: TreeMove[];
  /** How many of its commands are not answered yet: another line may end what they do. */
  private asked = 0;
  /** An option has been set since that the tree does not outlive. */
  private isTreeLost = false;

  /** Reads the options, after having given the new session's table the name and the options of before. */
  async begin() {
    this.forget();
    this.searched = "";
    this.visits = 0;
    if (this.name) await this.enter(this.name);
    for (const [name, value] of this.changed) {
      await this.connection.command(`setoption name ${name} value ${value}`).catch((error: CommandError) => {
        if (error.code === "disconnected") throw error;
        this.changed.delete(name);  // this server has it no longer
      });
    }
    await this.readOptions();
  }

  /** Lets others watch this table, by a name. */
  async share(name: string) {
    await this.enter(name);
    this.name = name;
  }

  /** Goes on at a table of its own, with the options of before. */
  async unshare() {
    this.name = "";
    await this.leave();
    await this.begin();
  }

  private async readOptions() {
    this.options = JSON.parse(await this.connection.command("list_options json")).options;
    // A duel sets presets first: what a preset has overwritten has its value.
    const names = [...this.changed.keys()];
    const before = names.slice(0, Math.max(0, names.indexOf("preset")));
    for (const { name, value } of this.options) if (before.includes(name)) this.changed.set(name, value);
    if (before.length > 0) this.onChange();
  }

  /** Sets an option, also of the running search; tells when it takes effect. */
  async set(name: string, value: string): Promise<string> {
    const answer = await this.connection.command(`setoption name ${name} value ${value}`);
    this.changed.delete(name);
    this.changed.set(name, value);
    this.onChange();
    const option = this.options.find((each) => each.name === name);
    if (option) option.value = value;
    if (option && !option.keeps_tree) this.isTreeLost = true;
    if (name === "preset") await this.readOptions();
    return answer;
  }

  /** Sets an option at once, or as soon as there is a session. */
  async prepare(name: string, value: string) {
    if (this.connection.isOpen) return void await this.set(name, value);
    this.changed.delete(name);
    this.changed.set(name, value);
    this.onChange();
  }

  /** How many visits the tree has in which a search of this position would go on. */
  visitsOf(line: Line): number {
    return this.searched === JSON.stringify(line) && !this.isTreeLost ? this.visits : 0;
  }

  /** How many visits a change of an option would cost. */
  visitsLostBy(name: string): number {
    const option = this.options.find((each) => each.name === name);
    return option?.keeps_tree || this.isTreeLost ? 0 : this.visits;
  }

  /** A report that has come. */
  private report(json: string): Report {
    const { tree, ...report }: Report = JSON.parse(json);
    this.tree = tree ?? this.tree;
    this.visits = report.simulations + report.reused;
    return report;
  }

  /** Brings the table to a position, for those who watch it. */
  async goTo(line: Line) {
    await this.running;
    await this.send(line);
  }

  /** The server forgets the last search when another game begins, also on the way to a position that is not searched. */
  protected async send(line: Line, more: string[] = []) {
    if (this.beginsAnew(line) && this.searched !== JSON.stringify(line)) this.searched = "";
    await super.send(line, more);
  }

  async ask(line: Line, command: string, update?: (line: string) => void, before: string[] = []): Promise<string> {
    await this.running;
    if (!this.visitsOf(line)) {
      this.visits = 0;
      this.tree = undefined;
    }
    this.isTreeLost = false;
    this.searched = JSON.stringify(line);
    ++this.asked;
    return super.ask(line, command, update, before).finally(() => --this.asked);
  }

  /** Goes on with the search of a position, until another line is sent or `simulations` more are made. */
  async analyse(line: Line, { rows, simulations, restriction }: Extent, tell: (report: Report) => void) {
    const words = [`analyze json 20 goesOn true pvVisits true tree ${mostOfTree} minmoves ${rows} maxmoves ${rows}`];
    if (restriction) words.push(restriction.words, restriction.colour, `${restriction.moves.join(",")} 1`);
    if (simulations) words.push(`simulations ${simulations}`);
    let failure = "";
    const take = (update: string) => {
      if (update.startsWith("{")) tell(this.report(update));
      else failure = update;
    };
    const last = await this.ask(line, words.join(" "), take);
    if (last) take(last);
    if (failure) throw new CommandError("internal", failure);
  }

  async stop() {
    await this.connection.command("stop");
  }

  /** Searches a move and plays it. The search may be cut short by `connection.interrupt()`. */
  move(line: Line, clock: string[], tell: (report: Report) => void): Promise<string> {
    const moving = this.searchMove(line, clock, tell);
    this.running = moving.catch(() => {});
    return moving;
  }

  private async searchMove(line: Line, clock: string[], tell: (report: Report) => void): Promise<string> {
    let last = "";
    const answer = await this.ask(line, `genmove_analyze json 20 tree ${mostOfTree}`, (update) => {
      if (update.startsWith("{")) tell(this.report(update));
      else last = update;
    }, clock);
    const end = (answer || last).split("\n").pop()!;
    if (!end.startsWith("play ")) throw new CommandError("internal", end);
    const move = end.slice("play ".length);
    this.played(move);
    return move;
  }

  /** What the last search, which must have been of the position at the end of `line`, has found below these moves. */
  async lastSearch(line: Line, moves: string[] = []): Promise<Report> {
    if (this.searched !== JSON.stringify(line)) {
      throw new Error("The engine's last search was of another position: search this one again to see what is below.");
    }
    return JSON.parse(await this.connection.command(["last_search", ...moves].join(" ")));
  }

  /** The most visited moves of the tree of a position, as the search has told of it last; nothing if it has not. */
  treeOf(line: Line): TreeMove[] | undefined {
    return this.visitsOf(line) ? this.tree : undefined;
  }

  /** Asks for them, of the last search, which must have been of the position at the end of `line`. */
  async readTree(line: Line) {
    if (!this.visitsOf(line) || this.asked > 0) return;
    const tree: TreeMove[] = JSON.parse(await this.connection.command(`last_tree ${mostOfTree}`));
    if (this.visitsOf(line)) this.tree = tree;
  }

  /** What a search has told of the position before, at any table of the server; nothing if none has, or if the question would end
   * what the engine does meanwhile. */
  async earlier(line: Line): Promise<Report | undefined> {
    const isPondering = this.options.some(({ name, value }) => name === "ponder" && value === "true");
    await this.running;
    if (isPondering || this.asked > 0 || !this.connection.isOpen) return undefined;
    return JSON.parse(await super.ask(line, "earlier_search")) ?? undefined;
  }

  /** Goes on with the search by `count` simulations. */
  async simulate(line: Line, count: number): Promise<Report> {
    return this.report(await this.ask(line, `simulate ${count}`));
  }
}
