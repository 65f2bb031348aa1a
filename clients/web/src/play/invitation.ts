// A game between people: who begins one gets a seat, and addresses for the others.

import { copyBy } from "../clipboard";
import { addressOfTable } from "../game/address";
import type { Game } from "../game/game";
import { button, labelled, make, select, showDialog } from "../markup";
import type { Messages } from "../messages";
import { openSharedGame, Seat, SharedGame } from "../server/shared_game";
import { thisTab } from "../storage";

const kept = (table: string) => `game-of-people-${table}`;

export class Invitation {
  constructor(private readonly game: Game, private readonly fail: (error: unknown) => void) {}

  /** Asks for the person's own colour, and goes to that seat. */
  ask() {
    const words = make(null, "p", "", "The game goes on from the position shown, at a table that the server keeps. You get an " +
      "address for each other player, and one for those who look on.");
    const row = make(null, "p");
    const colour = labelled(row, "you play", select(this.game.geometry.colours));
    const begin = button(row, "begin", "go to your seat", () => {
      begin.disabled = true;
      this.begin(colour.value).catch(this.fail).finally(() => dialog.close());
    });
    const dialog = showDialog("Let others play", words, row);
  }

  private async begin(colour: string) {
    const { tree, node, geometry } = this.game;
    const shared = await openSharedGame(tree.lineTo(node), geometry.colours);
    thisTab.set(kept(shared.table), JSON.stringify(shared));
    location.href = addressOfTable(shared.table, shared.seats.find((seat) => seat.colour === colour));
  }
}

/** The addresses for others, on the page of who has begun the game at that table; nothing on others. */
export function addressesForOthers(table: string, own: Seat, messages: Messages): HTMLElement | undefined {
  const shared: SharedGame | null = JSON.parse(thisTab.get(kept(table)) ?? "null");
  if (!shared) return undefined;
  const host = make(null, "section", "invitation panel");
  host.setAttribute("aria-label", "Addresses for others");
  const offer = (words: string, address: string) => {
    const row = make(host, "div", "controls");
    const field = labelled(row, words, make(null, "input"));
    field.readOnly = true;
    field.value = address;
    button(row, "copy", `copy the address: ${words}`, () => void copyBy(field, address).then((said) => messages.tell(said)));
  };
  for (const seat of shared.seats.filter((each) => each.colour !== own.colour)) {
    offer(`${seat.colour} plays at`, addressOfTable(table, seat));
  }
  offer("others look on at", addressOfTable(table));
  make(host, "p", "facts", shared.isKept ? "The server keeps this game to its end, also through a restart."
    : "This server keeps no game through a restart: that takes pitbossd --state FOLDER.");
  return host;
}
