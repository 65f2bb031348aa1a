// Looks on at a table with a name, which others play or search at, and changes nothing there but by moves of a colour
// that this page holds.

import { type CommandError, Connection } from "./connection";
import { gameTable, pageTable, presenceOf } from "./names";
import type { Geometry, Report, State } from "./protocol";
import type { Seat } from "./shared_game";

export interface Sights {
  /** The position at the table has changed; resolves when it is shown. The geometry is that of its game. */
  position(state: State, geometry: Geometry): Promise<void>;
  /** What a search of that position has found. */
  report(report: Report): void;
  failed(error: unknown): void;
  /** Whether the page is there that shows the table. */
  owner(isThere: boolean): void;
  /** Whether those who hold colours are there, by colour; told again and again. */
  seats(areThere: Map<string, boolean>): void;
  /** The page has taken its seat. */
  seated(): void;
}

/** Seconds from one look for a table to the next. */
const pause = 2;

export class Spectator {
  private readonly watching = new Connection();
  private readonly asking = new Connection();  // a line of its own would end the watch
  private geometry?: Geometry;
  private isStale = true;
  private isAsking = false;
  /** Why this page may not move for its colour; "" while it sits there. */
  refusal: string;

  /** `name` is the table's. Begins at once, and again whenever the connection has been lost. */
  constructor(private readonly name: string, private readonly sights: Sights, private readonly seat?: Seat) {
    this.refusal = this.notYet;
    this.watching.opened = () => void this.watch();
    this.asking.opened = () => void this.enter(this.asking).then(async () => {
      void this.lookForOthers();
      await this.look();
      await this.sitDown();
    }).catch(sights.failed);
    this.watching.isListening = true;
    this.asking.lost = (reason) => {
      this.refusal = this.notYet;
      this.watching.giveUp(reason);
    };
    this.watching.connect();
    this.asking.connect();
  }

  /** Attaches to the table once it is there, for its owner may come back later: `attach` would make one. */
  private async enter(connection: Connection) {
    while (await this.connectionsAt(connection, this.name) === undefined) {
      this.sights.failed(new Error(`There is no table '${this.name}' to watch: it has ended, or its owner does not share it. ` +
        `This page looks for it every ${pause} seconds.`));
      await connection.rest(pause);
    }
    await connection.command(`attach ${this.name}`);
  }

  /** How many connections a table has; nothing if there is no such table. */
  private async connectionsAt(connection: Connection, name: string): Promise<number | undefined> {
    const tables = (await connection.command("tables")).split("\n").map((line) => line.split(" "));
    const found = tables.find(([each]) => each === name);
    return found && Number(found[2]);
  }

  private get notYet(): string {
    return this.seat ? `This page does not sit at ${this.seat.colour}'s seat yet.` : "This page only looks on.";
  }

  /** Takes the seat, as soon as no other page has it. */
  private async sitDown() {
    if (!this.seat) return;
    const { colour, key } = this.seat;
    while (this.refusal) {
      try {
        await this.asking.command(`seat ${colour} ${key}`);
        this.refusal = "";
        this.sights.seated();
        await this.lookAtSeats();
      } catch (error) {
        const { code, message } = error as CommandError;
        if (code === "disconnected") throw error;
        this.refusal = message;
        if (code !== "busy") throw error;
        this.sights.failed(new Error(`${message}. This page asks again every ${pause} seconds.`));
        await this.asking.rest(pause);
      }
    }
  }

  private async lookAtSeats() {
    const seats = await this.asking.command("seat");
    const rows = seats.split("\n").filter(Boolean).map((row) => row.split(" "));
    this.sights.seats(new Map(rows.map(([colour, where]) => [colour, where === "here"])));
  }

  /** Makes a move of the colour that the page holds. */
  async play(move: string) {
    await this.asking.command(`play ${this.seat!.colour} ${move}`);
  }

  /** The game is over: it need not outlive the server. */
  end() {
    this.asking.command("keep off").catch(() => {});
  }

  /** Looks for the page that shows the table, or for those who play there, as long as the connection lasts. */
  private async lookForOthers() {
    const isBoard = this.name.startsWith(pageTable);
    if (!isBoard && !this.name.startsWith(gameTable)) return;
    let wasThere = true;
    try {
      for (;;) {
        if (isBoard) {
          const isThere = Boolean(await this.connectionsAt(this.asking, presenceOf(this.name)));
          if (isThere !== wasThere) this.sights.owner(isThere);
          wasThere = isThere;
        } else {
          await this.lookAtSeats();
        }
        await this.asking.rest(pause);
      }
    } catch {
      // The connection is lost; the next one looks again.
    }
  }

  private async watch() {
    try {
      await this.enter(this.watching);
      await this.watching.command("watch", (update) => {
        const seen = JSON.parse(update);
        if (seen.event === "position") void this.look();
        else if (!seen.event && !this.isStale && !this.isAsking) this.sights.report(seen);
      });
      throw new Error(`The table '${this.name}' can be watched no longer.`);
    } catch (error) {
      this.sights.failed(error);
    }
  }

  /** Asks for the position, once for all changes that come meanwhile. */
  private async look() {
    this.isStale = true;
    if (this.isAsking || !this.asking.isOpen) return;
    this.isAsking = true;
    try {
      while (this.isStale) {
        this.isStale = false;
        const state: State = JSON.parse(await this.asking.command("state steps"));
        if (this.geometry?.rules !== state.rules) this.geometry = JSON.parse(await this.asking.command("geometry"));
        // The table may have another game meanwhile, of which there will be word.
        if (this.geometry?.rules === state.rules) await this.sights.position(state, this.geometry);
      }
    } catch (error) {
      this.sights.failed(error);
    } finally {
      this.isAsking = false;
    }
  }
}
