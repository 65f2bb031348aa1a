// Chooses among the games of a document, and shows one as the page in a browser does (clients/web).
// Addresses: #game-1-17 (match and game), #game-1-17-ply-20, #games-1, #games-1-won.

import { GameTree, Node } from "../../web/src/game/game_tree";
import { addressOf } from "../../web/src/game/address";
import { button, labelled, make, seatSign } from "../../web/src/markup";
import { GameView } from "../../web/src/pages/game_view";
import type { Geometry } from "../../web/src/server/protocol";
import { everyTab } from "../../web/src/storage";
import type { ListedGame, Match, PlayedGame, Replay, ReportGames } from "./report_games";

/** Gets a game of which only the list is there, by the number of its match (from 0) and its own. */
export type Load = (match: number, game: number) => Promise<PlayedGame>;

/** Where `./dev up` and docs/web.md have a board. */
const usualBoard = "http://127.0.0.1:4588/";
const boardKept = "board";

export class GamesPanel {
  private match = -1;
  private how = "";
  private opened = -1;
  private game?: PlayedGame;
  private wanted?: ListedGame;
  private readonly choice = make(null, "select");
  private readonly filter = make(null, "div", "filter");
  private readonly about = make(null, "p", "note");
  private readonly links = make(null, "ol", "games");
  private readonly head = make(null, "p", "players");
  private readonly board = make(null, "input");
  private readonly view: GameView;

  constructor(private readonly host: Element, private report: ReportGames, private readonly load?: Load) {
    const list = make(host, "div", "list");
    list.append(this.choice, this.filter, this.about, this.links);
    this.choice.setAttribute("aria-label", "match");
    this.choice.addEventListener("change", () => this.list(Number(this.choice.value), ""));
    this.links.tabIndex = 0;
    for (const how of ["", "won", "drawn", "lost"]) {
      button(this.filter, how || "all", `games ${how}`, () => this.list(this.match, how)).dataset.how = how;
    }
    const stage = make(host, "div", "stage");
    stage.tabIndex = 0;
    stage.append(this.head);
    this.view = new GameView(stage, undefined, true, (error) => { this.about.textContent = (error as Error).message; },
      (node, colour) => this.teller(node, colour));
    stage.append(this.view.moves, this.wayToTheBoard());
    stage.addEventListener("keydown", (event) => {
      const key = this.view.keys.find((each) => each.key === event.key);
      if (!key || event.ctrlKey || event.altKey || (event.target as Element).matches("input")) return;
      event.preventDefault();
      key.act();
    });
    this.view.game.moved.listen(() => this.saveAddress());
    window.addEventListener("hashchange", () => this.follow());
    this.fillChoice();
    if (this.follow()) return;
    const first = this.matches.findIndex(({ games }) => games.length > 0);
    if (first < 0) return;
    this.list(first, "");
    this.open(first, this.matches[first].games[0]);
  }

  /** What opens the position shown where people can play and search on. */
  private wayToTheBoard() {
    const row = make(null, "p", "note");
    button(row, "play and search on from here", "open this position on a board, with the options of both players", () => {
      everyTab.set(boardKept, this.board.value);
      window.open(this.board.value + this.addressThere(), "_blank", "noopener");
    });
    const { board } = this;
    board.value = everyTab.get(boardKept) ?? usualBoard;
    board.type = "url";
    labelled(row, "on the board of the server at", board);
    return row;
  }

  private addressThere(): string {
    const { tree, node } = this.view.game;
    // A player's preset, which sets others, too, counts as the first option wherever it stands.
    const options = this.matches[this.opened].options.map(({ preset, ...others }) => (preset ? { preset, ...others } : others));
    return addressOf(tree, node, options as Record<string, string>[]);
  }

  private get matches(): Match[] {
    return this.report.matches;
  }

  /** Takes over what has been played since; the game that is shown stays. */
  update(report: ReportGames) {
    this.report = report;
    this.fillChoice();
    const top = this.links.scrollTop;
    this.list(Math.max(this.match, 0), this.how);
    this.links.scrollTop = top;
    const { games } = this.matches[this.match];
    if (!this.game && games.length > 0) this.open(this.match, games[0]);
  }

  private fillChoice() {
    this.choice.replaceChildren();
    this.matches.forEach(({ game, players, games }, i) => {
      if (games.length > 0) make(this.choice, "option", "", `${game}: ${players.join(" - ")}`).value = String(i);
    });
  }

  /** Lists the games of a match, all or those that its first player has won, drawn or lost. */
  private list(match: number, how: string) {
    this.match = match;
    this.how = how;
    this.choice.value = String(match);
    for (const each of this.filter.querySelectorAll("button")) {
      each.setAttribute("aria-pressed", String(each.dataset.how === how));
    }
    const { games, players } = this.matches[match];
    const listed = games.filter((game) => how === "" || game.how === how);
    const newest = this.load ? `the newest ${games.length}` : `${games.length}`;
    this.about.textContent = how === "" ? `${newest} games`
      : `${listed.length} games that ${players[0]} has ${how}${this.load ? `, of ${newest}` : ""}`;
    this.links.replaceChildren();
    for (const game of listed) {
      const link = make(make(this.links, "li"), "a", game.how);
      link.setAttribute("href", `#game-${match + 1}-${game.number}`);
      make(link, "b", "", game.number);
      make(link, "span", "", namesOf(this.matches[match], game).join(" - "));
      make(link, "i", "", game.result);
    }
    this.markLink();
  }

