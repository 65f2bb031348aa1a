// A game with its variations, and what searches have found in its positions.

import type { Annotation, Report, State } from "../server/protocol";
import type { Line } from "../server/table";

/** What a record says of a position, and of the move that led there. */
export type Remark = Pick<Annotation, "comment" | "mistake" | "turning_point">;

/** A game of engines A (1) and B (2) from a position on. */
export interface PlayedGame {
  /** Its seeds derive from it. */
  number: number;
  /** Which engine played each colour, in the order in which these move. */
  engines: string;
  moves: string[];
  /** Of each colour; null: the game was not over after the most moves that it might have. */
  shares: Record<string, number> | null;
}

/** Games that engines A and B, with these options, have played from a position on. */
export interface PlayedGames {
  options: Record<string, string>[];
  games: PlayedGame[];
}

export class Node {
  children: Node[] = [];
  state?: State;
  /** What the last analysis of the position has found. */
  report?: Report;
  /** What the position is worth to each colour, by the search that chose a move here. */
  values?: Record<string, number | null>;
  /** Its move was not chosen by a player. */
  isOpening = false;
  remark?: Remark;
  played?: PlayedGames;

  constructor(readonly parent: Node | null, readonly move: string, private readonly savedColour: string | null = null) {}

  /** Whose move led here; null until the position before it is known. */
  get colour(): string | null {
    return this.parent?.state?.to_move ?? this.savedColour;
  }

  get ply(): number {
    return this.parent ? this.parent.ply + 1 : 0;
  }

  /** The marks of its move: `?` a mistake, `⇄` a turning point. */
  get marks(): string {
    return (this.remark?.mistake ? "?" : "") + (this.remark?.turning_point ? "⇄" : "");
  }

  /** The nodes from the root to this one. */
  get path(): Node[] {
    return this.parent ? [...this.parent.path, this] : [this];
  }

  /** The nodes from the root through this one to the end of its first line. */
  get line(): Node[] {
    const line = this.path;
    for (let node = this.children[0]; node; node = node.children[0]) line.push(node);
    return line;
  }

  /** The position after a move, made if it is new. */
  child(move: string): Node {
    const known = this.children.find((child) => child.move === move);
    if (known) return known;
    const made = new Node(this, move);
    this.children.push(made);
    return made;
  }

  remove(child: Node) {
    this.children = this.children.filter((each) => each !== child);
  }

  /** What the position is worth to a colour, if a search has told. */
  valueFor(colour: string): number | undefined {
    return (this.report?.values ?? this.values)?.[colour] ?? undefined;
  }
}

export class GameTree {
  root = new Node(null, "");

  /** `id` tells games apart that the browser keeps. */
  constructor(readonly rules: string, readonly start = "", readonly id = `${Date.now()}-${Math.random()}`) {}

  /** Adds what a record of the game, by these colours, says of its main line. */
  annotate(annotations: Annotation[], [first, ...others]: string[]) {
    const { line } = this.root;
    for (const { ply, comment, value, mistake, turning_point, variations } of annotations) {
      const node = line[ply];
      if (!node) continue;
      node.remark = { comment, mistake, turning_point };
      if (value !== undefined && others.length === 1) node.values = { [first]: value, [others[0]]: 1 - value };
      for (const moves of variations ?? []) {
        let at = node;
        for (const move of moves) at = at.child(move);
      }
    }
  }

  lineTo(node: Node): Line {
    return { rules: this.rules, start: this.start, moves: node.path.slice(1).map(({ move }) => move) };
  }
}

/** A node as JSON can hold it. */
export interface Saved {
  move: string;
  colour: string | null;
  state?: State;
  report?: Report;
  values?: Record<string, number | null>;
  isOpening?: boolean;
  remark?: Remark;
  played?: PlayedGames;
  children: Saved[];
}

/** With `withStates` it can be shown without a server. */
export function treeJson(node: Node, withStates: boolean): Saved {
  const { move, colour, state, report, values, remark, played, children } = node;
  // Legal moves are the server's to tell; a saved game shows positions.
  const kept = withStates && state && { ...state, legal: [], steps: [], moves: [], parts: undefined };
  return { move, colour, state: kept || undefined, report, values, isOpening: node.isOpening, remark, played,
    children: children.map((child) => treeJson(child, withStates)) };
}

export function treeOf(saved: Saved, isLive: boolean, parent: Node | null = null): Node {
  const node = new Node(parent, saved.move, saved.colour);
  node.state = isLive ? undefined : saved.state;
  node.report = saved.report;
  node.values = saved.values;
  node.isOpening = saved.isOpening ?? false;
  node.remark = saved.remark;
  node.played = saved.played;
  node.children = saved.children.map((child) => treeOf(child, isLive, node));
  return node;
}
