// Games and positions in and out: as text, as SGF, as an address, as a file.

import { button, drawer, labelled, make } from "../markup";
import type { Messages } from "../messages";
import type { Game } from "./game";
import { GameTree } from "./game_tree";
import { gameInFile, savedPage, treeIn } from "./saved_game";
import { openSgf } from "./sgf";

export class FilesPanel {
  readonly host = drawer(null, "Copy, paste, save, share");
  /** Copy, paste, save and load; others may add buttons. */
  readonly row: HTMLElement;
  private readonly text = make(null, "textarea");

  constructor(private readonly game: Game, private readonly messages: Messages) {
    labelled(this.host, "position, or game in SGF", this.text).rows = 4;
    this.row = make(this.host, "div", "controls");
    const add = (words: string, title: string, act: () => void | Promise<void>) =>
      button(this.row, words, title, () => void Promise.resolve(act()).catch((error) => messages.fail(error)));
    add("copy position", "copy the position", () => this.copy(game.state?.position ?? ""));
    add("copy SGF", "copy the game as SGF", () => this.copySgf());
    add("copy address", "copy an address that opens this game", () => this.copy(location.href));
    add("paste", "open what the field holds", () => this.paste());
    add("save as HTML", "save game and analyses as one file", () => this.save());
    const file = labelled(this.row, "load", make(null, "input"));
    file.type = "file";
    file.accept = ".html";
    file.addEventListener("change", () => {
      if (file.files?.[0]) void this.load(file.files[0]).catch((error) => messages.fail(error));
      file.value = "";
    });
  }

  /** Puts words into the field, and where the system keeps what is copied, if the browser allows that. */
  async copy(words: string) {
    this.text.value = words;
    this.text.select();
    const isCopied = await navigator.clipboard?.writeText(words).then(() => true, () => false) || document.execCommand("copy");
    this.messages.tell(isCopied ? "copied" : "The browser lets no page copy here: the words are selected, Ctrl-C copies them.");
  }

  private async copySgf() {
    const { arbiter, tree, node } = this.game;
    await this.copy(await arbiter!.ask(tree.lineTo(node), "printsgf"));
  }

  /** Opens a game in SGF, or a position of the game shown. */
  private async paste() {
    const text = this.text.value.trim();
    if (!text) throw new Error("the field is empty: paste a position or a game in SGF into it first");
    if (text.startsWith("(")) await openSgf(this.game, text);
    else await this.game.openMoves(new GameTree(this.game.tree.rules, text.replace(/^position /, "")), []);
    this.messages.tell("opened");
  }

  private async save() {
    const link = make(null, "a");
    link.href = URL.createObjectURL(new Blob([await savedPage(this.game)], { type: "text/html" }));
    link.download = `pitboss-${this.game.geometry.game}.html`;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  private async load(file: File) {
    const { tree, node } = treeIn(gameInFile(file.name, await file.text()), true);
    await this.game.open(tree, node);
    this.messages.tell(`opened ${file.name}`);
  }
}
