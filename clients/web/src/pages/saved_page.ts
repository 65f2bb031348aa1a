// A game in a file: it shows itself, without a server.

import { SavedGame, treeIn } from "../game/saved_game";
import { SilentAnalysis, Stage } from "./stage";

export function showSavedGame(saved: SavedGame) {
  document.body.classList.add("saved");
  const stage = new Stage(undefined, true);
  new SilentAnalysis(stage);
  stage.listenToKeys([]);
  const { tree, node } = treeIn(saved, false);
  stage.game.open(tree, node, saved.geometry).catch(stage.fail);
}
