// A table with a search: what the page asks of an engine.

import { CommandError } from "./connection";
import type { Option, Report } from "./protocol";
import { Line, Table } from "./table";

/** Moves that an analysis leaves out, or is bound to. */
export interface Restriction {
  words: "avoid" | "allow";
  colour: string;
  moves: string[];
}

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
  /** The line to the position that was searched last. */
  private searched = "";

  /** Reads the options, after having given the new session's table the name and the options of before. */
  async begin() {
    this.forget();
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

  private async enter(name: string) {
    await this.connection.command(`attach ${name}`);
    // A server without tokens keeps nobody out, and knows no such command's right.
    await this.connection.command("share watch").catch(() => {});
  }

  private async readOptions() {
    this.options = JSON.parse(await this.connection.command("list_options json")).options;
  }

  /** Sets an option, also of the running search; tells when it takes effect. */
  async set(name: string, value: string): Promise<string> {
    const answer = await this.connection.command(`setoption name ${name} value ${value}`);
    this.changed.delete(name);
    this.changed.set(name, value);
    this.onChange();
    const option = this.options.find((each) => each.name === name);
    if (option) option.value = value;
    if (name === "preset") await this.readOptions();
    return answer;
  }

  /** Brings the table to a position, for those who watch it. */
  async goTo(line: Line) {
    await this.running;
    await this.send(line);
  }

  async ask(line: Line, command: string, update?: (line: string) => void, before: string[] = []): Promise<string> {
    await this.running;
    this.searched = JSON.stringify(line);
    return super.ask(line, command, update, before);
  }

  /** Searches until another line is sent, and then tells all that was found. */
  async analyse(line: Line, most: number, restriction: Restriction | undefined, tell: (report: Report) => void) {
    const words = restriction && restriction.moves.length > 0
      ? ` ${restriction.words} ${restriction.colour} ${restriction.moves.join(",")} 1` : "";
    let failure = "";
    await this.ask(line, `analyze json 20 minmoves ${most} maxmoves ${most}${words}`, (update) => {
      if (update.startsWith("{")) tell(JSON.parse(update));
      else failure = update;
    });
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
    const answer = await this.ask(line, "genmove_analyze json 20", (update) => {
      if (update.startsWith("{")) tell(JSON.parse(update));
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

  /** Goes on with the search by `count` simulations. */
  async simulate(line: Line, count: number): Promise<Report> {
    return JSON.parse(await this.ask(line, `simulate ${count}`));
  }
}
