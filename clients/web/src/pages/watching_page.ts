// A table that others play or search at: this page goes wherever they go, and changes nothing there but by moves of the
// colour that it holds, if it holds one.

import { GameTree, Node } from "../game/game_tree";
import { make, seatSign } from "../markup";
import { addressesForOthers } from "../play/invitation";
import { Connection } from "../server/connection";
import { gameTable } from "../server/names";
import type { Geometry, State } from "../server/protocol";
import type { Seat } from "../server/shared_game";
import { Spectator } from "../server/spectator";
import { Table } from "../server/table";
import { SilentAnalysis, Stage } from "./stage";

class WatchingPage extends Stage {
  private readonly analysis?: SilentAnalysis;
  private readonly players = make(null, "div", "players");
  private spectator?: Spectator;
  /** Where the table is; people may look back. */
  private watched?: Node;
  /** A move of this page's is on its way. */
  private isSending = false;
  /** Whether people play at the table, who have no variations. */
  private readonly isGame: boolean;

  constructor(private readonly name: string, private readonly seat?: Seat) {
    const connection = new Connection();
    super(new Table(connection), !seat);
    this.isGame = name.startsWith(gameTable);
    document.body.classList.add("watching");
    document.body.classList.toggle("of-people", this.isGame);
    make(this.head, "p", "", seat ? `you play ${seat.colour}` : `watching ${name}`);
    this.panel.place.after(this.players);
    const addresses = seat && addressesForOthers(name, seat, this.messages);
    if (addresses) this.side.append(addresses);
    if (this.isGame) this.side.append(this.moves);
    else this.analysis = new SilentAnalysis(this);
    this.listenToKeys([]);
    this.panel.hindrance = () => this.hindrance();
    this.game.moved.listen((isPlayed) => { if (isPlayed) void this.send(this.game.node); });
    this.game.known.listen(() => this.showTurn());
    connection.opened = () => this.begin();
    connection.lost = (reason, seconds) => this.lost(reason, seconds);
    connection.connect();
    window.addEventListener("hashchange", () => location.reload());
  }

  private begin() {
    this.game.arbiter!.forget();
    this.found();
    this.spectator ??= new Spectator(this.name, {
      position: (state, geometry) => this.show(state, geometry),
      report: (report) => {
        if (this.game.node === this.watched) this.analysis?.tell(report);
        else if (this.watched) this.watched.report = report;
      },
      owner: (isThere) => {
        if (isThere) this.found();
        else this.fail(new Error("Nobody shows this board any more: the page that did has gone, or has ended it. " +
          "It goes on here if that page comes back."));
      },
      seats: (areThere) => this.showPlayers(areThere),
      seated: () => this.messages.clearAlarm(),
      failed: this.fail,
    }, this.seat);
  }

  private async show(state: State, geometry: Geometry) {
    if (this.isSending) return;  // the table's position will be the one shown, or the move is taken back
    const { game } = this;
    const { tree } = game;
    const isSame = game.geometry && tree.rules === state.rules && tree.start === state.start;
    this.messages.clearAlarm();
    const shown = isSame ? tree : new GameTree(state.rules, state.start);
    let node = shown.root;
    for (const { move } of state.moves) {
      const next = node.child(move);
      if (this.isGame) node.children = [next];
      node = next;
    }
    if (this.isGame) node.children = [];
    node.state = state;
    this.watched = node;
    if (this.seat && state.over) this.spectator?.end();
    if (isSame) await game.go(node);
    else await game.open(shown, node, geometry);
  }

  /** Why the person may not move now; "" if it may. */
  private hindrance(): string {
    const { seat, spectator, game, watched } = this;
    if (!seat || game.state?.over) return "";
    if (!spectator || spectator.refusal) return spectator?.refusal ?? "The server is away.";
    if (this.isSending) return "Your move is on its way.";
    if (game.node !== watched) return "The game is further on: End shows where it is.";
    const mover = game.state!.to_move;
    return mover === seat.colour ? "" : `It is ${mover}'s turn; you play ${seat.colour}.`;
  }

  /** Sends the move that has led to a node, which is taken back if the server refuses it. */
  private async send(node: Node) {
    this.isSending = true;
    const before = this.watched!;
    this.watched = node;
    try {
      await this.spectator!.play(node.move);
    } catch (error) {
      this.watched = before;
      before.remove(node);
      void this.game.go(before);
      this.fail(error);
    } finally {
      this.isSending = false;
    }
  }

  private showTurn() {
    const { seat, game } = this;
    const isOwn = seat && !game.state?.over && game.node === this.watched && game.state?.to_move === seat.colour;
    document.title = isOwn ? "your turn – Pitboss" : "Pitboss";
  }

  private showPlayers(areThere: Map<string, boolean>) {
    this.players.replaceChildren();
    for (const [colour, isThere] of areThere) {
      const words = make(this.players, "span");
      seatSign(words, colour);
      words.append(` ${colour}${colour === this.seat?.colour ? " (you)" : ""}: ${isThere ? "here" : "away"}`);
    }
  }
}

export function watchTable(name: string, seat?: Seat) {
  new WatchingPage(name, seat);
}
