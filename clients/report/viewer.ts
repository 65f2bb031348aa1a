// Steps through games, on the board of the page in a browser (clients/web). game_boards.cpp writes what it reads.
// Addresses: #game-1-17 (match and game), #game-1-17-ply-20, #games-1, #games-1-won.

import { Board } from "../web/src/board/board";
import { button, make, seatSign } from "../web/src/markup";
import type { Geometry } from "../web/src/server/protocol";
import type { ListedGame, Match, PlayedGame, ReportGames } from "./report_games";
import { ValueLines } from "./value_lines";

/** Gets a game of which only the list is there, by the number of its match (from 0) and its own. */
export type Load = (match: number, game: number) => Promise<PlayedGame>;

export class Viewer {
  private match = -1;
  private how = "";
  private opened = -1;
  private game?: PlayedGame;
  private wanted?: ListedGame;
  private ply = 0;
  private plies: string[] = [];
  /** What is on the points, before each ply and at the end. */
  private positions: string[] = [];
  private board?: Board;
  private matches: Match[];
  private readonly choice: HTMLSelectElement;
  private readonly filter: HTMLElement;
  private readonly about: HTMLElement;
  private readonly links: HTMLElement;
  private readonly stage: HTMLElement;
  private readonly head: HTMLElement;
  private readonly boardHost: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly place: HTMLOutputElement;
  private readonly values: ValueLines;
  private readonly moves: HTMLElement;

