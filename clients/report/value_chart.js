// What the sides saw: a line for each, over the plies of a game, with a cursor at one of them.

/** The lines of a game: for two colours what each player gave black, else what each colour saw. */
function linesOf(match, game) {
  const values = game.values === "" ? [] : game.values.split(" ");
  const isForTwo = match.colours.length === 2;
  const lines = isForTwo
    ? match.players.map((name, i) => ({ name, style: i === 0 ? "first" : "second", points: [] }))
    : match.colours.map((name) => ({ name, style: `by ${name}`, points: [] }));
  values.forEach((value, i) => {
    if (value === "-") return;
    const colour = Number(game.movers[i]);
    const own = Number(value) / 1000;
    const line = isForTwo ? Number(game.seats[colour]) : colour;
    lines[line].points.push([i + 1, isForTwo && colour === 1 ? 1 - own : own]);
  });
  return lines.filter((line) => line.points.length > 0);
}

class ValueChart {
  /** `pick` is called with the ply that is clicked. */
  constructor(host, pick) {
    this.caption = make(host, "p", "note");
    this.svg = draw(host, "svg", { viewBox: "0 0 640 130", class: "values" });
    const choose = (event) => {
      if (event.buttons !== 1 && event.type !== "click") return;
      const box = this.svg.getBoundingClientRect();
      const across = ((event.clientX - box.left) / box.width) * 640;
      pick(Math.round(((across - 34) / 598) * this.plies));
    };
    this.svg.addEventListener("click", choose);
    this.svg.addEventListener("pointermove", choose);
  }

  across(ply) {
    return (34 + (598 * ply) / this.plies).toFixed(1);
  }
  down(value) {
    return (8 + 104 * (1 - value)).toFixed(1);
  }

  open(match, game, plies) {
    this.plies = Math.max(plies, 1);
    this.svg.replaceChildren();
    const lines = linesOf(match, game);
    this.svg.hidden = lines.length === 0;
    this.svg.style.display = lines.length === 0 ? "none" : "";
    this.caption.replaceChildren();
    if (lines.length === 0) {
      this.caption.textContent = "No engine told what its moves were worth.";
      return;
    }
    this.caption.append(match.colours.length === 2
      ? `Value for ${match.colours[0]} in %, as seen by `
      : "Each colour's value for itself in %: ");
    for (const { name, style } of lines) make(this.caption, "span", `key ${style}`, name);
    for (const value of [0, 0.5, 1]) {
      const at = { x1: 34, x2: 632, y1: this.down(value), y2: this.down(value) };
      draw(this.svg, "line", { ...at, class: value === 0.5 ? "even" : "grid" });
      draw(this.svg, "text", { x: 28, y: Number(this.down(value)) + 4, "text-anchor": "end" },
        100 * value);
    }
    this.cursor = draw(this.svg, "line", { y1: 4, y2: 116, class: "cursor" });
    for (const { points, style } of lines) {
      const path = points.map(([ply, value]) => `${this.across(ply)},${this.down(value)}`);
      draw(this.svg, "polyline", { points: path.join(" "), class: style });
      if (points.length === 1) {
        draw(this.svg, "circle", { cx: this.across(points[0][0]), cy: this.down(points[0][1]),
          r: 2.5, class: style });
      }
    }
    draw(this.svg, "text", { x: 34, y: 128, "text-anchor": "middle" }, 0);
    draw(this.svg, "text", { x: 632, y: 128, "text-anchor": "end" }, `${plies} plies`);
  }

  show(ply) {
    if (this.svg.hidden || !this.cursor) return;
    this.cursor.setAttribute("x1", this.across(ply));
    this.cursor.setAttribute("x2", this.across(ply));
  }
}

