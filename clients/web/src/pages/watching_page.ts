// A table that others play or search at: this page goes wherever they go, and changes nothing there.

import { GameTree, Node } from "../game/game_tree";
import { make } from "../markup";
import { Connection } from "../server/connection";
import type { Geometry, State } from "../server/protocol";
import { Spectator } from "../server/spectator";
import { Table } from "../server/table";
import { SilentAnalysis, Stage } from "./stage";

export function watchTable(name: string) {
  document.body.classList.add("watching");
  const connection = new Connection();
  const stage = new Stage(new Table(connection), true);
  const { game } = stage;
  const analysis = new SilentAnalysis(stage);
  make(stage.head, "p", "", `watching ${name}`);
  stage.listenToKeys([]);
  let watched: Node | undefined;  // where the table is; people may look back
  const show = async (state: State, geometry: Geometry) => {
    const { tree } = game;
    const moves = state.moves.map(({ move }) => move);
    const isSame = game.geometry && tree.rules === state.rules && tree.start === state.start;
    stage.messages.clearAlarm();
    const shown = isSame ? tree : new GameTree(state.rules, state.start);
    let node = shown.root;
    for (const move of moves) node = node.child(move);
    node.state = state;
    watched = node;
    if (isSame) await game.go(node);
    else await game.open(shown, node, geometry);
  };
  let spectator: Spectator | undefined;
  connection.opened = () => {
    game.arbiter!.forget();
    stage.found();
    spectator ??= new Spectator(name, {
      position: show,
      report: (report) => {
        if (game.node === watched) analysis.tell(report);
        else if (watched) watched.report = report;
      },
      owner: (isThere) => {
        if (isThere) stage.found();
        else stage.fail(new Error("Nobody shows this board any more: the page that did has gone, or has ended it. " +
          "It goes on here if that page comes back."));
      },
      failed: stage.fail,
    });
  };
  connection.lost = (reason, seconds) => stage.lost(reason, seconds);
  connection.connect();
  window.addEventListener("hashchange", () => location.reload());
}
