// The games of a report, as game_boards.cpp writes them into it.

import type { Annotation, Geometry } from "../../web/src/server/protocol";

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
  how: "won" | "drawn" | "lost" | "unknown";
  result: string;
  reason: string;
  /** For each colour its player's name, if the game has players of its own. */
  names?: string[];
}

/** Moves that are stepped through. */
export interface Replay {
  /** For each ply the place of its colour. */
  movers: string;
  moves: string;
  /** For each ply the points that change, each with what is on it then ("d4Xd5X"), or "-". */
  changes: string;
}

/** What is said of a position, with the moves that might have been played there. */
export interface ReplayedAnnotation extends Annotation {
  replays?: Replay[];
}

export interface PlayedGame extends ListedGame, Replay {
  /** Plies of the opening. */
  opening: number;
  /** As `Match.start`, if the game has a start of its own. */
  rows?: string;
  annotations?: ReplayedAnnotation[];
  /** For each ply, and perhaps for the last position, what it is worth to the first of two colours, or to its mover among more, in thousandths ("-": not
   * told); empty if nobody told. */
  values: string;
  /** The points of the line or chain that has decided the game. */
  decisive: string;
}
