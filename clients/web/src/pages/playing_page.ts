// Where people play, and search with one engine or two.

import { counted } from "../chart";
import { openAddress, optionsInAddress, saveAddress, watchedTable } from "../game/address";
import { FilesPanel } from "../game/files_panel";
import { GameTree } from "../game/game_tree";
import { KeptGames } from "../game/kept_games";
import { button, drawer, labelled, make } from "../markup";
import { ClockForm } from "../play/clock";
import { GameChoice } from "../play/game_choice";
import { Invitation } from "../play/invitation";
import { Opponents } from "../play/opponents";
import { Seats } from "../play/seats";
import { Analysis } from "../search/analysis";
import { Explorer } from "../search/explorer";
import { GamesFromHere } from "../search/games_from_here";
import { Mistakes } from "../search/mistakes";
import { OptionsPanel } from "../search/options_panel";
import { Overlay } from "../search/overlay";
import { Searchers } from "../search/searchers";
import { Sharing } from "../search/sharing";
import { TreeBrowser } from "../search/tree_browser";
import { TreePicture } from "../search/tree_picture";
import { type CommandError, Connection } from "../server/connection";
import { Table } from "../server/table";
import { refused } from "../storage";
import { section, Stage } from "./stage";
import { showTables } from "./tables_page";

export class PlayingPage extends Stage {
  private readonly connection: Connection;
  private readonly searchers: Searchers;
  private readonly analysis: Analysis;
  private readonly browser: TreeBrowser;
  private readonly overlay: Overlay;
  private readonly choice: GameChoice;
  private readonly seats: Seats;
  private readonly kept: KeptGames;
  private readonly sharing: Sharing;
  private readonly clocks = new ClockForm();
  private readonly analysisBar = make(null, "div", "controls live");
  /** Who plays, and whether others watch. */
  private readonly players = make(null, "div", "players");
  private isBegun = false;

  constructor() {
    const connection = new Connection();
    super(new Table(connection), false);
    this.connection = connection;
    const { game, panel, messages } = this;
    this.searchers = new Searchers({
      hover: (moves) => void panel.preview(moves),
      play: (move) => game.play(move),
      add: (moves) => {
        game.addLine(moves);
        messages.tell(`${counted(moves.length, "move")} added as a variation`);
      },
      below: (move) => void this.browser.below(move),
      restrict: (words, move) => this.analysis.restrict(words, move),
      focus: (move) => void this.analysis.focus(move),
    }, messages);
    this.analysis = new Analysis(game, this.searchers, messages);
    this.browser = new TreeBrowser(game, this.searchers, this.analysis, panel, messages);
    this.choice = new GameChoice(game, this.fail);
    this.addAnalysis();
    this.overlay = new Overlay(this.analysisBar, panel, () => this.searchers.shown.view.report);
    this.searchers.chosen.listen(() => this.overlay.draw());
    this.searchers.found.listen((searcher) => {
      if (searcher === this.searchers.shown) this.overlay.draw();
    });
    this.seats = new Seats(game, this.searchers, this.analysis, messages, () => this.seats.isDuel && !this.overlay.isShown);
    this.seats.seated.listen(() => { this.overlay.isShown = !this.seats.isDuel; });
    panel.hindrance = () => this.searchers.hindrance;
    this.sharing = new Sharing(game, this.searchers);
    this.kept = new KeptGames(game, this.fail);
    game.opened.listen(() => saveAddress(game, this.isBegun));
    game.moved.listen(() => saveAddress(game, false));
    refused.listen(() => messages.tell("This browser keeps nothing for the page: games and options are lost when it is left."));
    const opponents = new Opponents(game, this.searchers, this.seats, this.choice, this.fail);
    button(this.head, "play the engine", "begin a game against an engine of a strength of your choice", () => opponents.ask())
      .classList.add("primary");
    this.head.append(this.choice.host);
    panel.place.after(this.players);
    this.players.append(this.seats.host, this.seats.clocks);
    button(this.controls, "engine move", "have engine A move (Enter)", () => this.seats.move(true));
    this.addPanels();
    this.addKeys();
    this.connect();
  }

  private addAnalysis() {
    const { analysis, searchers, browser, analysisBar: bar } = this;
    const host = section(this.side, "analysis", "Analysis");
    const act = button(this.controls, "analyse", "start or pause the analysis (space)", () => analysis.toggle());
    act.classList.add("primary");
    analysis.switched.listen((isOn) => {
      act.textContent = isOn ? "pause" : "analyse";
      act.setAttribute("aria-pressed", String(isOn));
    });
    for (const count of [1, 10, 100]) {
      button(bar, `+${count}`, `search ${counted(count, "simulation")} more`, () => void browser.step(count));
    }
    host.append(bar, analysis.restricted, browser.crumbs, searchers.host);
  }

  private addComparison() {
    const { analysis } = this;
    const row = make(drawer(this.side, "Rows, pause, compare"), "div", "controls");
    labelled(row, "rows", analysis.rows);
    labelled(row, "pause at visits", analysis.cap);
    const act = button(row, "compare", "search with two configurations side by side", () => analysis.compare());
    analysis.compared.listen((isComparing) => act.setAttribute("aria-pressed", String(isComparing)));
    const equal = labelled(row, "same visits", analysis.isEqual).parentElement!;
    equal.classList.add("only-comparing");
    equal.title = "both engines search in steps of the same size, with all moves allowed";
  }

