// What recorded games have played from the position shown, how often, and with what result: from a file that
// `pitboss explore --out` has written.

import type { Game } from "../game/game";
import { button, drawer, labelled, make, outcomeBar } from "../markup";
import type { Messages } from "../messages";
import { keptFiles } from "../storage";

/** A move that games have played, seen by who makes it. */
interface PlayedMove {
  move: string;
  games: number;
  won: number;
  drawn: number;
  lost: number;
  /** From 0 to 1; null: no result is known. */
  score: number | null;
}

interface Played {
  rules: string;
  /** By their texts, as `position` takes them. */
  positions: Record<string, { games: number; moves: PlayedMove[] }>;
}

const kept = "played";

function isPlayed(json: Played | null): json is Played {
  return typeof json?.rules === "string" && typeof json.positions === "object" && json.positions !== null &&
    Object.values(json.positions).every((position) => typeof position?.games === "number" && Array.isArray(position.moves) &&
      position.moves.every((each) => typeof each?.move === "string" && (each.score === null || typeof each.score === "number")));
}

/** Throws if the text is no such file. */
function playedIn(name: string, text: string): Played {
  let json: Played | null = null;
  try {
    json = JSON.parse(text);
  } catch {
    // which is told below
  }
  if (!isPlayed(json)) throw new Error(`${name} is no file that 'pitboss explore --out' has written`);
  return json;
}

export class Explorer {
  readonly host = drawer(null, "What was played");
  private readonly facts = make(null, "p", "facts");
  private readonly table = make(null, "table", "played");
  private name = "";
  private played?: Played;

  constructor(private readonly game: Game, private readonly hover: (moves: string[] | null) => void,
              private readonly messages: Messages) {
    const file = labelled(make(this.host, "div", "controls"), "open", make(null, "input"));
    file.type = "file";
    file.accept = ".json";
    file.addEventListener("change", () => {
      const [chosen] = file.files ?? [];
      if (chosen) void chosen.text().then((text) => this.open(chosen.name, text)).catch((error) => messages.fail(error));
      file.value = "";
    });
    this.host.append(this.facts, this.table);
    game.known.listen(() => this.show());
    void keptFiles.get(kept).then((before) => {
      if (before && !this.played) this.open(before.name, before.text);
    }).catch(() => {});
    this.show();
  }

  private open(name: string, text: string) {
    this.played = playedIn(name, text);
    this.name = name;
    keptFiles.put(kept, { name, text });
    this.show();
  }

  private show() {
    const { played, name, game: { state } } = this;
    this.table.replaceChildren();
    const found = state && played?.rules === state.rules ? played.positions[state.position] : undefined;
    if (!played) {
      this.facts.textContent = "Open a file that “pitboss explore GAMES --out FILE” has written of records, a folder or a ledger.";
    } else if (state && played.rules !== state.rules) {
      this.facts.textContent = `${name} tells of ${played.rules}.`;
    } else if (!found) {
      this.facts.textContent = state ? `${name}: no game has come here.` : "";
    } else {
      const games = found.games === 1 ? "1 game has" : `${found.games} games have`;
      this.facts.textContent = `${name}: ${games} come here.${found.moves.length === 0 ? " None went on." : ""}`;
      this.list(found.moves, found.games);
    }
  }

  private list(moves: PlayedMove[], games: number) {
    if (moves.length === 0) return;
    const head = make(make(this.table, "thead"), "tr");
    for (const words of ["move", "games", "share", "won", "drawn", "lost", "score", ""]) make(head, "th", "", words);
    const body = make(this.table, "tbody");
    for (const { move, games: its, won, drawn, lost, score } of moves) {
      const row = make(body, "tr");
      const first = make(row, "th");
      first.scope = "row";
      button(first, move, `play ${move}`, () => {
        if (this.game.state?.legal.includes(move)) this.game.play(move);
        else this.messages.tell(`${move} is not legal here.`);
      });
      const percent = (part: number) => `${(100 * part).toFixed(1)} %`;
      for (const words of [its, percent(its / games), won, drawn, lost, score === null ? "–" : percent(score)]) {
        make(row, "td", "", words);
      }
      outcomeBar(make(row, "td", "bar"), won, drawn, lost);
      row.addEventListener("pointerenter", () => this.hover([move]));
      row.addEventListener("focusin", () => this.hover([move]));
      row.addEventListener("pointerleave", () => this.hover(null));
      row.addEventListener("focusout", () => this.hover(null));
    }
  }
}
