// The moves of the game with their variations; a click goes there.

import type { Game } from "../game/game";
import type { Node } from "../game/game_tree";
import { button, make, onceAFrame, seatSign } from "../markup";

export class MoveList {
  readonly host = make(null, "div", "moves");
  /** The moves that are listed; made anew when there are others. */
  private readonly buttons = new Map<Node, HTMLElement>();

  constructor(private readonly game: Game) {
    const draw = onceAFrame(() => this.draw());
    for (const signal of [game.moved, game.known]) signal.listen(draw);
    game.changed.listen(draw);
  }

  private draw() {
    const { tree, node } = this.game;
    if (!this.isComplete(tree.root)) {
      this.host.replaceChildren();
      this.buttons.clear();
      this.addLine(this.host, tree.root);
    }
    this.host.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const here = this.buttons.get(node);
    here?.setAttribute("aria-current", "step");
    if (here) this.host.scrollTop = here.offsetTop - this.host.clientHeight / 2;
  }

  /** Whether the list has the moves of the tree, and no others. */
  private isComplete(root: Node): boolean {
    let count = 0;
    const has = (node: Node): boolean => node.children.every((child) => {
      ++count;
      return this.buttons.get(child)?.dataset.shows === shownOf(child) && has(child);
    });
    return has(root) && count === this.buttons.size;
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
    const { remark } = node;
    const words = [remark?.mistake ? "a mistake" : "", remark?.turning_point ? "a turning point" : ""].filter(Boolean);
    const made = button(host, node.move, `go to ply ${[node.ply, ...words].join(", ")}`, () => void this.game.go(node));
    made.classList.toggle("opening", node.isOpening);
    if (node.colour) made.prepend(seatSign(null, node.colour));
    if (node.marks) make(made, "b", "marks", node.marks).setAttribute("aria-hidden", "true");
    made.dataset.shows = shownOf(node);
    this.buttons.set(node, made);
  }
}

/** What a button shows beside its move. */
function shownOf(node: Node): string {
  return `${node.colour ?? ""} ${node.marks}`;
}
