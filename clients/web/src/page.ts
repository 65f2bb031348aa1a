// What the page is: opened from a file with a game in it, that game; at an address that names a table, a look at that
// table, or a seat there; else a board to play and search on.

import { ownSeat, watchedTable } from "./game/address";
import { gameInThisPage } from "./game/saved_game";
import { PlayingPage } from "./pages/playing_page";
import { showSavedGame } from "./pages/saved_page";
import { watchTable } from "./pages/watching_page";

const saved = gameInThisPage();
const table = watchedTable();
if (saved) showSavedGame(saved);
else if (table) watchTable(table, ownSeat());
else new PlayingPage();
