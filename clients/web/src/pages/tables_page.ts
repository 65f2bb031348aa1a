// For those whose token lets them only look on: the tables that they may watch.

import { addressOfTable } from "../game/address";
import { make } from "../markup";
import type { Connection } from "../server/connection";
import { presenceEnd } from "../server/names";

/** Seconds from one look for tables to the next. */
const pause = 2;

/** Shows them in place of the page, as long as the connection lasts. */
export async function showTables(connection: Connection, main: Element) {
  main.replaceChildren();
  const host = make(main, "section", "tables");
  make(host, "h1", "", "Pitboss");
  make(host, "p", "", "Your token lets you look on, and not play or search.");
  const facts = make(host, "p");
  facts.setAttribute("role", "status");
  const list = make(host, "ul");
  let before: string | undefined;
  for (;;) {
    const told = await connection.command("tables");
    if (told !== before) {
      const tables = told.split("\n").map((row) => row.split(" ")).filter(([name]) => name && !name.endsWith(presenceEnd));
      facts.textContent = tables.length > 0 ? "You may watch:" : "Nobody shows a board now; this page looks for one every 2 seconds.";
      list.replaceChildren();
      for (const [name, game] of tables) make(make(list, "li"), "a", "", `${game} at ${name}`).href = addressOfTable(name);
    }
    before = told;
    await connection.rest(pause);
  }
}
