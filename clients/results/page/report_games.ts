// The games of a report, as game_boards.cpp writes them into it.

import type { Geometry } from "../../web/src/server/protocol";

export interface ReportGames {
  /** By the rules, as `geometry` names them. */
  boards: Record<string, Geometry>;
  matches: Match[];
}

export interface Match {
  game: string;
  board: string;
  players: string[];
  /** Of each player, by name. */
  options: Record<string, string>[];
  /** Rows from the top, as `position` writes them. */
  start: string;
  games: (ListedGame | PlayedGame)[];
}

/** What a list shows of a game. */
export interface ListedGame {
  number: number;
  /** For each colour the place of its player. */
  seats: string;
  how: "won" | "drawn" | "lost";
  result: string;
  reason: string;
}

export interface PlayedGame extends ListedGame {
  /** Plies of the opening. */
  opening: number;
  /** For each ply the place of its colour. */
  movers: string;
  moves: string;
  /** For each ply the points that change, each with what is on it then ("d4Xd5X"), or "-". */
  changes: string;
  /** For each ply what it is worth to the first of two colours, or to its mover among more, in thousandths ("-": not
   * told); empty if nobody told. */
  values: string;
  /** The points of the line or chain that has decided the game. */
  decisive: string;
}
