// What the server's JSON holds (docs/protocol.md, "JSON for programs"). Keys that the page does not read are left out.

export interface Geometry {
  game: string;
  rules: string;
  colours: string[];
  lattice: string;
  style: string;
  bounds: [number, number, number, number];
  sites: Site[];
  labels: { text: string; x: number; y: number }[];
  sides: { colour: string; line: [number, number][] }[];
  pieces: { letter: string; colour: string | null; shape: string }[];
}

export interface Site {
  name: string;
  x: number;
  y: number;
  polygon: [number, number][];
  dark: boolean;
  neighbours: string[];
}

export interface State {
  rules: string;
  start: string;
  position: string;
  moves: { colour: string | null; move: string }[];
  colours: string[];
  to_move: string | null;
  over: boolean;
  shares: Record<string, number> | null;
  result: string | null;
  /** The points of the line or chain that has decided the game. */
  decisive: string[];
  legal: string[];
  steps: string[][];
}

/** A game as `read_record` reads it. */
export interface RecordedGame {
  rules: string;
  /** Null: the game begins as always. */
  start: string | null;
  moves: string[];
  /** By colour; null: the record does not name the player. */
  players: Record<string, string | null>;
  /** What differs from the record. */
  notes: string[];
  /** What it says of positions, and of the moves that led there. */
  annotations: Annotation[];
}

/** What is said of the position after so many moves of a game. */
export interface Annotation {
  ply: number;
  comment?: string;
  /** For the first colour, from 0 to 1. */
  value?: number;
  mistake?: boolean;
  turning_point?: boolean;
  /** Moves that might have been played there. */
  variations?: string[][];
}

/** What a search tells of itself, while it runs or later. */
export interface Report {
  simulations: number;
  /** Those of earlier searches that are in the tree. */
  reused: number;
  nodes: number;
  bytes: number;
  max_depth: number;
  tree_full: boolean;
  seconds: number;
  to_move: string;
  move: string | null;
  value: number | null;
  values: Record<string, number | null> | null;
  /** What `move` comes to by the proof of an exact solver, and by how many points. */
  exact?: "win" | "draw" | "loss";
  points?: number;
  moves: MoveReport[];
  pv: string[];
  elapsed?: number;
  changed?: Record<string, string>;
  path?: string[];
  paths?: Simulation[];
  network?: { name: string } | null;
  options?: Record<string, string>;
  tree?: TreeMove[];
}

export interface MoveReport {
  move: string;
  visits: number;
  value: number;
  interval: [number, number] | null;
  novelty: number | null;
  prior: number | null;
  proven: "win" | "draw" | "loss" | null;
  b: number | null;
  exploration: number | null;
  bound: number | null;
  pv?: string[];
  pv_visits?: number[];
}

/** A move of a search's tree, and the moves that lead to the position before it. */
export interface TreeMove extends MoveReport {
  path: string[];
}

export interface Simulation {
  moves: string[];
  values: Record<string, number | null>;
  expanded: boolean;
}

/** An option of the search, as `list_options json` tells it. */
export interface Option {
  name: string;
  type: "real" | "spin" | "combo" | "check" | "string";
  value: string;
  /** What the session began with. */
  default: string;
  min?: number;
  max?: number;
  choices: string[];
  live: boolean;
  /** Whether a search's tree outlives a change. */
  keeps_tree: boolean;
  help: string;
  source: string;
}

/** A game, as `games json` tells it. */
export interface Game {
  game: string;
  /** Its rules in short. */
  help: string;
  parameters: { name: string; default: string; values: string; help: string }[];
}
