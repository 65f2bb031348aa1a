// What every kind of page has: the game on its board, its moves and values.

import { Game } from "../game/game";
import { Key, Keys } from "../keys";
import { button, make } from "../markup";
import { Messages } from "../messages";
import { BoardPanel } from "../play/board_panel";
import { MoveList } from "../play/move_list";
import { ValueChart } from "../play/value_chart";
import { Overlay } from "../search/overlay";
import { SearchView } from "../search/search_view";
import type { Report } from "../server/protocol";
import type { Table } from "../server/table";
import { changeTheme, keepTheme } from "../theme";

export class Stage {
  readonly head = make(document.body, "header");
  readonly tools = make(null, "div", "tools");
  readonly stage: HTMLElement;
  readonly side: HTMLElement;
  readonly controls = make(null, "div", "controls");
  readonly messages = new Messages();
  readonly fail = (error: unknown) => this.messages.fail(error);
  readonly game: Game;
  readonly panel: BoardPanel;

  constructor(arbiter: Table | undefined, isReadOnly: boolean) {
    keepTheme();
    const main = make(document.body, "main");
    this.stage = section(main, "stage", "Game");
    this.side = make(main, "div", "side");
    this.game = new Game(arbiter, this.fail);
    this.panel = new BoardPanel(this.game, isReadOnly, this.fail);
    this.game.opened.listen(() => this.messages.clearAlarm());
    make(this.head, "h1", "", "Pitboss").title = "plays fifteen games and shows how it thinks";
    button(this.tools, "light or dark", "change between light and dark", changeTheme);
    const { game, panel } = this;
    button(this.controls, "«", "first position (Home)", () => game.first());
    button(this.controls, "‹", "back (left arrow)", () => game.back());
    button(this.controls, "›", "forward (right arrow)", () => game.forward());
    button(this.controls, "»", "last position (End)", () => game.last());
    button(this.controls, "turn", "turn the board (t)", () => panel.turn());
    this.stage.append(this.messages.host, panel.host, panel.words, this.controls, panel.place, panel.spoken,
      new ValueChart(game).host);
    make(this.stage, "h2", "", "Moves");
    this.stage.append(new MoveList(game).host);
  }

  /** Adds the keys that every page has. */
  listenToKeys(more: Key[]) {
    const { game, panel } = this;
    const keys = new Keys([
      { key: "ArrowLeft", shown: "← →, wheel", does: "back and forward", act: () => game.back() },
      { key: "ArrowRight", act: () => game.forward() },
      { key: "Home", shown: "Home, End", does: "first and last position", act: () => game.first() },
      { key: "End", act: () => game.last() },
      { key: "ArrowUp", shown: "↑ ↓", does: "other variations", act: () => game.variation(-1) },
      { key: "ArrowDown", act: () => game.variation(1) },
      { key: "t", shown: "t", does: "turn the board", act: () => panel.turn() },
      ...more,
    ]);
    button(this.tools, "keys", "show the keys (?)", () => keys.showHelp());
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
      { hover() {}, add() {}, play() {}, below() {}, restrict() {} });
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
