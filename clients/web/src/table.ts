// A table of the server that this page alone plays at, and what the page asks there.

import { Connection, CommandError } from "./connection";
import type { Option, Report, State } from "./protocol";

/** How a position has come about: the game with its parameters, where it began ("": as always), the moves. */
export interface Line {
  rules: string;
  start: string;
  moves: string[];
}

export class Table {
  private line?: Line;

  constructor(readonly connection: Connection) {}

  /** A new session begins with the server's default game. */
  forget() {
    this.line = undefined;
  }

  /** Brings the table to a position, by what differs. */
  async goTo(line: Line): Promise<void> {
    const sent = this.commandsTo(line).map((command) => this.connection.command(command));
    this.line = { ...line, moves: [...line.moves] };
    try {
      await Promise.all(sent);
    } catch (error) {
      this.line = undefined;
      throw error;
    }
  }

  async state(line: Line): Promise<State> {
    const there = this.goTo(line);
    const answer = this.connection.command("state steps");
    answer.catch(() => {});
    await there;
    return JSON.parse(await answer);
  }

  protected played(move: string) {
    this.line?.moves.push(move);
  }

  private commandsTo({ rules, start, moves }: Line): string[] {
    const old = this.line;
    const commands = [];
    let same = 0;
    if (!old || old.rules !== rules || old.start !== start) {
      commands.push(`game ${rules}`);
      if (start) commands.push(`position ${start}`);
    } else {
      while (same < moves.length && moves[same] === old.moves[same]) ++same;
      if (old.moves.length > same) commands.push(`gg-undo ${old.moves.length - same}`);
    }
    return commands.concat(moves.slice(same).map((move) => `play ${move}`));
  }
}

/** Moves that an analysis leaves out, or is bound to. */
export interface Restriction {
  words: "avoid" | "allow";
  colour: string;
  moves: string[];
}

/** A table with a search: its options stay when the connection is lost. */
export class Engine extends Table {
  options: Option[] = [];
  private changed = new Map<string, string>();
  private running: Promise<unknown> = Promise.resolve();

  /** Reads the options, after having set those of before. */
  async begin() {
    this.forget();
    for (const [name, value] of this.changed) await this.connection.command(`setoption name ${name} value ${value}`);
    await this.readOptions();
  }

  private async readOptions() {
    this.options = JSON.parse(await this.connection.command("list_options json")).options;
  }

  /** Sets an option, also of the running search; tells when it takes effect. */
  async set(name: string, value: string): Promise<string> {
    const answer = await this.connection.command(`setoption name ${name} value ${value}`);
    this.changed.delete(name);  // the order counts: a preset overwrites what was set before
    this.changed.set(name, value);
    if (name === "preset") await this.readOptions();
    return answer;
  }

  /** Options that differ from the server's defaults, as a line of words. */
  changes(): string {
    return [...this.changed].map(([name, value]) => `${name}=${value}`).join(" ");
  }

  async goTo(line: Line) {
    await this.running;
    await super.goTo(line);
  }

  /** Searches until another line is sent, and then tells all that was found. */
  async analyse(line: Line, most: number, restriction: Restriction | undefined, tell: (report: Report) => void) {
    await this.goTo(line);
    const words = restriction && restriction.moves.length > 0
      ? ` ${restriction.words} ${restriction.colour} ${restriction.moves.join(",")} 1` : "";
    await this.connection.command(`analyze json 20 minmoves ${most} maxmoves ${most}${words}`, (update) => {
      if (!update.startsWith("{")) throw new CommandError("internal", update);
      tell(JSON.parse(update));
    });
  }

  async stop() {
    await this.connection.command("stop");
  }

  /** Searches a move and plays it. The search may be cut short by `connection.interrupt()`. */
  async move(line: Line, clock: string[], tell: (report: Report) => void): Promise<string> {
    await this.goTo(line);
    for (const command of clock) await this.connection.command(command);
    let last = "";
    const answer = this.connection.command("genmove_analyze json 20", (update) => {
      if (update.startsWith("{")) tell(JSON.parse(update));
      else last = update;
    });
    this.running = answer.catch(() => {});
    const text = (await answer) || last;
    const move = text.split("\n").pop()!.replace(/^play /, "");
    this.played(move);
    return move;
  }

  /** What the last search has found, below these moves. */
  async lastSearch(moves: string[] = []): Promise<Report> {
    return JSON.parse(await this.connection.command(["last_search", ...moves].join(" ")));
  }

  /** Goes on with the search by `count` simulations. */
  async simulate(line: Line, count: number): Promise<Report> {
    await this.goTo(line);
    return JSON.parse(await this.connection.command(`simulate ${count}`));
  }
}
