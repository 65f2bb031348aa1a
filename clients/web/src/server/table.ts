// A table of the server that this page alone plays at, and what the page asks there.

import type { Connection } from "./connection";
import type { RecordedGame, State } from "./protocol";

/** How a position has come about: the game with its parameters, where it began ("": as always), the moves. */
export interface Line {
  rules: string;
  start: string;
  moves: string[];
}

export class Table {
  private line?: Line;

  constructor(readonly connection: Connection) {}

  /** Sits down at the table of a name, and shares it with others. */
  async enter(name: string, right: "watch" | "play" = "watch") {
    const there = this.connection.command(`attach ${name}`);
    this.forget();
    await there;
    // A server without tokens keeps nobody out, and knows no such command's right.
    await this.connection.command(`share ${right}`).catch(() => {});
  }

  /** Goes on at a table without a name; those who watch see no more of it. */
  async leave() {
    this.connection.command("share nobody").catch(() => {});
    const gone = this.connection.command("detach");
    this.forget();
    await gone;
  }

  /** A new session begins with the server's default game. */
  forget() {
    this.line = undefined;
  }

  /** Sends what leads to a position, by what differs, and `more` behind it. */
  protected async send(line: Line, more: string[] = []): Promise<void> {
    const sent = [...this.commandsTo(line), ...more].map((command) => this.connection.command(command));
    this.line = { ...line, moves: [...line.moves] };
    try {
      await Promise.all(sent);
    } catch (error) {
      this.line = undefined;
      throw error;
    }
  }

  async state(line: Line): Promise<State> {
    return JSON.parse(await this.ask(line, "state steps"));
  }

  /** The networks or features that the server has for a game; one that was given none says so by a failure. */
  async names(line: Line, command: "networks" | "features"): Promise<string[]> {
    return (await this.ask(line, command).catch(() => "")).split("\n").filter(Boolean);
  }

  /** The game that a text records, of several that of the number; one of the kind of `line` if the text tells none. */
  async readRecord(line: Line, text: string, number: string): Promise<RecordedGame> {
    // A command is one line of words, and "#" begins a comment.
    const word = text.replace(/[%#\x00-\x20\x7f]/g, encodeURIComponent);
    return JSON.parse(await this.ask(line, `read_record ${word} ${number}`.trimEnd()));
  }

  /** A command about a position: sent at once behind what leads there and `before` it, so that nothing comes between. */
  async ask(line: Line, command: string, update?: (line: string) => void, before: string[] = []): Promise<string> {
    const there = this.send(line, before);
    const answer = this.connection.command(command, update);
    answer.catch(() => {});
    await there;
    return answer;
  }

  protected played(move: string) {
    this.line?.moves.push(move);
  }

  /** Whether what leads to a position begins another game, with which the server forgets the last search. */
  protected beginsAnew({ rules, start }: Line): boolean {
    return this.line?.rules !== rules || this.line.start !== start;
  }

  private commandsTo(line: Line): string[] {
    const { rules, start, moves } = line;
    const commands = [];
    let same = 0;
    if (this.beginsAnew(line)) {
      commands.push(`game ${rules}`);
      if (start) commands.push(`position ${start}`);
    } else {
      const old = this.line!;
      while (same < moves.length && moves[same] === old.moves[same]) ++same;
      if (old.moves.length > same) commands.push(`gg-undo ${old.moves.length - same}`);
    }
    return commands.concat(moves.slice(same).map((move) => `play ${move}`));
  }
}
