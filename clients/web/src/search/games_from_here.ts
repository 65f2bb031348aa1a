// Games that engines A and B play from the position shown, by the server's command `duel`, as the referee has them
// played: who wins there, and how sure that is.

import type { Game } from "../game/game";
import type { Node, PlayedGame, PlayedGames } from "../game/game_tree";
import { button, drawer, labelled, make, outcomeBar, seatSign, valueField } from "../markup";
import type { Messages } from "../messages";
import { CommandError, Connection } from "../server/connection";
import type { State } from "../server/protocol";
import { Line, Table } from "../server/table";
import type { Searchers } from "./searchers";

/** How many games are played at once, if the server has as many workers. */
const mostAtOnce = 4;
/** How many games one click asks for. */
const mostGames = 10000;
/** A game of more moves is not decided. */
const mostMoves = 1000;
const mostSeconds = 86400;
/** What a duel demands of both engines. */
const demanded: [string, string][] = [["threads", "1"], ["ponder", "false"]];

/** The 95 % interval of a score (Wilson 1927). */
export function wilson(points: number, games: number): [number, number] {
  const z2 = 1.959964 ** 2;
  const p = points / games;
  const middle = p + z2 / (2 * games);
  const half = Math.sqrt(z2 * (p * (1 - p) / games + z2 / (4 * games * games)));
  return [(middle - half) / (1 + z2 / games), (middle + half) / (1 + z2 / games)];
}

/** Which engine plays each colour in a game of that number: the colours go round. */
function enginesOf(number: number, colours: string[]): string {
  return colours.map((_, i) => ((i + number) % 2) + 1).join("");
}

interface Match {
  node: Node;
  line: Line;
  played: PlayedGames;
  /** Numbers of games that nobody plays yet. */
  due: number[];
  /** How many games there are to be. */
  wanted: number;
  connections: Connection[];
}

export class GamesFromHere {
  readonly host = drawer(null, "Play games from here");
  private readonly count = valueField("100");
  private readonly act: HTMLButtonElement;
  private readonly told = make(null, "div", "games-told");
  private match?: Match;

  constructor(private readonly game: Game, private readonly searchers: Searchers, private readonly messages: Messages) {
    const row = make(this.host, "div", "controls");
    labelled(row, "games", this.count);
    this.act = button(row, "play", "engines A and B play so many games more from the position shown, with changing colours", () => {
      if (this.match) this.stop();
      else void this.begin().catch((error) => {
        this.stop();
        messages.fail(error);
      });
    });
    this.host.append(this.told);
    game.opened.listen(() => this.stop());
    for (const signal of [game.known, game.changed]) signal.listen(() => this.show());
    searchers.configured.listen(() => this.show());
  }

  /** The options of engines A and B; of A twice if there is no B. */
  private get options(): Record<string, string>[] {
    const [first] = this.searchers.options();
    return [first, this.searchers.optionsOfOther ?? first];
  }

  private async begin() {
    const { node, tree } = this.game;
    const more = Math.round(Number(this.count.value));
    if (!(more >= 1 && more <= mostGames)) throw new Error(`Games: '${this.count.value}' is no number from 1 to ${mostGames}`);
    if (!node.state || node.state.over) throw new Error("The game is over here: go back to play games from there.");
    const { options } = this;
    const isSame = JSON.stringify(node.played?.options) === JSON.stringify(options);
    const played = node.played = isSame ? node.played! : { options, games: [] };
    const done = new Set(played.games.map(({ number }) => number));
    const due: number[] = [];
    for (let number = 0; due.length < more; ++number) if (!done.has(number)) due.push(number);
    const match: Match = { node, line: tree.lineTo(node), played, due, wanted: played.games.length + more, connections: [] };
    this.match = match;
    this.show();
    const workers = Number(await this.game.arbiter!.connection.command("workers"));
    for (let i = 0; i < Math.min(workers, mostAtOnce, more) && this.match === match; ++i) this.addPlayers(match);
  }

  /** Ends the games that are being played; what has been played stays. */
  private stop() {
    const { match } = this;
    this.match = undefined;
    for (const connection of match?.connections ?? []) connection.close();
    this.show();
  }

