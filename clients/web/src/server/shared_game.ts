// A game between people: a table of its own, whose colours they hold by keys that stand in their addresses
// (docs/analysis.md, "People at a table").

import { Connection } from "./connection";
import { gameTable, secretWord } from "./names";
import { Line, Table } from "./table";

/** A colour of a table, and the key by which a page sits there. */
export interface Seat {
  colour: string;
  key: string;
}

export interface SharedGame {
  table: string;
  seats: Seat[];
  /** Whether it outlives the server. */
  isKept: boolean;
}

/** Opens a table at which the game of `line` goes on, with a seat for each colour. */
export async function openSharedGame(line: Line, colours: string[]): Promise<SharedGame> {
  const connection = new Connection();
  try {
    await new Promise<void>((opened, failed) => {
      connection.opened = opened;
      connection.lost = (reason) => failed(new Error(reason));
      connection.connect();
    });
    const name = gameTable + secretWord();
    const table = new Table(connection);
    await table.enter(name, "play");
    await table.state(line);
    const seats = colours.map((colour) => ({ colour, key: secretWord() }));
    for (const { colour, key } of seats) await connection.command(`seat ${colour} ${key}`);
    const isKept = await connection.command("keep on").then(() => true, () => false);
    await connection.command("detach");
    return { table: name, seats, isKept };
  } finally {
    connection.close();
  }
}
