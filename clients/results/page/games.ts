// The board of a document in a file, which has the games.

import { GamesPanel } from "./games_panel";

new GamesPanel(document.querySelector(".viewer")!, JSON.parse(document.getElementById("game-data")!.textContent!));
