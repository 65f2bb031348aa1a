// The page: a board, a game with variations, and the searches that look at it.

import { Board, Mark, seatSign } from "./board";
import { Chart, Series } from "./chart";
import { Clock } from "./clock";
import { CommandError, Connection } from "./connection";
import { GameTree, Node, treeJson, treeOf } from "./game_tree";
import { button, labelled, make, select } from "./markup";
import { Choice } from "./moves";
import { optionsPanel } from "./options_panel";
import type { Game, Geometry, MoveReport, Report } from "./protocol";
import { SearchView } from "./search_view";
import { readSgf } from "./sgf";
import { Engine, Restriction, Table } from "./table";

const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
const maps = ["none", "visits", "value", "prior", "novelty"] as const;

/** A value from 0 to 1 as a colour that the colour-blind can tell: orange, grey, blue. */
function valueColour(value: number): string {
  const share = Math.max(0, Math.min(1, value));
  const [from, to, at] = share < 0.5 ? [[213, 94, 0], [150, 150, 150], 2 * share] : [[150, 150, 150], [0, 114, 178], 2 * share - 1];
  return `rgb(${from.map((each, i) => Math.round(each + (to[i] - each) * at)).join()})`;
}

/** One of the engines of the page: a session, its view and whether it looks at the position shown. */
interface Seat {
  name: string;
  engine: Engine;
  view: SearchView;
  isOn: boolean;
  round: number;
}

class Page {
  private readonly saved = document.getElementById("saved-game");
  private tree = new GameTree("connect4");
  private node = this.tree.root;
  private geometry?: Geometry;
  private board?: Board;
  private choice?: Choice;
  private games: Game[] = [];
  private clock?: Clock;
  private arbiter?: Table;
  private engines: Seat[] = [];
  private shown = 0;
  private asking = false;
  private restriction?: Restriction;
  private browsing: string[] = [];
  private isTurned = false;
  private hoverRound = 0;
  private timer = 0;
  private thinking?: Seat;
  private isSynced = false;

  private readonly main = make(document.body, "main");
  private readonly status = make(null, "output", "status");
  private readonly spoken = make(null, "p", "spoken");
  private readonly head = make(null, "header");
  private readonly boardHost = make(null, "div", "board-host");
  private readonly words = make(null, "div", "words-to-play");
  private readonly clockHost = make(null, "div", "clocks");
  private readonly seatHost = make(null, "div", "seats");
  private readonly place = make(null, "output", "place");
  private readonly moveList = make(null, "div", "moves");
  private readonly searchHost = make(null, "div", "searches");
  private readonly crumbs = make(null, "p", "crumbs");
  private readonly restricted = make(null, "p", "restricted");
  private readonly optionsHost = make(null, "div", "options-panel");
  private valueChart!: Chart;
  private gameChoice = select([]);
  private parameters = make(null, "span", "parameters");
  private seats = new Map<string, HTMLSelectElement>();
  private map = select(maps.map((map): [string, string] => [map, map]), "none");
  private isMarking = make(null, "input");
  private most = make(null, "input");
  private cap = make(null, "input");
  private main_ = make(null, "input");
  private increment = make(null, "input");
  private text = make(null, "textarea");
  private analyseButton!: HTMLButtonElement;
  private help = make(document.body, "dialog", "help");

