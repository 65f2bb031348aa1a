// Reads the moves of a record as `printsgf` writes them: points one by one, chosen as a person would.

import { Choice } from "./choice";
import type { Game } from "./game";
import { GameTree } from "./game_tree";

/** The game of a record and its points in the names of the protocol; a pass is "". */
interface SgfGame {
  rules: string;
  start: string;
  points: string[];
}

const letters = "abcdefghjklmnopqrstuvwxyz";

/** Throws an Error whose sentence says what is wrong. `isUpsideDown`: row 1 is on top, as in hex. */
function readSgf(text: string, isUpsideDown: (rules: string) => boolean): SgfGame {
  const property = (name: string) => text.match(new RegExp(`(?:^|[^A-Z])${name}\\[((?:[^\\]\\\\]|\\\\.)*)\\]`))?.[1];
  const rules = property("RU");
  if (!text.trim().startsWith("(;") || !rules) throw new Error("this is no SGF of Pitboss: it names no game (RU)");
  if (/[^A-Z](AB|AW|AE)\[/.test(text) && !property("XP")) {
    throw new Error("this SGF sets stones up: paste the position as text instead");
  }
  const size = Number(property("SZ")?.split(":").pop());
  const points = [...text.matchAll(/;\s*[BW]\[([^\]]*)\]/g)].map(([, value]) => {
    if (value.length !== 2 || !size) return value;
    const [x, y] = [value.charCodeAt(0) - 97, value.charCodeAt(1) - 97];
    return letters[x] + (isUpsideDown(rules) ? y + 1 : size - y);
  });
  return { rules, start: property("XP") ?? "", points };
}

/** Opens the game of a record at its end; throws, and changes nothing, if the record is not one of Pitboss. */
export async function openSgf(game: Game, text: string) {
  const { rules, start, points } = readSgf(text, (rules) => rules.startsWith("hex"));
  const tree = new GameTree(rules, start);
  const stateOf = async (node: typeof tree.root) => (node.state = await game.arbiter!.state(tree.lineTo(node)));
  let node = tree.root;
  let choice = new Choice(await stateOf(node));
  for (const point of points) {
    const word = [...choice.next].find((step) => !/^[a-z]\d+$/.test(step));
    const move = choice.choose(point === "" ? word ?? "pass" : point);
    if (move) {
      node = node.child(move);
      choice = new Choice(await stateOf(node));
    } else if (choice.steps.length === 0) {
      throw new Error(`'${point}' is not legal after ply ${node.ply} of this SGF`);
    }
  }
  await game.open(tree, node);
}
