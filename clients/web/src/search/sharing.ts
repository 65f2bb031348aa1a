// Lets others watch: engine A's table gets a name, and goes wherever this page goes. A second table beside it, at which
// this page alone sits, tells them whether it is still there.

import { addressOfTable } from "../game/address";
import type { Game } from "../game/game";
import { pageTable, presenceOf, secretWord } from "../server/names";
import { Signal } from "../signal";
import { thisTab } from "../storage";
import type { Searchers } from "./searchers";

const kept = "shared";

export class Sharing {
  /** It has begun or ended. */
  readonly switched = new Signal<boolean>();

  /** Goes on with what was shared before the page was loaded anew. */
  constructor(private readonly game: Game, private readonly searchers: Searchers) {
    const { engine } = searchers.first;
    engine.name = thisTab.get(kept) ?? "";
    const follow = () => {
      // An analysis goes there by itself, and a move that is being searched first ends.
      if (engine.name && !searchers.first.isOn && game.state) void engine.goTo(game.tree.lineTo(game.node)).catch(() => {});
    };
    game.known.listen(follow);
    searchers.ready.listen((searcher) => { if (searcher === searchers.first) follow(); });
  }

  /** Whether others may watch. */
  get isOn(): boolean {
    return this.searchers.first.engine.name !== "";
  }

  /** Tells others that this page is there; to be called in each new session of the game's table. */
  async restore() {
    const { engine } = this.searchers.first;
    if (engine.name) await this.game.arbiter!.enter(presenceOf(engine.name));
    this.switched.tell(this.isOn);
  }

  /** The address at which others can watch. */
  async begin(): Promise<string> {
    const { game } = this;
    const { engine } = this.searchers.first;
    if (!this.isOn) {
      await engine.share(pageTable + secretWord());
      thisTab.set(kept, engine.name);
      await this.restore();
      await engine.goTo(game.tree.lineTo(game.node));
    }
    return addressOfTable(engine.name);
  }

  /** Others see that it has ended. */
  async end() {
    await this.game.arbiter!.leave();
    await this.searchers.first.engine.unshare();
    thisTab.set(kept, "");
    this.switched.tell(false);
  }
}
