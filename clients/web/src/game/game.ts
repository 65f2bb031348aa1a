// The game that the page shows: its tree, the position in it, and the server that knows the rules.

import { Signal } from "../signal";
import { CommandError } from "../server/connection";
import type { Geometry, State } from "../server/protocol";
import type { Table } from "../server/table";
import { GameTree, Node } from "./game_tree";

/** Another game or another tree, which can be taken back. */
interface Change {
  redo(): void | Promise<void>;
  undo(): void | Promise<void>;
}

/** How many changes can be taken back. */
const mostChanges = 100;

export class Game {
  tree = new GameTree("connect4");
  node = this.tree.root;
  geometry!: Geometry;

  /** Another game has been opened; the geometry is its own. */
  readonly opened = new Signal();
  /** Another position is shown, of which the state may not be known yet. True: a move has just led there. */
  readonly moved = new Signal<boolean>();
  /** The state of the position shown is known. True: a move has just led there. */
  readonly known = new Signal<boolean>();
  /** Something else has changed: variations, or what positions are worth. */
  readonly changed = new Signal();

  private past: Change[] = [];
  private future: Change[] = [];
  private isAsking = false;
  private isPlayed = false;

  /** Without an `arbiter`, which is the server's table for this game, only saved positions can be shown. */
  constructor(readonly arbiter: Table | undefined, private readonly fail: (error: unknown) => void) {}

  get state(): State | undefined {
    return this.node.state;
  }

  /** Opens a game at a node of its tree. Throws if the server does not know such a game. */
  async open(tree: GameTree, node = tree.root, geometry?: Geometry) {
    if (!geometry) {
      geometry = JSON.parse(await this.arbiter!.ask(tree.lineTo(tree.root), "geometry")) as Geometry;
    }
    const [from, to] = [{ tree: this.tree, node: this.node, geometry: this.geometry }, { tree, node, geometry }];
    if (!from.geometry) return this.show(to);
    await this.change({
      redo: () => this.show(to),
      undo: () => {
        to.node = this.node;
        return this.show(from);
      },
    });
  }

  private async show({ tree, node, geometry }: { tree: GameTree; node: Node; geometry: Geometry }) {
    this.geometry = geometry;
    this.tree = tree;
    this.node = node;
    this.opened.tell();
    await this.go(node);
  }

  private async change(change: Change) {
    this.past = [...this.past, change].slice(-mostChanges);
    this.future = [];
    await change.redo();
  }

  /** Takes the last change back: another game, or moves removed. False if there is none. */
  undo(): boolean {
    const change = this.past.pop();
    if (change) this.future.push(change);
    void change?.undo();
    return change !== undefined;
  }

  /** Makes it again. */
  redo(): boolean {
    const change = this.future.pop();
    if (change) this.past.push(change);
    void change?.redo();
    return change !== undefined;
  }

  /** Opens a game with these moves, at a ply; throws, and changes nothing, if one is illegal. */
  async openMoves(tree: GameTree, moves: string[], ply = moves.length) {
    const nodes = [tree.root];
    for (const move of moves) nodes.push(nodes.at(-1)!.child(move));
    const states = await Promise.all(nodes.map((node) => this.arbiter!.state(tree.lineTo(node))));
    nodes.forEach((node, i) => { node.state = states[i]; });
    await this.open(tree, nodes[Math.max(0, Math.min(ply, moves.length))]);
  }

  /** Shows a node of the tree; `isPlayed` if a move has just led there. */
  async go(node: Node, isPlayed = false) {
    this.node = node;
    this.isPlayed = isPlayed;
    this.moved.tell(isPlayed);
    if (node.state) this.known.tell(isPlayed);
    else if (this.arbiter) await this.ask(this.arbiter);
  }

  /** Asks for the state of the node shown, which may change meanwhile. */
  private async ask(arbiter: Table) {
    if (this.isAsking) return;
    this.isAsking = true;
    let error: unknown;
    try {
      while (!this.node.state) {
        const { node } = this;
        node.state = await arbiter.state(this.tree.lineTo(node));
      }
    } catch (thrown) {
      error = thrown;
    } finally {
      this.isAsking = false;
    }
    if (!error) this.known.tell(this.isPlayed);
    else this.refuse(error);
  }

  /** Takes a move back that the server has refused. */
  private refuse(error: unknown) {
    const { parent } = this.node;
    if (error instanceof CommandError && error.code !== "disconnected" && parent) {
      parent.remove(this.node);
      void this.go(parent);
    }
    this.fail(error);
  }

  /** Asks anew, after the connection was lost. */
  async restore() {
    this.arbiter!.forget();
    this.node.state = undefined;
    this.isPlayed = false;
    await this.ask(this.arbiter!);
  }

  play(move: string) {
    if (this.state && !this.state.over) void this.go(this.node.child(move), true);
  }

  /** Adds moves as a variation, and stays where it is. */
  addLine(moves: string[]) {
    let { node } = this;
    for (const move of moves) node = node.child(move);
    this.changed.tell();
  }

  back() {
    if (this.node.parent) void this.go(this.node.parent);
  }

  forward() {
    if (this.node.children[0]) void this.go(this.node.children[0]);
  }

  first() {
    void this.go(this.tree.root);
  }

  last() {
    void this.go(this.node.line.at(-1)!);
  }

  /** Goes to the variation before (-1) or after (1) this one. */
  variation(by: number) {
    const siblings = this.node.parent?.children ?? [];
    const to = siblings[siblings.indexOf(this.node) + by];
    if (to) void this.go(to);
  }

  /** Removes the last move, and what follows it. */
  remove() {
    const { node } = this;
    const { parent } = node;
    if (!parent) return;
    const at = parent.children.indexOf(node);
    void this.change({
      redo: () => {
        parent.remove(node);
        return this.go(parent);
      },
      undo: () => {
        parent.children.splice(at, 0, node);
        return this.go(node);
      },
    });
  }
}