  /** A session, whose table has engine A, that plays one game after another. */
  private addPlayers(match: Match) {
    const connection = new Connection();
    match.connections.push(connection);
    connection.opened = () => void this.play(match, connection).catch((error: CommandError) => {
      if (this.match !== match || error.code === "disconnected") return;  // the next session goes on
      connection.close();
      match.connections = match.connections.filter((each) => each !== connection);
      if (error.code === "limit" && match.connections.length > 0) return;  // the others go on
      this.stop();
      this.messages.fail(error);
    });
    connection.connect();
  }

  private async play(match: Match, connection: Connection) {
    const table = new Table(connection);
    for (const [name, value] of [...Object.entries(match.played.options[0]), ...demanded]) {
      await connection.command(`setoption name ${name} value ${value}`);
    }
    while (match.due.length > 0) {
      const number = match.due.shift()!;
      let game: PlayedGame | undefined;
      try {
        game = await this.playGame(number, match, table);
      } finally {
        if (!game) match.due.unshift(number);
      }
      if (this.match !== match) return;
      match.played.games.push(game);
      this.game.changed.tell();
    }
    connection.close();
    match.connections = match.connections.filter((each) => each !== connection);
    if (match.connections.length === 0) this.stop();
  }

  private async playGame(number: number, { line, played }: Match, table: Table): Promise<PlayedGame> {
    const { connection } = table;
    const engines = enginesOf(number, this.game.geometry.colours);
    table.forget();
    await table.state(line);  // a new game each time: no engine has a tree of the one before
    await connection.command(`setoption name seed value ${2 * number + 1}`);
    const others = [...Object.entries(played.options[1]), ...demanded, ["seed", String(2 * number + 2)]];
    const words = [...new Map(others as [string, string][])].map(([name, value]) => `${name}=${value}`);
    const answer = await connection.command(`duel ${engines} ${mostMoves} ${mostSeconds} ${words.join(" ")}`);
    const moves = (answer.split("\n")[1] ?? "").split(" ").filter(Boolean);
    const end: State = JSON.parse(await connection.command("state"));
    return { number, engines, moves, shares: end.shares };
  }

  private show() {
    const { match, told, game: { node } } = this;
    this.act.textContent = match ? "stop" : "play";
    this.act.setAttribute("aria-pressed", String(Boolean(match)));
    told.replaceChildren();
    const { played } = node;
    if (!played) return;
    const { games, options } = played;
    const different = new Set(games.map(({ moves }) => moves.join(" "))).size;
    const wanted = match?.node === node ? ` of ${match.wanted}` : "";
    make(told, "p", "facts", `${games.length}${wanted} games, ${different} different`);
    const decided = games.filter(({ shares }) => shares);
    if (decided.length < games.length) {
      make(told, "p", "facts", `${games.length - decided.length} not over after ${mostMoves} moves, which count for nobody`);
    }
    if (decided.length === 0) return;
    const { colours } = this.game.geometry;
    const table = make(told, "table");
    const head = make(make(table, "thead"), "tr");
    for (const words of ["", "won", "drawn", "lost", "score", "95 %", ""]) make(head, "th", "", words);
    const body = make(table, "tbody");
    for (const colour of colours) {
      const cell = this.addRow(body, decided.map(({ shares }) => shares![colour]));
      seatSign(cell, colour);
      cell.append(` ${colour}`);
    }
    if (colours.length === 2 && JSON.stringify(options[0]) !== JSON.stringify(options[1])) {
      this.addRow(body, decided.map(({ shares, engines }) => shares![colours[engines.indexOf("1")]])).append("engine A");
    }
    if (JSON.stringify(this.options) !== JSON.stringify(options)) {
      make(told, "p", "facts", "played with other options than those that the engines have now");
    }
  }

  /** A row of the shares of the point in games; returns its first cell. */
  private addRow(body: Element, shares: number[]): HTMLElement {
    const row = make(body, "tr");
    const first = make(row, "th");
    first.scope = "row";
    const points = shares.reduce((sum, share) => sum + share, 0);
    const percent = (part: number) => (100 * part).toFixed(1);
    const won = shares.filter((share) => share >= 1).length;
    const lost = shares.filter((share) => share <= 0).length;
    const [low, high] = wilson(points, shares.length);
    const cells = [won, shares.length - won - lost, lost, `${percent(points / shares.length)} %`, `${percent(low)} – ${percent(high)}`];
    for (const words of cells) make(row, "td", "", words);
    outcomeBar(make(row, "td", "bar"), won, shares.length - won - lost, lost);
    return first;
  }
}
