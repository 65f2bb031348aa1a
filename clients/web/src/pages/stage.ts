// What every kind of page has: the game on its board, its moves and values.

import { Key, Keys } from "../keys";
import { button, make } from "../markup";
import { Messages } from "../messages";
import { Overlay } from "../search/overlay";
import { SearchView } from "../search/search_view";
import type { Report } from "../server/protocol";
import type { Table } from "../server/table";
import { changeTheme, keepTheme } from "../theme";
import { GameView } from "./game_view";

export class Stage {
  readonly stage: HTMLElement;
  readonly head: HTMLElement;
  readonly tools = make(null, "div", "tools");
  readonly side: HTMLElement;
  readonly messages = new Messages();
  readonly fail = (error: unknown) => this.messages.fail(error);
  private readonly view: GameView;

  constructor(arbiter: Table | undefined, isReadOnly: boolean) {
    keepTheme();
    const main = make(document.body, "main");
    this.stage = section(main, "stage", "Game");
    this.head = make(main, "header");
    this.side = make(main, "div", "side");
    this.view = new GameView(this.stage, arbiter, isReadOnly, this.fail);
    this.panel.place.after(this.messages.host);
    this.game.opened.listen(() => this.messages.clearAlarm());
    this.game.moved.listen((isPlayed) => { if (isPlayed) this.messages.clearAlarm(); });
    make(this.head, "h1", "", "Pitboss").title = "plays fifteen games and shows how it thinks";
    button(this.tools, "◐", "change between light and dark", changeTheme);
  }

  get game() {
    return this.view.game;
  }

  get panel() {
    return this.view.panel;
  }

  get controls() {
    return this.view.controls;
  }

  get moves() {
    return this.view.moves;
  }

  /** Adds the keys that every page has. */
  listenToKeys(more: Key[]) {
    const keys = new Keys([...this.view.keys, ...more]);
    button(this.tools, "?", "show the keys (?)", () => keys.showHelp());
    this.head.append(this.tools);
  }

  /** Says on the page that the server is away. */
  lost(reason: string, seconds: number) {
    document.body.classList.add("offline");
    this.messages.tell(`Not connected: ${reason}. The game is kept; next try in ${Math.ceil(seconds)} s.`);
  }

  found() {
    document.body.classList.remove("offline");
    this.messages.tell("Connected.");
  }
}

export function section(parent: Element, style: string, words: string): HTMLElement {
  const made = make(parent, "section", style);
  made.setAttribute("aria-label", words);
  return made;
}

/** What a search of others has found, in the table and on the board, of which nothing can be asked. */
export class SilentAnalysis {
  private readonly view: SearchView;
  private readonly overlay: Overlay;

  constructor(private readonly stage: Stage) {
    const host = section(stage.side, "analysis", "Analysis");
    const bar = make(host, "div", "controls");
    this.view = new SearchView(make(host, "div", "searches"), "A",
      { hover() {}, add() {}, play() {}, below() {}, restrict() {}, focus() {} });
    stage.side.append(stage.moves);
    this.overlay = new Overlay(bar, stage.panel, () => this.view.report);
    stage.game.moved.listen(() => {
      const { report } = stage.game.node;
      if (report) this.view.show(report);
      else this.view.clear();
    });
  }

  /** A report of the position shown. */
  tell(report: Report) {
    this.stage.game.node.report = report;
    this.view.tell(report);
    this.overlay.draw();
    this.stage.game.changed.tell();
  }
}
