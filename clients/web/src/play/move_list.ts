// The moves of the game with their variations; a click goes there.

import type { Game } from "../game/game";
import type { Node } from "../game/game_tree";
import { button, make, onceAFrame, seatSign } from "../markup";

export class MoveList {
  readonly host = make(null, "div", "moves");

  constructor(private readonly game: Game) {
    const draw = onceAFrame(() => this.draw());
    for (const signal of [game.moved, game.known]) signal.listen(draw);
    game.changed.listen(draw);
  }

  private draw() {
    this.host.replaceChildren();
    this.addLine(this.host, this.game.tree.root);
    const here = this.host.querySelector<HTMLElement>("[aria-current]");
    if (here) this.host.scrollTop = here.offsetTop - this.host.clientHeight / 2;
  }

  /** The moves that follow a node, each with the variations to it. */
  private addLine(host: Element, from: Node) {
    for (let node: Node | undefined = from; node; node = node.children[0]) {
      for (const child of node.children.slice(0, 1)) this.add(host, child);
      for (const other of node.children.slice(1)) {
        const inner = make(host, "div", "variation");
        this.add(inner, other);
        this.addLine(inner, other);
      }
    }
  }

  private add(host: Element, node: Node) {
    const made = button(host, node.move, `go to ply ${node.ply}`, () => void this.game.go(node));
    if (node.colour) made.prepend(seatSign(null, node.colour));
    if (node === this.game.node) made.setAttribute("aria-current", "step");
  }
}
