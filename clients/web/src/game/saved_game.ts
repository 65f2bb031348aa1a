// A game with its analyses as one HTML file, which shows itself without a server: this page with the game in it.

import type { Geometry } from "../server/protocol";
import type { Game } from "./game";
import { GameTree, Node, Saved, treeJson, treeOf } from "./game_tree";

/** A game with its variations and the moves to the position shown. */
export interface SavedTree {
  rules: string;
  start: string;
  shown: string[];
  root: Saved;
}

export interface SavedGame extends SavedTree {
  geometry: Geometry;
}

export function treeSaved(tree: GameTree, node: Node, withStates: boolean): SavedTree {
  const { rules, start, moves } = tree.lineTo(node);
  return { rules, start, shown: moves, root: treeJson(tree.root, withStates) };
}

/** The game that is in this very page, if it is a saved one. */
export function gameInThisPage(): SavedGame | undefined {
  const element = document.getElementById("saved-game");
  return element ? JSON.parse(element.textContent!) : undefined;
}

/** Asks the server for positions that are not known yet, of all variations. */
async function fill(game: Game, node: Node) {
  node.state ??= await game.arbiter!.state(game.tree.lineTo(node));
  for (const child of node.children) await fill(game, child);
}

/** The text of the file. */
export async function savedPage(game: Game): Promise<string> {
  const { tree } = game;
  await fill(game, tree.root);
  const [script, style] = await Promise.all(["page.js", "page.css"].map(async (name) => (await fetch(name)).text()));
  const saved: SavedGame = { ...treeSaved(tree, game.node, true), geometry: game.geometry };
  const json = JSON.stringify(saved).replace(/</g, "\\u003c");
  const title = tree.rules.replace(/&/g, "&amp;").replace(/</g, "&lt;");
  return `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta name="viewport" ` +
    `content="width=device-width, initial-scale=1"><title>Pitboss: ${title}</title><style>${style}</style>` +
    `<body><script type="application/json" id="saved-game">${json}</script>` +
    `<script>${script.replace(/<\/script/g, "<\\/script")}</script>`;
}

/** The game in the text of such a file; throws if there is none. */
export function gameInFile(name: string, text: string): SavedGame {
  const json = text.match(/ id="saved-game">(.*?)<\/script>/s)?.[1];
  if (!json) throw new Error(`${name} is no game that this page has saved`);
  const saved = JSON.parse(json);
  if (!saved.rules || !saved.root || !saved.geometry?.sites) throw new Error(`${name} holds no whole game`);
  return saved;
}

/** `isLive`: a server tells the positions anew. */
export function treeIn(saved: SavedTree, isLive: boolean, id?: string): { tree: GameTree; node: Node } {
  const tree = new GameTree(saved.rules, saved.start, id);
  tree.root = treeOf(saved.root, isLive);
  let node = tree.root;
  for (const move of saved.shown ?? []) node = node.children.find((child) => child.move === move) ?? node;
  return { tree, node };
}
