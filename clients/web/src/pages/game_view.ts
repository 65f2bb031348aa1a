// A game on its board: the position, buttons and a slider to step through it, what positions are worth, its moves. All
// pages that show a game have it.

import { Game } from "../game/game";
import type { Key } from "../keys";
import { button, make } from "../markup";
import { BoardPanel } from "../play/board_panel";
import { MoveList } from "../play/move_list";
import { Teller, ValueChart } from "../play/value_chart";
import type { Table } from "../server/table";

export class GameView {
  readonly game: Game;
  readonly panel: BoardPanel;
  readonly controls = make(null, "div", "controls");
  /** The moves under their title, for the page to place. */
  readonly moves = make(null, "section", "game-moves");
  /** Those by which people step. */
  readonly keys: Key[];

  /** Without an `arbiter` positions must be known. */
  constructor(host: Element, arbiter: Table | undefined, isReadOnly: boolean, fail: (error: unknown) => void, teller?: Teller) {
    const game = this.game = new Game(arbiter, fail);
    const panel = this.panel = new BoardPanel(game, isReadOnly, fail);
    button(this.controls, "«", "first position (Home)", () => game.first()).classList.add("far");
    button(this.controls, "‹", "back (left arrow)", () => game.back());
    button(this.controls, "›", "forward (right arrow)", () => game.forward());
    button(this.controls, "»", "last position (End)", () => game.last()).classList.add("far");
    button(this.controls, "turn", "turn the board (t)", () => panel.turn()).classList.add("far");
    this.controls.append(this.slider());
    host.append(panel.host, panel.words, this.controls, panel.place, panel.spoken, new ValueChart(game, teller).host);
    this.moves.setAttribute("aria-label", "Moves");
    make(this.moves, "p", "title", "Moves");
    this.moves.append(this.remark(), new MoveList(game).host);
    this.keys = [
      { key: "ArrowLeft", shown: "← →, wheel", does: "back and forward", act: () => game.back() },
      { key: "ArrowRight", act: () => game.forward() },
      { key: "Home", shown: "Home, End", does: "first and last position", act: () => game.first() },
      { key: "End", act: () => game.last() },
      { key: "ArrowUp", shown: "↑ ↓", does: "other variations", act: () => game.variation(-1) },
      { key: "ArrowDown", act: () => game.variation(1) },
      { key: "t", shown: "t", does: "turn the board", act: () => panel.turn() },
    ];
  }

  /** What a record says of the position shown. */
  private remark(): HTMLElement {
    const { game } = this;
    const words = make(null, "p", "remark");
    words.setAttribute("aria-live", "polite");
    const show = () => {
      words.textContent = game.node.remark?.comment ?? "";
      words.hidden = !words.textContent;
    };
    for (const signal of [game.opened, game.changed]) signal.listen(show);
    game.moved.listen(show);
    return words;
  }

  private slider(): HTMLElement {
    const { game } = this;
    const slider = make(null, "input", "slider");
    slider.type = "range";
    slider.min = "0";
    slider.setAttribute("aria-label", "ply");
    slider.addEventListener("input", () => void game.go(game.node.line[Number(slider.value)]));
    game.moved.listen(() => {
      slider.max = String(game.node.line.length - 1);
      slider.value = String(game.node.ply);
    });
    return slider;
  }
}