  private markLink() {
    for (const link of this.links.querySelectorAll("a")) {
      const isOpen = this.game && link.hash === `#game-${this.opened + 1}-${this.game.number}`;
      link.toggleAttribute("aria-current", Boolean(isOpen));
      if (isOpen) this.links.scrollTop = Math.max(0, link.offsetTop - this.links.offsetTop - 60);
    }
  }

  private open(match: number, game: ListedGame | PlayedGame, ply?: number) {
    this.wanted = game;
    if ("moves" in game) return this.show(match, game, ply);
    this.load!(match, game.number).then((loaded) => {
      if (this.wanted === game) this.show(match, loaded, ply);
    }, (error: Error) => {
      this.about.textContent = error.message;
    });
  }

  private show(number: number, game: PlayedGame, ply = Infinity) {
    const match = this.matches[number];
    const geometry = this.report.boards[match.board];
    this.game = undefined;  // whose address is not to be changed
    const tree = treeOf(geometry, match, game);
    const { line } = tree.root;
    void this.view.game.open(tree, line[Math.min(ply, line.length - 1)], geometry);
    this.opened = number;
    this.game = game;
    this.head.replaceChildren();
    geometry.colours.forEach((colour, i) => {
      seatSign(this.head, colour);
      make(this.head, "b", "", namesOf(match, game)[i]);
    });
    const reason = game.reason === "rules" ? "" : `, ${game.reason}`;
    make(this.head, "span", "result", `${match.game}, game ${game.number}: ${game.result}${reason}`);
    this.markLink();
  }

  /** Of two colours each player gave the first what it saw; of more, each colour itself. */
  private teller(node: Node, colour: string) {
    const { colours } = this.view.game.geometry;
    if (this.game?.names && colours.length === 2) return { name: "value", style: "line-0" };
    if (colours.length !== 2) return { name: colour, style: `by ${colour}` };
    const seat = colours.indexOf(node.state!.to_move ?? "");
    const player = Number(this.game?.seats[seat] ?? 0);
    return { name: this.matches[this.opened].players[player], style: `line-${player}` };
  }

  /** Has the page's address say which ply is shown. */
  private saveAddress() {
    if (!this.game) return;
    try {
      history.replaceState(null, "", `#game-${this.opened + 1}-${this.game.number}-ply-${this.view.game.node.ply}`);
    } catch {
      // A browser may forbid it to pages from files.
    }
  }

  /** Does what the page's address says; true if it is about games. */
  private follow(): boolean {
    const games = location.hash.match(/^#games-(\d+)(?:-(won|drawn|lost))?$/);
    const one = location.hash.match(/^#game-(\d+)-(\d+)(?:-ply-(\d+))?$/);
    const number = Number((games ?? one ?? [0, 0])[1]) - 1;
    const match = this.matches[number];
    if (!match || match.games.length === 0) return false;
    const how = games ? games[2] ?? "" : number === this.match ? this.how : "";
    const listed = match.games.find((each) => one ? each.number === Number(one[2]) : how === "" || each.how === how);
    // Lists may be shorter than matches.
    const game = listed ?? (one && this.load ? { ...match.games[0], number: Number(one[2]) } : undefined);
    if (!game) return false;
    if (number !== this.match || how !== this.how) this.list(number, how);
    this.open(number, game, one && one[3] ? Number(one[3]) : undefined);
    this.host.closest("section")!.scrollIntoView();
    this.host.querySelector<HTMLElement>(".stage")!.focus({ preventScroll: true });
    return true;
  }
}

const words = (text: string) => (text === "" ? [] : text.split(" "));

/** Who plays each colour. */
function namesOf(match: Match, game: ListedGame): string[] {
  return game.names ?? [...game.seats].map((seat) => match.players[Number(seat)]);
}

/** A game with its positions, which its start and the changes of each ply tell. */
function treeOf(geometry: Geometry, match: Match, game: PlayedGame): GameTree {
  const { colours, rules } = geometry;
  const tree = new GameTree(rules);
  const line = addMoves(tree.root, [...(game.rows ?? match.start).replace(/[/?]/g, "")], game, geometry);
  const values = words(game.values);
  line.forEach((node, ply) => {
    const mover = node.state!.to_move ?? (colours.length === 2 ? colours[0] : "");
    if (mover && values[ply] && values[ply] !== "-") {
      node.values = { [colours.length === 2 ? colours[0] : mover]: Number(values[ply]) / 1000 };
    }
    if (ply > 0) node.isOpening = ply <= game.opening;
    node.state!.result = game.result;
  });
  const last = line.at(-1)!.state!;
  last.over = true;
  last.decisive = words(game.decisive);
  tree.annotate(game.annotations ?? [], colours);
  for (const { ply, replays } of game.annotations ?? []) {
    for (const replay of replays ?? []) addMoves(line[ply], [...line[ply].state!.position], replay, geometry);
  }
  return tree;
}

/** Adds moves behind a node, on whose points are these letters. Returns the nodes, that one included. */
function addMoves(from: Node, letters: string[], { movers, moves, changes }: Replay, { colours, rules, sites }: Geometry): Node[] {
  const places = new Map(sites.map(({ name }, i) => [name, i]));
  const line = [from];
  const know = (node: Node, ply: number) => {
    node.state ??= { rules, start: "", position: letters.join(""), moves: [], colours, to_move: colours[Number(movers[ply])] ?? null,
      over: false, shares: null, result: null, decisive: [], legal: [], steps: [] };
  };
  know(from, 0);
  const all = words(changes);
  words(moves).forEach((move, i) => {
    for (const [, point, letter] of all[i].matchAll(/([a-z]\d+)([^a-z\d])/g)) letters[places.get(point)!] = letter;
    const node = line.at(-1)!.child(move);
    know(node, i + 1);
    line.push(node);
  });
  return line;
}