  constructor(host: Element, private report: ReportGames, private readonly load?: Load) {
    this.matches = report.matches;
    host.className = "viewer";
    host.replaceChildren();
    const list = make(host, "div", "list");
    this.choice = make(list, "select");
    this.choice.setAttribute("aria-label", "match");
    this.choice.addEventListener("change", () => this.list(Number(this.choice.value), ""));
    this.fillChoice();
    this.filter = this.makeFilter(list);
    this.about = make(list, "p", "note");
    this.links = make(list, "ol", "games");
    this.stage = make(host, "div", "stage");
    this.stage.tabIndex = 0;
    this.head = make(this.stage, "p", "players");
    this.boardHost = make(this.stage, "div", "board-host");
    const controls = make(this.stage, "div", "controls");
    button(controls, "«", "first (Home)", () => this.go(0));
    button(controls, "‹", "back (left arrow)", () => this.go(this.ply - 1));
    button(controls, "›", "forward (right arrow)", () => this.go(this.ply + 1));
    button(controls, "»", "last (End)", () => this.go(this.plies.length));
    this.slider = make(controls, "input");
    this.slider.type = "range";
    this.slider.min = "0";
    this.slider.setAttribute("aria-label", "ply");
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.place = make(controls, "output");
    this.values = new ValueLines(this.stage, (ply) => this.go(ply));
    this.moves = make(host, "ol", "moves");
    for (const part of [this.stage, this.moves]) part.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.follow());
  }

  private fillChoice() {
    this.choice.replaceChildren();
    this.matches.forEach(({ game, players, games }, i) => {
      if (games.length > 0) make(this.choice, "option", "", `${game}: ${players.join(" - ")}`).value = String(i);
    });
  }

  /** Takes over what has been played since; the game that is shown stays. */
  update(report: ReportGames) {
    this.report = report;
    this.matches = report.matches;
    this.fillChoice();
    const top = this.links.scrollTop;
    this.list(this.match, this.how);
    this.links.scrollTop = top;
  }

  private makeFilter(list: Element): HTMLElement {
    const filter = make(list, "div", "filter");
    for (const how of ["", "won", "drawn", "lost"]) {
      button(filter, how || "all", `games ${how}`, () => this.list(this.match, how)).dataset.how = how;
    }
    return filter;
  }

  private key(event: KeyboardEvent) {
    const to = { ArrowLeft: this.ply - 1, ArrowRight: this.ply + 1, Home: 0, End: this.plies.length }[event.key];
    if (event.target === this.slider || to === undefined || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    this.go(to);
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
    const newest = this.load ? `, of the newest ${games.length}` : "";
    this.about.textContent = how === "" ? `${this.load ? "the newest " : ""}${games.length} games`
      : `${listed.length} games that ${players[0]} has ${how}${newest}`;
    this.links.replaceChildren();
    for (const game of listed) {
      const link = make(make(this.links, "li"), "a", game.how);
      link.setAttribute("href", `#game-${match + 1}-${game.number}`);
      make(link, "b", "", game.number);
      make(link, "span", "", [...game.seats].map((seat) => players[Number(seat)]).join(" - "));
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

  private open(number: number, game: ListedGame | PlayedGame, ply?: number) {
    this.wanted = game;
    if ("moves" in game) return this.show(number, game, ply);
    this.load!(number, game.number).then((loaded) => {
      if (this.wanted === game) this.show(number, loaded, ply);
    }, (error: Error) => {
      this.about.textContent = error.message;
    });
  }

  private show(number: number, game: PlayedGame, ply?: number) {
    const match = this.matches[number];
    const geometry = this.report.boards[match.board];
    if (number !== this.opened) {
      this.boardHost.replaceChildren();
      this.board = new Board(this.boardHost, geometry);
    }
    this.opened = number;
    this.game = game;
    this.plies = game.moves === "" ? [] : game.moves.split(" ");
    this.positions = positionsOf(geometry, match, game);
    this.showPlayers(match, geometry, game);
    this.slider.max = String(this.plies.length);
    this.moves.replaceChildren();
    this.plies.forEach((move, i) => {
      const made = button(make(this.moves, "li"), move, `go to ply ${i + 1}`, () => this.go(i + 1));
      made.className = i < game.opening ? "opening" : "";
      made.prepend(seatSign(null, geometry.colours[Number(game.movers[i])]));
    });
    this.values.open(match, geometry.colours, game, this.plies.length);
    this.markLink();
    this.showPly(ply ?? this.plies.length);
  }

  private showPlayers(match: Match, { colours }: Geometry, game: PlayedGame) {
    this.head.replaceChildren();
    colours.forEach((colour, i) => {
      seatSign(this.head, colour);
      make(this.head, "b", "", match.players[Number(game.seats[i])]);
    });
    const reason = game.reason === "rules" ? "" : `, ${game.reason}`;
    make(this.head, "span", "result", `${match.game}, game ${game.number}: ${game.result}${reason}`);
  }

  /** Shows a ply, and has the page's address say so. */
  private go(ply: number) {
    if (!this.game) return;
    this.showPly(ply);
    try {
      history.replaceState(null, "", `#game-${this.opened + 1}-${this.game.number}-ply-${this.ply}`);
    } catch {
      // A browser may forbid it to pages from files.
    }
  }

  private showPly(ply: number) {
    this.ply = Math.max(0, Math.min(ply, this.plies.length));
    const { colours } = this.report.boards[this.matches[this.opened].board];
    const mover = colours[Number(this.game!.movers[this.ply - 1])];
    const words = this.ply === 0 ? "start" : `${mover} ${this.plies[this.ply - 1]}`;
    this.place.textContent = `${this.ply} / ${this.plies.length}  ${words}`;
    this.board!.show(this.positions[this.ply], this.positions[Math.max(this.ply - 1, 0)]);
    this.board!.svg.setAttribute("aria-label", `Board after ply ${this.ply}: ${words}`);
    this.slider.value = String(this.ply);
    this.values.point(this.ply);
    const here = this.moves.children[this.ply - 1] as HTMLElement | undefined;
    for (const item of this.moves.children) item.firstElementChild!.toggleAttribute("aria-current", item === here);
    this.moves.scrollTop = here ? here.offsetTop - this.moves.offsetTop - this.moves.clientHeight / 2 : 0;
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
    document.getElementById("games")!.scrollIntoView();
    this.stage.focus({ preventScroll: true });
    return true;
  }

  begin() {
    if (this.follow()) return;
    const first = this.matches.findIndex(({ games }) => games.length > 0);
    this.list(first, "");
    this.open(first, this.matches[first].games[0]);
  }
}

/** The positions of a game: its start, changed ply by ply. */
function positionsOf({ sites }: Geometry, { start }: Match, game: PlayedGame): string[] {
  const places = new Map(sites.map(({ name }, i) => [name, i]));
  const letters = [...start.replace(/[/?]/g, "")];
  const positions = [letters.join("")];
  if (game.moves === "") return positions;
  for (const changes of game.changes.split(" ")) {
    for (const [, point, letter] of changes.matchAll(/([a-z]\d+)([^a-z\d])/g)) letters[places.get(point)!] = letter;
    positions.push(letters.join(""));
  }
  return positions;
}