  constructor() {
    document.documentElement.dataset.theme = localStorage.getItem("pitboss-theme") ?? "";
    this.layOut();
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => void this.openAddress());
    if (this.saved) void this.openSaved(JSON.parse(this.saved.textContent!));
    else this.connect();
  }

  // ---- the server

  private connect() {
    const connection = new Connection((why) => this.askToken(why));
    this.arbiter = new Table(connection);
    connection.opened = () => void this.opened();
    connection.lost = (reason, seconds) => {
      this.isSynced = false;
      document.body.classList.add("offline");
      this.tell(`Not connected: ${reason}. The game is kept; next try in ${Math.ceil(seconds)} s.`);
    };
    connection.connect();
    this.addEngine("A");
  }

  private addEngine(name: string) {
    const connection = new Connection((why) => this.askToken(why));
    const engine = new Engine(connection);
    const view = new SearchView(this.searchHost, name, {
      hover: (moves) => void this.preview(moves),
      play: (move) => void this.play(move),
      add: (moves) => this.addLine(moves),
      below: (move) => void this.browse([...this.browsing, move]),
      restrict: (words, move) => this.restrict(words, move),
    });
    const heading = make(null, "h2", "", `Engine ${name}`);
    view.host.prepend(heading);
    view.clear();
    const seat: Seat = { name, engine, view, isOn: false, round: 0 };
    this.engines.push(seat);
    connection.opened = async () => {
      try {
        await engine.begin();
        if (this.engines[this.shown] === seat) this.showOptions();
        if (seat.isOn) this.follow(seat);
        else this.maybeMove();
      } catch (error) {
        this.fail(error);
      }
    };
    connection.connect();
  }

  private token?: Promise<string>;
  private askToken(why: string): Promise<string> {
    const known = sessionStorage.getItem("pitboss-token");
    if (known && !why) return Promise.resolve(known);
    this.token ??= new Promise((done) => {
      const dialog = make(document.body, "dialog");
      const form = make(dialog, "form");
      make(form, "p", "", why ? `The server refused the token: ${why}` : "This server asks for a token.");
      const field = labelled(form, "token", make(null, "input"));
      field.type = "password";
      field.required = true;
      make(form, "button", "", "enter");
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        dialog.remove();
        this.token = undefined;
        done(field.value.trim());
      });
      dialog.addEventListener("cancel", (event) => event.preventDefault());
      dialog.showModal();
    });
    return this.token;
  }

  private async opened() {
    document.body.classList.remove("offline");
    this.arbiter!.forget();
    try {
      if (this.games.length === 0) {
        this.games = JSON.parse(await this.arbiter!.connection.command("games json")).games;
        this.gameChoice.replaceChildren(...select(this.games.map(({ game }) => game)).children);
        await this.openAddress();
      } else {
        this.node.state = undefined;
        await this.go(this.node);
      }
      this.tell("Connected.");
    } catch (error) {
      this.fail(error);
    }
  }

  private tell(words: string) {
    this.status.textContent = words;
  }

  private fail(error: unknown) {
    if (error instanceof CommandError && error.code === "disconnected") return;
    if (error instanceof CommandError && error.code === "interrupted") return;
    this.tell((error as Error).message);
    this.status.classList.remove("alarm");
    requestAnimationFrame(() => this.status.classList.add("alarm"));
  }

  // ---- games

  /** Begins a game, or opens a tree. */
  private async open(tree: GameTree, node = tree.root) {
    for (const seat of this.engines) this.stop(seat);
    const geometry = await this.geometryOf(tree);
    this.geometry = geometry;
    this.tree = tree;
    this.browsing = [];
    this.restriction = undefined;
    const [game, ...words] = tree.rules.split(" ");
    this.gameChoice.value = game;
    this.showParameters(new Map(words.map((word) => word.split("=") as [string, string])));
    this.makeBoard();
    this.makeSeats();
    this.startClock();
    await this.go(node);
  }

  private async geometryOf(tree: GameTree): Promise<Geometry> {
    if (!this.arbiter) return this.geometry!;
    await this.arbiter.goTo(tree.lineTo(tree.root));
    return JSON.parse(await this.arbiter.connection.command("geometry"));
  }

  private newGame() {
    const words = [...this.parameters.querySelectorAll<HTMLInputElement>("[name]")]
      .map(({ name, value }) => `${name}=${value}`);
    this.open(new GameTree([this.gameChoice.value, ...words].join(" "))).catch((error) => this.fail(error));
  }

  private showParameters(values = new Map<string, string>()) {
    this.parameters.replaceChildren();
    const game = this.games.find((each) => each.game === this.gameChoice.value);
    for (const { name, default: usual, values: allowed, help } of game?.parameters ?? []) {
      const words = allowed.split("|");
      const field = words.length > 1 ? select(words) : make(null, "input", "value");
      labelled(this.parameters, name, field);
      field.name = name;
      field.value = values.get(name) ?? usual;
      field.title = `${help} (${allowed})`;
    }
  }

  private makeBoard() {
    this.boardHost.replaceChildren();
    this.board = new Board(this.boardHost, this.geometry!, this.isTurned);
    if (!this.arbiter) return;
    this.board.chosen = (point) => this.choose(point);
    this.board.mayDrag = (point) => Boolean(this.choice && this.choice.steps.length === 0 &&
      this.choice.next.has(point) && this.board!.letterAt(point) !== ".");
    this.board.listen();
  }

  private makeSeats() {
    const old = new Map([...this.seats].map(([colour, { value }]) => [colour, value]));
    this.seats.clear();
    this.seatHost.replaceChildren();
    for (const colour of this.geometry!.colours) {
      const label = make(this.seatHost, "label");
      seatSign(label, colour);
      make(label, "span", "", colour);
      const choice = select([["", "human"], ["A", "engine A"], ["B", "engine B"]], old.get(colour) ?? "");
      label.append(choice);
      choice.addEventListener("change", () => {
        if (choice.value === "B" && this.engines.length === 1) this.addEngine("B");
        this.maybeMove();
      });
      this.seats.set(colour, choice);
    }
  }

  private startClock() {
    const main = 60 * Number(this.main_.value);
    this.clock = new Clock(this.clockHost, this.geometry!.colours,
      main > 0 ? { main, increment: Number(this.increment.value) || 0 } : null);
  }

  // ---- positions

  /** Shows a node; `isPlayed` if a move has just led there. */
  private async go(node: Node, isPlayed = false) {
    if (this.thinking && !isPlayed) {
      this.thinking.round++;
      this.thinking.engine.connection.interrupt();
      this.thinking = undefined;
    }
    this.node = node;
    this.browsing = [];
    if (this.restriction) this.restriction = undefined;
    this.render();
    for (const seat of this.engines) {
      seat.view.clear();
      if (node.report && seat === this.engines[0]) seat.view.show(node.report);
      if (seat.isOn) this.follow(seat);
    }
    this.clock?.turn(node.state?.to_move ?? null, isPlayed);
    if (!this.arbiter || this.asking) return;
    this.asking = true;
    try {
      while (!this.node.state) {
        const wanted = this.node;
        const tree = this.tree;
        const state = await this.arbiter.state(tree.lineTo(wanted));
        if (tree.root === wanted && !tree.start && !this.isSynced) this.isSynced = true;
        wanted.state = state;
      }
    } catch (error) {
      if (error instanceof CommandError && error.code !== "disconnected" && this.node.parent) {
        const { parent } = this.node;
        parent.children = parent.children.filter((child) => child !== this.node);
        this.node = parent;
      }
      this.fail(error);
    } finally {
      this.asking = false;
    }
    this.render();
    this.clock?.turn(this.node.state?.to_move ?? null, isPlayed);
    if (isPlayed) this.maybeMove();
  }

  private play(move: string) {
    if (!this.node.state || this.node.state.over) return Promise.resolve();
    return this.go(this.node.child(move), true);
  }

  private choose(step: string) {
    if (!this.choice || this.thinking) return;
    const move = this.choice.choose(step);
    if (move) this.choice = undefined;
    this.offer();
    if (move) void this.play(move);
  }

  private offer() {
    const next = this.choice?.next ?? new Set<string>();
    this.board?.offer(next, this.choice?.steps ?? []);
    this.words.replaceChildren();
    const points = new Set(this.geometry?.sites.map(({ name }) => name));
    for (const word of [...next].filter((step) => !points.has(step))) {
      button(this.words, word, `play ${word}`, () => this.choose(word));
    }
    if (this.choice && this.choice.steps.length > 0) {
      make(this.words, "span", "", `${this.choice.steps.join(" ")} …`);
      button(this.words, "cancel", "choose anew (Esc)", () => this.cancel());
    }
    this.drawSearch();
  }

  private cancel() {
    if (this.choice) this.choice.steps = [];
    this.offer();
  }

  /** Shows the node's position, moves and words. */
  private render() {
    const { node } = this;
    const { state } = node;
    if (state && this.board) {
      this.board.show(state.position, node.parent?.state?.position);
      this.choice = this.arbiter && !state.over ? new Choice(state) : undefined;
    } else {
      this.choice = undefined;
    }
    this.offer();
    const last = node.parent ? `${node.colour ?? ""} ${node.move}` : "start of the game";
    const next = state?.over ? state.result ?? "the game is over" : state ? `${state.to_move} to move` : "";
    this.place.textContent = `ply ${node.ply}: ${last}. ${next}`;
    if (state) this.spoken.textContent = `${last}. ${next}.`;
    this.board?.svg.setAttribute("aria-label", `Board after ply ${node.ply}: ${last}. ${next}`);
    this.showMoves();
    this.showValues();
    this.saveAddress();
  }

  private showMoves() {
    this.moveList.replaceChildren();
    const add = (host: Element, node: Node) => {
      const made = button(host, node.move, `go to ply ${node.ply}`, () => void this.go(node));
      if (node.colour) made.prepend(seatSignOf(node.colour));
      if (node === this.node) made.setAttribute("aria-current", "step");
    };
    const line = (host: Element, from: Node) => {
      for (let node: Node | undefined = from; node; node = node.children[0]) {
        for (const child of node.children.slice(0, 1)) add(host, child);
        for (const other of node.children.slice(1)) {
          const inner = make(host, "div", "variation");
          add(inner, other);
          line(inner, other);
        }
      }
    };
    line(this.moveList, this.tree.root);
    const here = this.moveList.querySelector<HTMLElement>("[aria-current]");
    if (here) this.moveList.scrollTop = here.offsetTop - this.moveList.clientHeight / 2;
  }

  private showValues() {
    const line = this.node.line;
    const colours = this.geometry?.colours ?? [];
    const shown = colours.length === 2 ? colours.slice(0, 1) : colours;
    const series: Series[] = shown.map((colour) => ({
      name: colour, style: colours.length === 2 ? "line-0" : `by ${colour}`,
      points: line.flatMap((node): [number, number][] => {
        const value = (node.report?.values ?? node.values)?.[colour];
        return value === null || value === undefined ? [] : [[node.ply, value]];
      }),
    }));
    this.valueChart.show(series, Math.max(1, line.length - 1), "plies");
    this.valueChart.point(this.node.ply);
  }

  // ---- searches

  private get seat(): Seat | undefined {
    return this.engines[this.shown];
  }

  private toggle(isOn?: boolean) {
    const on = isOn ?? !this.engines.some((seat) => seat.isOn);
    for (const seat of this.engines) {
      if (on) {
        seat.isOn = true;
        this.follow(seat);
      } else {
        this.stop(seat);
      }
    }
    this.browsing = [];
    this.analyseButton.textContent = on ? "pause" : "analyse";
    this.analyseButton.setAttribute("aria-pressed", String(on));
  }

  private stop(seat: Seat) {
    if (!seat.isOn) return;
    seat.isOn = false;
    seat.round++;
    seat.engine.stop().catch(() => {});
    if (this.analyseButton) this.analyseButton.textContent = "analyse";
  }

  /** Has an engine search the position shown, soon: quick steps through a game begin no search. */
  private follow(seat: Seat) {
    const round = ++seat.round;
    setTimeout(() => void this.search(seat, round), 60);
  }

  private async search(seat: Seat, round: number) {
    const isPast = () => round !== seat.round;
    const { node, tree } = this;
    if (isPast() || !this.arbiter || (node.state?.over ?? false)) return;
    seat.view.begin();
    try {
      await seat.engine.analyse(tree.lineTo(node), Number(this.most.value) || 30, this.restriction, (report) => {
        if (isPast()) return;
        if (seat === this.engines[0]) node.report = report;
        seat.view.tell(report);
        if (seat === this.seat) this.drawSearch();
        if (Number(this.cap.value) > 0 && report.simulations >= Number(this.cap.value)) this.toggle(false);
        this.showValues();
      });
    } catch (error) {
      if (!isPast()) this.fail(error);
    }
  }

  /** An engine moves if it has the side to move, or is told to. */
  private maybeMove(isTold = false) {
    const state = this.node.state;
    if (!state?.to_move || state.over || this.thinking) return;
    const name = this.seats.get(state.to_move)?.value || (isTold ? this.seat?.name : "");
    const seat = this.engines.find((each) => each.name === name);
    if (seat?.engine.connection.isOpen) void this.engineMove(seat);
  }

  private async engineMove(seat: Seat) {
    const { node, tree } = this;
    const wasOn = this.engines.some(({ isOn }) => isOn);
    if (wasOn) this.toggle(false);
    const round = ++seat.round;
    this.thinking = seat;
    document.body.classList.add("thinking");
    seat.view.begin();
    let last: Report | undefined;
    try {
      const colour = node.state!.to_move!;
      const move = await seat.engine.move(tree.lineTo(node), this.clock?.commands(colour) ?? [], (report) => {
        last = report;
        if (round === seat.round) seat.view.tell(report);
      });
      if (round !== seat.round) return;
      const found = await seat.engine.lastSearch().catch(() => last);
      node.values = found?.values ?? undefined;
      node.report = found;
      this.thinking = undefined;
      await this.go(node.child(move), true);
    } catch (error) {
      this.fail(error);
    } finally {
      if (this.thinking === seat) this.thinking = undefined;
      document.body.classList.remove("thinking");
    }
  }

  /** The step of a move that is next when some are chosen, or where it goes. */
  private targetOf(move: string): string[] {
    const state = this.node.state;
    const at = state?.legal.indexOf(move) ?? -1;
    if (state && at >= 0) return state.steps[at];
    return move.match(/[a-z]\d+/g) ?? [move];
  }

  private drawSearch() {
    const report = this.seat?.view.report;
    const board = this.board;
    if (!board) return;
    if (!report || this.browsing.length > 0 || report.path?.length) {
      board.showHeat(new Map());
      board.showMarks([]);
      return;
    }
    const chosen = this.choice?.steps ?? [];
    const fitting = report.moves.filter(({ move }) => chosen.every((step, i) => this.targetOf(move)[i] === step));
    const place = (move: string) => {
      const steps = this.targetOf(move);
      return steps[Math.max(chosen.length, Math.min(1, steps.length - 1))];
    };
    board.showHeat(this.heatOf(fitting, place));
    const top = fitting.filter(({ visits }) => visits > 0).slice(0, 8);
    const most = top[0]?.visits ?? 1;
    board.showMarks(this.isMarking.checked ? top.map((move): Mark => ({
      points: this.targetOf(move.move),
      strength: move.visits / most,
      colour: valueColour(move.value),
      words: move.visits / most > 0.02 ? [String(Math.round(100 * move.value)), shortVisits(move.visits)] : [],
    })) : []);
  }

  private heatOf(moves: MoveReport[], place: (move: string) => string): Map<string, number> {
    const map = this.map.value as (typeof maps)[number];
    const heat = new Map<string, number>();
    if (map === "none") return heat;
    for (const move of moves) {
      const number = { visits: move.visits, prior: move.prior ?? 0, novelty: move.novelty ?? 0,
        value: move.visits > 0 ? Math.max(0, move.value) : 0 }[map];
      const site = place(move.move);
      const old = heat.get(site) ?? 0;
      heat.set(site, map === "visits" || map === "prior" ? old + number : Math.max(old, number));
    }
    const numbers = [...heat.values()];
    const [least, most] = [map === "value" ? Math.min(...numbers) : 0, Math.max(...numbers)];
    for (const [site, number] of heat) heat.set(site, most > least ? (number - least) / (most - least) : 0);
    return heat;
  }

  /** Shows the position after some moves, without changing the one that is searched. */
  private async preview(moves: string[] | null) {
    const round = ++this.hoverRound;
    if (!moves) {
      this.render();
      return;
    }
    try {
      const line = this.tree.lineTo(this.node);
      const state = await this.arbiter?.state({ ...line, moves: [...line.moves, ...moves] });
      if (round !== this.hoverRound || !state) return;
      this.board?.show(state.position, this.node.state?.position);
      this.board?.showHeat(new Map());
      this.board?.showMarks(moves.slice(0, 9).map((move, i): Mark => ({
        points: this.targetOf(move), strength: 0.3, colour: i % 2 === 0 ? "#0072b2" : "#b34700", words: [String(i + 1)],
      })));
      this.place.textContent = `preview: ${moves.join(" ")}`;
    } catch (error) {
      this.fail(error);
    }
  }

  /** Adds a line of moves as a variation. */
  private addLine(moves: string[]) {
    let node = this.node;
    for (const move of moves) node = node.child(move);
    this.showMoves();
    this.tell(`${moves.length} moves added as a variation`);
  }

  private restrict(words: "avoid" | "allow", move: string) {
    const colour = this.node.state?.to_move;
    if (!colour) return;
    const moves = this.restriction?.words === words ? this.restriction.moves : [];
    this.restriction = { words, colour, moves: [...new Set([...moves, move])] };
    this.showRestriction();
    this.toggle(true);
  }

  private showRestriction() {
    this.restricted.replaceChildren();
    if (!this.restriction) return;
    this.restricted.append(`${this.restriction.words === "avoid" ? "without" : "only"} ${this.restriction.moves.join(", ")} `);
    button(this.restricted, "search all moves", "search all moves again", () => {
      this.restriction = undefined;
      this.showRestriction();
      if (this.seat?.isOn) this.toggle(true);
    });
  }

  /** Shows what the last search found below some moves. */
  private async browse(moves: string[]) {
    const { seat } = this;
    if (!seat) return;
    const wasOn = seat.isOn;
    if (wasOn) this.toggle(false);
    try {
      const report = await seat.engine.lastSearch(moves);
      this.browsing = moves;
      seat.view.show(report);
      this.crumbs.replaceChildren();
      if (moves.length > 0) {
        button(this.crumbs, "root", "back to the position searched", () => void this.browse([]));
        moves.forEach((move, i) => button(this.crumbs, move, `below ${move}`, () => void this.browse(moves.slice(0, i + 1))));
        await this.preview(moves);
      } else {
        this.render();
      }
    } catch (error) {
      this.fail(error);
    }
  }

  private async step(count: number) {
    const { seat, node } = this;
    if (!seat || this.thinking) return;
    if (seat.isOn) this.toggle(false);
    this.browsing = [];
    this.crumbs.replaceChildren();
    try {
      const report = await seat.engine.simulate(this.tree.lineTo(node), count);
      seat.view.show(report);
      node.report = report;
      this.drawSearch();
      const path = report.paths?.at(-1)?.moves ?? [];
      const marks = path.map((move, i): Mark => ({
        points: this.targetOf(move), strength: 0.4, colour: i % 2 === 0 ? "#0072b2" : "#b34700", words: [String(i + 1)],
      }));
      clearInterval(this.timer);
      let length = isStill ? marks.length : 1;
      this.board?.showMarks(marks.slice(0, length));
      this.timer = window.setInterval(() => {
        if (++length > marks.length || this.node !== node) clearInterval(this.timer);
        else this.board?.showMarks(marks.slice(0, length));
      }, 150);
      this.tell(`simulation: ${path.join(" ") || "the position itself"}`);
    } catch (error) {
      this.fail(error);
    }
  }

  private showOptions() {
    if (this.seat) optionsPanel(this.optionsHost, this.seat.engine, (words) => this.tell(words));
  }

  // ---- addresses and files

  private saveAddress() {
    if (this.saved) return;
    const line = this.node.line.slice(1).map(({ move }) => move);
    const parts = new URLSearchParams({ game: this.tree.rules });
    if (this.tree.start) parts.set("start", this.tree.start);
    if (line.length > 0) parts.set("moves", line.join(" "));
    if (this.node.ply !== line.length) parts.set("ply", String(this.node.ply));
    const address = `#${parts}`;
    if (location.hash !== address) history.replaceState(null, "", address);
  }

  private async openAddress() {
    const parts = new URLSearchParams(location.hash.slice(1));
    const tree = new GameTree(parts.get("game") ?? "connect4", parts.get("start") ?? "");
    try {
      await this.openMoves(tree, (parts.get("moves") ?? "").split(" ").filter(Boolean), parts.get("ply"));
    } catch (error) {
      await this.open(new GameTree("connect4"));
      this.tell(`The address holds no game that can be played: ${(error as Error).message}`);
    }
  }

  /** Opens a game with these moves, of which each gets its position. */
  private async openMoves(tree: GameTree, moves: string[], ply: string | null = null) {
    const nodes = [tree.root];
    tree.root.state = await this.arbiter!.state(tree.lineTo(tree.root));
    for (const move of moves) {
      const node = nodes.at(-1)!.child(move);
      node.state = await this.arbiter!.state(tree.lineTo(node));
      nodes.push(node);
    }
    await this.open(tree, nodes[Math.min(ply === null ? moves.length : Number(ply) || 0, moves.length)]);
  }

  /** Reads a position, a game in SGF, or `RULES; start; moves` from the text field. */
  private async paste() {
    const text = this.text.value.trim();
    try {
      if (text.startsWith("(")) await this.openSgf(text);
      else if (text) await this.openMoves(new GameTree(this.tree.rules, text.replace(/^position /, "")), []);
      this.tell("opened");
    } catch (error) {
      this.fail(error);
    }
  }

  private async openSgf(text: string) {
    const { rules, start, points } = readSgf(text, (rules) => rules.startsWith("hex"));
    const tree = new GameTree(rules, start);
    let node = tree.root;
    node.state = await this.arbiter!.state(tree.lineTo(node));
    let choice = new Choice(node.state);
    for (const point of points) {
      const words = [...choice.next].find((step) => !/^[a-z]\d+$/.test(step));
      const move = choice.choose(point === "" ? words ?? "pass" : point);
      if (!move) {
        if (choice.steps.length === 0) throw new Error(`'${point}' is not legal after ply ${node.ply} of this SGF`);
        continue;
      }
      node = node.child(move);
      node.state = await this.arbiter!.state(tree.lineTo(node));
      choice = new Choice(node.state);
    }
    await this.open(tree, node);
  }

  private async copy(words: string) {
    this.text.value = words;
    this.text.select();
    await navigator.clipboard?.writeText(words).catch(() => {});
    this.tell("copied");
  }

  private async copySgf() {
    try {
      await this.arbiter!.goTo(this.tree.lineTo(this.node));
      await this.copy(await this.arbiter!.connection.command("printsgf"));
    } catch (error) {
      this.fail(error);
    }
  }

  /** Saves game and analyses as one file that shows them anywhere: this page with the game in it. */
  private async save() {
    const [script, style] = await Promise.all(["page.js", "page.css"].map(async (name) => (await fetch(name)).text()));
    for (const node of this.node.line) {
      node.state ??= this.arbiter ? await this.arbiter.state(this.tree.lineTo(node)) : undefined;
    }
    const json = JSON.stringify({ rules: this.tree.rules, start: this.tree.start, geometry: this.geometry,
      ply: this.node.ply, root: treeJson(this.tree.root) }).replace(/</g, "\\u003c");
    const page = `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta name="viewport" ` +
      `content="width=device-width, initial-scale=1"><title>Pitboss: ${this.tree.rules}</title><style>${style}</style>` +
      `<body><script type="application/json" id="saved-game">${json}</script>` +
      `<script>${script.replace(/<\/script/g, "<\\/script")}</script>`;
    const link = make(null, "a");
    link.href = URL.createObjectURL(new Blob([page], { type: "text/html" }));
    link.download = `pitboss-${this.tree.rules.split(" ")[0]}.html`;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  private async load(file: File) {
    try {
      const json = (await file.text()).match(/ id="saved-game">(.*?)<\/script>/s)?.[1];
      if (!json) throw new Error(`${file.name} is no game that this page has saved`);
      await this.openSaved(JSON.parse(json));
    } catch (error) {
      this.fail(error);
    }
  }

  private async openSaved(saved: { rules: string; start: string; geometry: Geometry; ply: number; root: never }) {
    const tree = new GameTree(saved.rules, saved.start);
    tree.root = treeOf(saved.root, Boolean(this.arbiter));
    this.geometry = saved.geometry;
    if (!this.arbiter) {
      this.engines.push({ name: "A", engine: undefined as never, isOn: false, round: 0,
        view: new SearchView(this.searchHost, "A", { hover() {}, add() {}, play() {}, below() {}, restrict() {} }) });
      document.body.classList.add("saved");
    }
    await this.open(tree, tree.root.line[Math.min(saved.ply, tree.root.line.length - 1)]);
  }

  // ---- the page's parts

  private layOut() {
    const title = make(this.head, "h1", "", "Pitboss");
    title.title = "plays fifteen games and shows how it thinks";
    const game = make(this.head, "div", "game-choice");
    labelled(game, "game", this.gameChoice);
    this.gameChoice.addEventListener("change", () => {
      this.showParameters();
      this.newGame();
    });
    game.append(this.parameters);
    button(game, "new game", "begin a new game (n)", () => this.newGame());
    const tools = make(this.head, "div", "tools");
    button(tools, "light or dark", "change between light and dark", () => {
      const isDark = document.documentElement.dataset.theme
        ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      document.documentElement.dataset.theme = isDark ? "light" : "dark";
      localStorage.setItem("pitboss-theme", document.documentElement.dataset.theme);
    });
    button(tools, "keys", "show the keys (?)", () => this.help.showModal());

    this.status.setAttribute("role", "status");
    this.spoken.setAttribute("aria-live", "polite");
    this.main.before(this.head);
    const stage = make(this.main, "section", "stage");
    stage.setAttribute("aria-label", "Game");
    stage.append(this.status, this.seatHost, this.clockHost, this.boardHost, this.words);
    const controls = make(stage, "div", "controls");
    button(controls, "«", "first position (Home)", () => void this.go(this.tree.root));
    button(controls, "‹", "back (left arrow)", () => this.back());
    button(controls, "›", "forward (right arrow)", () => this.forward());
    button(controls, "»", "last position (End)", () => void this.go(this.node.line.at(-1)!));
    button(controls, "turn", "turn the board (t)", () => this.turnBoard());
    button(controls, "engine move", "have engine A move (Enter)", () => this.maybeMove(true));
    stage.append(this.place, this.spoken);
    this.boardHost.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (event.deltaY < 0) this.back();
      else this.forward();
    }, { passive: false });
    const figure = make(stage, "figure");
    make(figure, "figcaption", "", "Value over the game, in % for the first colour (click to go there)");
    this.valueChart = new Chart(figure, "Value over the game", (ply) => {
      const node = this.node.line[Math.min(ply, this.node.line.length - 1)];
      if (node && node !== this.node) void this.go(node);
    });
    make(stage, "h2", "", "Moves");
    stage.append(this.moveList);

    const side = make(this.main, "div", "side");
    const analysis = make(side, "section", "analysis");
    analysis.setAttribute("aria-label", "Analysis");
    const bar = make(analysis, "div", "controls live");
    this.analyseButton = button(bar, "analyse", "start or pause the analysis (space)", () => this.toggle());
    for (const count of [1, 10, 100]) {
      button(bar, `+${count}`, `search ${count} simulation${count > 1 ? "s" : ""} more`, () => void this.step(count));
    }
    labelled(bar, "map", this.map).addEventListener("change", () => this.drawSearch());
    this.isMarking.type = "checkbox";
    this.isMarking.checked = true;
    labelled(bar, "show candidates", this.isMarking).addEventListener("change", () => this.drawSearch());
    for (const [field, words, value] of [[this.most, "rows", "20"], [this.cap, "pause at visits", "0"]] as const) {
      field.className = "value";
      field.inputMode = "numeric";
      field.value = value;
      labelled(bar, words, field).addEventListener("change", () => { if (this.seat?.isOn) this.toggle(true); });
    }
    button(bar, "compare", "search with two configurations side by side", () => {
      if (this.engines.length === 1) this.addEngine("B");
      this.engines[1].isOn = this.engines[0].isOn;
      document.body.classList.add("comparing");
      this.showEngineChoice();
    });
    analysis.append(this.restricted, this.crumbs, this.searchHost);

    const options = make(side, "details", "panel");
    make(options, "summary", "", "Options of the search");
    options.append(this.engineChoice, this.optionsHost);
    this.showEngineChoice();
    const files = make(side, "details", "panel");
    make(files, "summary", "", "Clock, copy, paste, save");
    const clocks = make(files, "div", "controls");
    for (const [field, words, value] of [[this.main_, "minutes a side", "0"], [this.increment, "seconds a move", "0"]] as const) {
      field.className = "value";
      field.inputMode = "decimal";
      field.value = value;
      labelled(clocks, words, field);
    }
    button(clocks, "start clock", "set the clocks of this game", () => {
      this.startClock();
      this.clock?.turn(this.node.state?.to_move ?? null, false);
    });
    const area = labelled(files, "position, or game in SGF", this.text);
    area.rows = 4;
    const row = make(files, "div", "controls");
    button(row, "copy position", "copy the position", () => void this.copy(this.node.state?.position ?? ""));
    button(row, "copy SGF", "copy the game as SGF", () => void this.copySgf());
    button(row, "copy address", "copy an address that opens this game", () => void this.copy(location.href));
    button(row, "paste", "open what the field holds", () => void this.paste());
    button(row, "save as HTML", "save game and analyses as one file", () => void this.save());
    const file = labelled(row, "load", make(null, "input"));
    file.type = "file";
    file.accept = ".html";
    file.addEventListener("change", () => { if (file.files?.[0]) void this.load(file.files[0]); });

    make(this.help, "h2", "", "Keys");
    const list = make(this.help, "dl");
    for (const [key, what] of [["← →, wheel", "back and forward"], ["Home, End", "first and last position"],
      ["↑ ↓", "other variations"], ["space", "start or pause the analysis"], ["Enter", "the engine moves"],
      ["Esc", "end the search; choose a move anew"], ["s", "search one simulation more"], ["t", "turn the board"],
      ["n", "new game"], ["Delete", "remove the last move and what follows"], ["Tab, then arrows, Enter", "choose points on the board"], ["?", "this help"]]) {
      make(list, "dt", "", key);
      make(list, "dd", "", what);
    }
    button(this.help, "close", "close (Esc)", () => this.help.close());
  }

  private readonly engineChoice = make(null, "p", "engine-choice");
  private showEngineChoice() {
    this.engineChoice.replaceChildren();
    for (const [i, name] of (this.engines.length > 1 ? ["A", "B"] : ["A"]).entries()) {
      const made = button(this.engineChoice, `engine ${name}`, `options and marks of engine ${name}`, () => {
        this.shown = i;
        this.showEngineChoice();
        this.showOptions();
        this.drawSearch();
      });
      made.setAttribute("aria-pressed", String(i === this.shown));
    }
  }

  private back() {
    if (this.node.parent) void this.go(this.node.parent);
  }
  private forward() {
    if (this.node.children[0]) void this.go(this.node.children[0]);
  }

  private turnBoard() {
    this.isTurned = !this.isTurned;
    this.makeBoard();
    this.render();
  }

  private variation(by: number) {
    const siblings = this.node.parent?.children ?? [];
    const to = siblings[siblings.indexOf(this.node) + by];
    if (to) void this.go(to);
  }

  private removeMove() {
    const { node } = this;
    if (!node.parent) return;
    node.parent.children = node.parent.children.filter((child) => child !== node);
    void this.go(node.parent);
  }

  private key(event: KeyboardEvent) {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.altKey || event.metaKey || target.closest("dialog")) return;
    if (target.matches("input, select, textarea, summary") && event.key !== "Escape") return;
    if (target.matches("button") && (event.key === "Enter" || event.key === " ")) return;
    const acts: Record<string, () => void> = {
      ArrowLeft: () => this.back(),
      ArrowRight: () => this.forward(),
      ArrowUp: () => this.variation(-1),
      ArrowDown: () => this.variation(1),
      Home: () => void this.go(this.tree.root),
      End: () => void this.go(this.node.line.at(-1)!),
      " ": () => this.toggle(),
      Enter: () => this.maybeMove(true),
      Escape: () => {
        if (this.choice && this.choice.steps.length > 0) this.cancel();
        else if (this.thinking) this.thinking.engine.connection.interrupt();
        else if (this.seat?.isOn) this.toggle(false);
      },
      s: () => void this.step(1),
      t: () => this.turnBoard(),
      n: () => this.newGame(),
      Delete: () => this.removeMove(),
      "?": () => this.help.showModal(),
    };
    if (!(event.key in acts)) return;
    event.preventDefault();
    acts[event.key]();
  }
}

function seatSignOf(colour: string) {
  return make(null, "span", `seat ${colour}`);
}

function shortVisits(visits: number): string {
  return visits < 1000 ? String(visits) : visits < 1e6 ? `${Math.round(visits / 1e3)}k` : `${Math.round(visits / 1e6)}M`;
}


new Page();