  /** The networks and features that the server has for a game. */
  private async namesOf(tree: GameTree): Promise<Map<string, string[]>> {
    const start = tree.lineTo(tree.root);
    const { arbiter } = this.game;
    const [networks, features] = await Promise.all([arbiter!.names(start, "networks"), arbiter!.names(start, "features")]);
    return new Map([["network", ["auto", ...networks]], ["features", features]]);
  }

  private addPanels() {
    const { game, searchers, messages } = this;
    const options = new OptionsPanel((name, value) => this.analysis.keepBeside(name, value), this.fail);
    game.opened.listen(() => void this.namesOf(game.tree).then((names) => options.offer(names)));
    const show = () => options.show(searchers.shown.engine);
    searchers.chosen.listen(show);
    searchers.ready.listen((searcher) => { if (searcher === searchers.shown) show(); });
    this.side.append(searchers.choice, options.pinned, this.moves, options.others);
    this.addComparison();
    const picture = new TreePicture(game, searchers, this.analysis, (moves) => void this.panel.preview(moves),
      (moves) => void this.browser.browse(moves));
    const explorer = new Explorer(game, (moves) => void this.panel.preview(moves), messages);
    this.side.append(picture.host, new Mistakes(game, searchers, this.analysis, messages).host,
      new GamesFromHere(game, searchers, messages).host, explorer.host);

    const form = this.clocks;
    drawer(this.side, "Parameters of the game, clock").append(this.choice.parameters, form.host);
    button(form.host, "start clock", "set the clocks of this game and of those that follow", () => {
      try {
        this.seats.startClock(form.settings);
      } catch (error) {
        this.fail(error);
      }
    });

    const files = new FilesPanel(game, messages, () => this.panel.board.picture, searchers);
    const resting = async (act: () => Promise<void>) => {
      const wasOn = this.analysis.isOn;
      this.analysis.toggle(false);
      await act().catch(this.fail);
      this.analysis.toggle(wasOn);
    };
    button(files.row, "let others watch", "copy an address at which others can watch this board",
      () => void resting(async () => files.copy(await this.sharing.begin())));
    const invitation = new Invitation(game, this.fail);
    button(files.row, "let others play", "go on with this game between people, each with an address of their own",
      () => invitation.ask());
    const end = button(this.players, "end sharing", "others can watch this board: end that", () => void resting(() => this.sharing.end()));
    end.hidden = true;
    this.sharing.switched.listen((isOn) => { end.hidden = !isOn; });
    this.side.append(files.host, this.kept.host);

    const title = this.moves.firstElementChild!;
    button(title, "undo", "take back a removal or a new game (Ctrl-Z)", () => this.undo());
    button(title, "redo", "do so again (Ctrl-Y)", () => this.redo());
    button(title, "remove", "remove the last move and what follows (Delete)", () => this.remove());
  }

  private undo() {
    this.messages.tell(this.game.undo() ? "taken back" : "There is nothing to take back.");
  }

  private redo() {
    this.messages.tell(this.game.redo() ? "done again" : "There is nothing to do again.");
  }

  private remove() {
    this.game.remove();
    this.messages.tell("removed: undo (Ctrl-Z) brings it back");
  }

  private addKeys() {
    this.listenToKeys([
      { key: " ", shown: "space", does: "start or pause the analysis", act: () => this.analysis.toggle() },
      { key: "Enter", shown: "Enter", does: "the engine moves", act: () => this.seats.move(true) },
      { key: "Escape", shown: "Esc", does: "end the search; choose a move anew", act: () => {
        if (!this.panel.cancel() && !this.seats.hurry()) this.analysis.toggle(false);
      } },
      { key: "s", shown: "s", does: "search one simulation more", act: () => void this.browser.step(1) },
      { key: "n", shown: "n", does: "new game", act: () => {
        this.choice.begin();
        this.messages.tell("new game: undo (Ctrl-Z) brings the last one back");
      } },
      { key: "Delete", shown: "Delete", does: "remove the last move and what follows", act: () => this.remove() },
      { key: "z", isCtrl: true, shown: "Ctrl-Z, Ctrl-Y", does: "take back a removal or a new game, do so again",
        act: () => this.undo() },
      { key: "y", isCtrl: true, act: () => this.redo() },
      { key: "Z", isCtrl: true, act: () => this.redo() },
    ]);
  }

  private connect() {
    this.connection.opened = () => void this.begin().catch((error: CommandError) => {
      if (error.code !== "needs-right" || this.isBegun) return this.fail(error);
      return showTables(this.connection, this.stage.parentElement!).catch(this.fail);
    });
    this.connection.lost = (reason, seconds) => this.lost(reason, seconds);
    this.connection.connect();
    window.addEventListener("hashchange", () => {
      if (watchedTable()) location.reload();
      else void this.openAddress();
    });
  }

  /** Opens the game of the address at first, and goes on with the game shown after a loss of the connection. */
  private async begin() {
    this.found();
    await this.sharing.restore();
    if (this.isBegun) return this.game.restore();
    this.analysis.restore();
    this.choice.offer(JSON.parse(await this.connection.command("games json")).games);
    await this.openAddress();
    this.clocks.show(this.seats.settings);
    this.isBegun = true;
  }

  private async openAddress() {
    try {
      const options = optionsInAddress();
      if (!await this.kept.open(location.hash)) await openAddress(this.game);
      await this.searchers.prepare(options);
    } catch (error) {
      if (!this.connection.isOpen) throw error;
      if (this.isBegun) saveAddress(this.game, false);
      else await this.game.open(new GameTree("connect4"));
      this.messages.tell(`The address holds no game that can be played: ${(error as Error).message}`);
    }
  }
}
