// Steps through the games of the report. Reads from #game-data, for each match: `game`, `players`,
// `colours`, how its board is drawn (`lattice`, `board`, `start`: rows from the top, `pieces`: each
// letter's colour and shape), and `games`. Of a game: its `number`, `seats` (a player for each
// colour), `how` the first player fared, `result`, `reason`, plies of the `opening`, and for each
// ply the colour (`movers`), `moves`, `changes` ("d4Xd5X": points and what is on them then) and
// `values` in thousandths for its mover ("-": not told).
// Addresses: #game-1-17 (match and game), #game-1-17-ply-20, #games-1, #games-1-won.

function make(parent, name, style, words) {
  const made = document.createElement(name);
  if (style) made.className = style;
  if (words !== undefined) made.textContent = words;
  parent.append(made);
  return made;
}

class Viewer {
  constructor(host, matches) {
    this.matches = matches;
    this.match = -1;
    this.how = "";
    host.className = "viewer";
    host.replaceChildren();
    this.makeList(make(host, "div", "list"));
    this.stage = make(host, "div", "stage");
    this.stage.tabIndex = 0;
    this.head = make(this.stage, "p", "players");
    this.boardHost = make(this.stage, "div", "board-host");
    this.makeControls(make(this.stage, "div", "controls"));
    this.chart = new ValueChart(this.stage, (ply) => this.go(ply));
    this.moves = make(host, "ol", "moves");
    this.moves.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) this.go(Number(button.dataset.ply));
    });
    this.stage.addEventListener("keydown", (event) => this.key(event));
    this.moves.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.follow());
  }

  makeList(list) {
    this.choice = make(list, "select");
    this.choice.setAttribute("aria-label", "match");
    this.matches.forEach(({ game, players, games }, i) => {
      if (games.length === 0) return;
      make(this.choice, "option", "", `${game}: ${players.join(" - ")}`).value = i;
    });
    this.choice.addEventListener("change", () => this.list(Number(this.choice.value), ""));
    this.filter = make(list, "div", "filter");
    for (const how of ["", "won", "drawn", "lost"]) {
      make(this.filter, "button", "", how || "all").dataset.how = how;
    }
    this.filter.addEventListener("click", ({ target }) => {
      if (target.dataset.how !== undefined) this.list(this.match, target.dataset.how);
    });
    this.about = make(list, "p", "note");
    this.links = make(list, "ol", "games");
  }

  makeControls(controls) {
    const button = (words, title, ply) => {
      const made = make(controls, "button", "", words);
      made.title = title;
      made.setAttribute("aria-label", title);
      made.addEventListener("click", () => this.go(ply()));
    };
    button("\u00ab", "first (Home)", () => 0);
    button("\u2039", "back (left arrow)", () => this.ply - 1);
    button("\u203a", "forward (right arrow)", () => this.ply + 1);
    button("\u00bb", "last (End)", () => this.plies.length);
    this.slider = make(controls, "input");
    this.slider.type = "range";
    this.slider.min = 0;
    this.slider.setAttribute("aria-label", "ply");
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.place = make(controls, "output");
  }

  key(event) {
    const [back, forward] = [this.ply - 1, this.ply + 1];
    const to = { ArrowLeft: back, ArrowRight: forward, Home: 0, End: this.plies.length };
    if (event.target === this.slider || !(event.key in to) || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    this.go(to[event.key]);
  }

  /** Lists the games of a match, all or those that its first player has won, drawn or lost. */
  list(match, how) {
    this.match = match;
    this.how = how;
    this.choice.value = match;
    for (const button of this.filter.children) {
      button.setAttribute("aria-pressed", button.dataset.how === how);
    }
    const { games, players } = this.matches[match];
    const listed = games.filter((game) => how === "" || game.how === how);
    this.about.textContent = how === ""
      ? `${games.length} games` : `${listed.length} games that ${players[0]} has ${how}`;
    this.links.replaceChildren();
    for (const game of listed) {
      const link = make(make(this.links, "li"), "a", game.how);
      link.href = `#game-${match + 1}-${game.number}`;
      make(link, "b", "", game.number);
      make(link, "span", "", [...game.seats].map((seat) => players[Number(seat)]).join(" - "));
      make(link, "i", "", game.result);
    }
    this.markLink();
  }

  markLink() {
    for (const link of this.links.querySelectorAll("a")) {
      const isOpen = this.game && link.hash === `#game-${this.opened + 1}-${this.game.number}`;
      link.toggleAttribute("aria-current", Boolean(isOpen));
      if (isOpen) {
        this.links.scrollTop = Math.max(0, link.offsetTop - this.links.offsetTop - 60);
      }
    }
  }

  open(number, game, ply) {
    const match = this.matches[number];
    if (number !== this.opened) {
      this.boardHost.replaceChildren();
      this.board = new BoardPicture(this.boardHost, match);
    }
    this.opened = number;
    this.game = game;
    this.plies = game.moves === "" ? [] : game.moves.split(" ");
    const changes = game.changes.split(" ");
    const start = new Map(this.board.points.map((point) => [point.name, point.letter]));
    this.boards = [start];
    this.plies.forEach((_, i) => {
      const next = new Map(this.boards[i]);
      for (const [, point, letter] of changes[i].matchAll(/([a-z]\d+)([^a-z\d])/g)) {
        next.set(point, letter);
      }
      this.boards.push(next);
    });
    this.head.replaceChildren();
    match.colours.forEach((colour, i) => {
      make(this.head, "span", `seat ${colour}`);
      make(this.head, "b", "", match.players[Number(game.seats[i])]);
    });
    const reason = game.reason === "rules" ? "" : `, ${game.reason}`;
    make(this.head, "span", "result",
      `${match.game}, game ${game.number}: ${game.result}${reason}`);
    this.slider.max = this.plies.length;
    this.moves.replaceChildren();
    this.plies.forEach((move, i) => {
      const button = make(make(this.moves, "li"), "button", i < game.opening ? "opening" : "");
      make(button, "span", `seat ${match.colours[Number(game.movers[i])]}`);
      button.append(move);
      button.dataset.ply = i + 1;
    });
    this.chart.open(match, game, this.plies.length);
    this.markLink();
    this.show(ply ?? this.plies.length);
  }

  /** Shows a ply, and has the page's address say so. */
  go(ply) {
    this.show(ply);
    const address = `#game-${this.opened + 1}-${this.game.number}-ply-${this.ply}`;
    try {
      history.replaceState(null, "", address);
    } catch {
      // A browser may forbid it to pages from files.
    }
  }

  show(ply) {
    this.ply = Math.max(0, Math.min(ply, this.plies.length));
    const { colours } = this.matches[this.opened];
    const mover = colours[Number(this.game.movers[this.ply - 1])];
    const words = this.ply === 0 ? "start" : `${mover} ${this.plies[this.ply - 1]}`;
    this.place.textContent = `${this.ply} / ${this.plies.length}  ${words}`;
    this.board.show(this.boards[this.ply], this.boards[Math.max(this.ply - 1, 0)],
      `Board after ply ${this.ply}: ${words}`);
    this.slider.value = this.ply;
    this.chart.show(this.ply);
    const here = this.moves.children[this.ply - 1];
    for (const item of this.moves.children) {
      item.firstChild.toggleAttribute("aria-current", item === here);
    }
    const top = here ? here.offsetTop - this.moves.offsetTop - this.moves.clientHeight / 2 : 0;
    this.moves.scrollTop = top;
  }

  /** Does what the page's address says; true if it is about games. */
  follow() {
    const games = location.hash.match(/^#games-(\d+)(?:-(won|drawn|lost))?$/);
    const one = location.hash.match(/^#game-(\d+)-(\d+)(?:-ply-(\d+))?$/);
    const number = Number((games ?? one ?? [0, 0])[1]) - 1;
    const match = this.matches[number];
    if (!match || match.games.length === 0) return false;
    const how = games ? games[2] ?? "" : number === this.match ? this.how : "";
    const game = one
      ? match.games.find((each) => each.number === Number(one[2]))
      : match.games.find((each) => how === "" || each.how === how);
    if (!game) return false;
    if (number !== this.match || how !== this.how) this.list(number, how);
    this.open(number, game, one && one[3] ? Number(one[3]) : undefined);
    document.getElementById("games").scrollIntoView();
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

new Viewer(document.getElementById("viewer"),
  JSON.parse(document.getElementById("game-data").textContent)).begin();
