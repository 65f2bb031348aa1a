// The last games, which the browser keeps with their variations and analyses: nothing is lost by a reload, a crash or a
// new game.

import { button, drawer, make } from "../markup";
import { openDatabase, refused } from "../storage";
import { addressOf } from "./address";
import type { Game } from "./game";
import type { GameTree, Node } from "./game_tree";
import { SavedTree, treeIn, treeSaved } from "./saved_game";

interface KeptGame extends SavedTree {
  id: string;
  /** Milliseconds since 1970. */
  when: number;
  address: string;
}

const most = 20;
/** Milliseconds from a change to its being kept. */
const pause = 500;

export class KeptGames {
  readonly host = drawer(null, "Last games");
  private readonly list = make(this.host, "ol", "last-games");
  private readonly database = openDatabase();
  /** What is to be kept soon. */
  private due?: { tree: GameTree; node: Node };
  private timer = 0;

  constructor(private readonly game: Game, private readonly fail: (error: unknown) => void) {
    this.database.catch(() => refused.tell());
    game.opened.listen(() => this.keep());  // the game before
    for (const signal of [game.moved, game.known]) signal.listen(() => this.wait());
    game.changed.listen(() => this.wait());
    document.addEventListener("visibilitychange", () => this.keep());
    window.addEventListener("pagehide", () => this.keep());
    this.host.addEventListener("toggle", () => { if (this.host.open) void this.offer(); });
  }

  /** Opens the game that was kept at an address; false if none was. */
  async open(address: string): Promise<boolean> {
    const found = (await this.all()).find((each) => each.address === address);
    if (found) await this.openKept(found);
    return found !== undefined;
  }

  private async openKept(kept: KeptGame) {
    const { tree, node } = treeIn(kept, true, kept.id);
    await this.game.open(tree, node);
  }

  private wait() {
    const { tree, node } = this.game;
    if (tree.root.children.length > 0) this.due = { tree, node };
    this.timer ||= window.setTimeout(() => this.keep(), pause);
  }

  private keep() {
    clearTimeout(this.timer);
    this.timer = 0;
    const { due } = this;
    this.due = undefined;
    if (!due) return;
    const { tree, node } = due;
    const kept: KeptGame = { ...treeSaved(tree, node, false), id: tree.id, when: Date.now(), address: addressOf(tree, node) };
    this.database.then((database) => {
      database.transaction("games", "readwrite").objectStore("games").put(kept);
    }).catch(() => {});  // which was told when it was opened
  }

  /** The newest first; what is older than the last ones is forgotten. */
  private async all(): Promise<KeptGame[]> {
    const database = await this.database.catch(() => undefined);
    if (!database) return [];
    const games = database.transaction("games", "readwrite").objectStore("games");
    const request = games.getAll();
    return new Promise((done) => {
      request.onsuccess = () => {
        const all = (request.result as KeptGame[]).sort((a, b) => b.when - a.when);
        for (const { id } of all.slice(most)) games.delete(id);
        done(all.slice(0, most));
      };
      request.onerror = () => done([]);
    });
  }

  private async offer() {
    this.keep();
    const all = await this.all();
    this.list.replaceChildren();
    for (const kept of all) {
      const words = `${kept.rules}: ${kept.shown.slice(0, 6).join(" ") || "start"}, ${new Date(kept.when).toLocaleString()}`;
      button(make(this.list, "li"), words, "open this game", () => void this.openKept(kept).catch(this.fail));
    }
  }
}
