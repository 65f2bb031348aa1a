// Names of tables that pages open for others, and keys of seats.

/** How names of tables begin at which a page shows its board, and of those at which people play. */
export const pageTable = "board-";
export const gameTable = "game-";

export const presenceEnd = ".owner";

/** The table at which the page sits that shows the table of a name. */
export function presenceOf(name: string): string {
  return name + presenceEnd;
}

/** A word that nobody guesses. */
export function secretWord(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
