// Reads the moves of a record as `printsgf` writes them: points one by one, chosen as a person would.

/** The game of a record and its points in the names of the protocol; a pass is "". */
export interface SgfGame {
  rules: string;
  start: string;
  points: string[];
}

const letters = "abcdefghjklmnopqrstuvwxyz";

/** Throws an Error whose sentence says what is wrong. `isUpsideDown`: row 1 is on top, as in hex. */
export function readSgf(text: string, isUpsideDown: (rules: string) => boolean): SgfGame {
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
