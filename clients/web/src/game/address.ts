// The address of the page holds the game: its rules, where it began, its moves and the ply shown.

import type { Game } from "./game";
import { GameTree, Node } from "./game_tree";
import type { Seat } from "../server/shared_game";

/** The engines whose options an address can tell. */
const engines = ["A", "B"];

/** What follows the page's own address. It may tell the options of engines A and B. */
export function addressOf(tree: GameTree, node: Node, options: Record<string, string>[] = []): string {
  const line = node.line.slice(1).map(({ move }) => move);
  const parts = new URLSearchParams({ game: tree.rules });
  if (tree.start) parts.set("start", tree.start);
  if (line.length > 0) parts.set("moves", line.join(" "));
  if (node.ply !== line.length) parts.set("ply", String(node.ply));
  options.forEach((each, i) => {
    const words = Object.entries(each).map(([name, value]) => `${name}=${value}`);
    if (words.length > 0) parts.set(engines[i], words.join(" "));
  });
  return `#${parts}`;
}

/** What the address says of engines: the name of each, and its options. */
export function optionsInAddress(): [string, [string, string][]][] {
  const parts = new URLSearchParams(location.hash.slice(1));
  return engines.filter((name) => parts.has(name)).map((name) =>
    [name, parts.get(name)!.split(" ").map((word) => word.split(/=(.*)/, 2) as [string, string])]);
}

/** Has the address hold the game; `isAnother`: the browser's Back leads to the one before. */
export function saveAddress({ tree, node }: Game, isAnother: boolean) {
  const address = addressOf(tree, node);
  if (location.hash === address) return;
  if (isAnother) history.pushState(null, "", address);
  else history.replaceState(null, "", address);
}

/** Opens the game that the address holds; throws if it holds none that can be played. */
export async function openAddress(game: Game) {
  const parts = new URLSearchParams(location.hash.slice(1));
  const moves = (parts.get("moves") ?? "").split(" ").filter(Boolean);
  const ply = parts.get("ply");
  await game.openMoves(new GameTree(parts.get("game") || "connect4", parts.get("start") ?? ""), moves,
    ply === null ? moves.length : Number(ply) || 0);
}

/** The table that the address names to be watched, if any. */
export function watchedTable(): string | null {
  return new URLSearchParams(location.hash.slice(1)).get("watch");
}

/** The colour that the address holds at that table, if any. */
export function ownSeat(): Seat | undefined {
  const parts = new URLSearchParams(location.hash.slice(1));
  const [colour, key] = [parts.get("seat"), parts.get("key")];
  return colour && key ? { colour, key } : undefined;
}

/** Where a table is watched, or played at by who holds a colour. */
export function addressOfTable(table: string, seat?: Seat): string {
  const parts = new URLSearchParams({ watch: table, ...(seat ? { seat: seat.colour, key: seat.key } : {}) });
  return `${location.origin}${location.pathname}#${parts}`;
}
