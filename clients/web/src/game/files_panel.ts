// Games and positions in and out: as text, as a record, as an address, as a file.

import { copyBy } from "../clipboard";
import { button, drawer, labelled, make } from "../markup";
import type { Messages } from "../messages";
import { addressOf } from "./address";
import type { Game } from "./game";
import { GameTree } from "./game_tree";
import { gameInFile, savedPage, treeIn } from "./saved_game";

export class FilesPanel {
  readonly host = drawer(null, "Copy, paste, save, share");
  /** Copy, paste, save and load; others may add buttons. */
  readonly row: HTMLElement;
  private readonly text = make(null, "textarea");
  private readonly number = make(null, "input");

  /** `picture` is that of the board; `engines` tells what has been set of engines A and B. */
  constructor(private readonly game: Game, private readonly messages: Messages, picture: () => string,
              engines: { options(): Record<string, string>[] }) {
    labelled(this.host, "position, or record of a game (SGF, GGF, PSQ)", this.text).rows = 4;
    this.row = make(this.host, "div", "controls");
    const add = (words: string, title: string, act: () => void | Promise<void>) =>
      button(this.row, words, title, () => void Promise.resolve(act()).catch((error) => messages.fail(error)));
    add("copy position", "copy the position", () => this.copy(game.state?.position ?? ""));
    add("copy SGF", "copy the game as SGF", () => this.copySgf());
    add("copy address", "copy an address that opens this position, with the options of the engines", () => {
      const { tree, node } = this.game;
      return this.copy(location.origin + location.pathname + addressOf(tree, node, engines.options()));
    });
    add("paste", "open what the field holds", () => this.paste());
    labelled(this.row, "game", this.number).title = "which game to open of a record of several";
    this.number.type = "number";
    this.number.min = "1";
    add("save as HTML", "save game and analyses as one file", async () => this.download(await savedPage(this.game), "text/html", "html"));
    add("save picture", "save the board as it is shown, as SVG", () => this.download(picture(), "image/svg+xml", "svg"));
    const file = labelled(this.row, "load", make(null, "input"));
    file.type = "file";
    file.accept = ".html,.sgf,.ggf,.psq";
    file.addEventListener("change", () => {
      if (file.files?.[0]) void this.load(file.files[0]).catch((error) => messages.fail(error));
      file.value = "";
    });
  }

  /** Puts words into the field, and where the system keeps what is copied, if the browser allows that. */
  async copy(words: string) {
    this.messages.tell(await copyBy(this.text, words));
  }

  private async copySgf() {
    const { arbiter, tree, node } = this.game;
    await this.copy(await arbiter!.ask(tree.lineTo(node), "printsgf"));
  }

  /** Opens a recorded game, or a position of the game shown, which is one line. */
  private async paste() {
    const text = this.text.value.trim();
    if (!text) throw new Error("the field is empty: paste a position or a record of a game into it first");
    if (/\(\s*;|\n/.test(text)) return this.openRecord(text);
    const { rules } = this.game.tree;
    await this.game.openMoves(new GameTree(rules, text.replace(/^position /, "")), []).catch((error: Error) => {
      throw new Error(`The field holds no record of a game, and no position of ${rules.split(" ")[0]}: ${error.message}`);
    });
    this.messages.tell("opened");
  }

  private async openRecord(text: string) {
    const { arbiter, tree } = this.game;
    const record = await arbiter!.readRecord(tree.lineTo(tree.root), text, this.number.value);
    const opened = new GameTree(record.rules, record.start ?? "");
    await this.game.openMoves(opened, record.moves);
    opened.annotate(record.annotations, this.game.geometry.colours);
    this.game.changed.tell();
    const players = Object.entries(record.players).filter(([, name]) => name).map(([colour, name]) => `${name} (${colour})`);
    this.messages.tell(["opened", ...(players.length > 0 ? [players.join(" - ")] : []), ...record.notes].join("; "));
  }

  /** Saves a text as a file whose name ends so. */
  private download(text: string, type: string, end: string) {
    const link = make(null, "a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = `pitboss-${this.game.geometry.game}.${end}`;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  /** Opens a game that this page has saved, or a record. */
  private async load(file: File) {
    const text = await file.text();
    if (!/\.html?$/i.test(file.name)) return this.openRecord(text);
    const { tree, node } = treeIn(gameInFile(file.name, text), true);
    await this.game.open(tree, node);
    this.messages.tell(`opened ${file.name}`);
  }
}
