// Lets others watch: engine A's table gets a name, and goes wherever this page goes.

import { addressToWatch } from "../game/address";
import type { Game } from "../game/game";
import type { Searchers } from "./searchers";

/** A name that nobody guesses. */
function newName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return `board-${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Shows others the position whenever this page shows another. */
export function keepWatchersUpToDate(game: Game, { first, ready }: Searchers) {
  const follow = () => {
    // An analysis goes there by itself, and a move that is being searched first ends.
    if (first.engine.name && !first.isOn && game.state) void first.engine.goTo(game.tree.lineTo(game.node)).catch(() => {});
  };
  game.known.listen(follow);
  ready.listen((searcher) => { if (searcher === first) follow(); });
}

/** The address at which others can watch. */
export async function share(game: Game, { first: { engine } }: Searchers): Promise<string> {
  if (!engine.name) {
    await engine.share(newName());
    await engine.goTo(game.tree.lineTo(game.node));
  }
  return addressToWatch(engine.name);
}
