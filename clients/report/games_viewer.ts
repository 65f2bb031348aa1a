// The board of the report, whose page has the games.

import { Viewer } from "./viewer";

new Viewer(document.getElementById("viewer")!, JSON.parse(document.getElementById("game-data")!.textContent!)).begin();
