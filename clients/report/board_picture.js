// The picture of a board. It knows where points lie and what pieces look like, and no rules.

const columns = "abcdefghjklmnopqrstuvwxyz";
const namespace = document.querySelector("#viewer svg").namespaceURI;

/** An element of a picture inside `parent`. */
function draw(parent, name, attributes, words) {
  const made = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (words !== undefined) made.textContent = words;
  parent.append(made);
  return made;
}

/** The points of a match's board, row by row from the top, each with its letter at the start. */
function pointsOf(match) {
  const rows = match.start.split("/");
  const lean = { square: 0, hexagonal: -0.5, "hexagonal-falling": 0.5 }[match.lattice];
  const step = lean === 0 ? 1 : Math.sqrt(0.75);
  const points = [];
  rows.forEach((row, fromTop) => {
    const y = rows.length - 1 - fromTop;
    [...row].forEach((letter, x) => {
      if (letter === "?") return;
      points.push({ name: columns[x] + (y + 1), x, y, at: [x + lean * y, -step * y], letter });
    });
  });
  return points;
}

/** Shapes of pieces round the middle of a point; a point is one unit wide. */
const shapes = {
  pawn: "M-.11-.06A.17 .17 0 1 1 .11-.06L.2.24 .28.36H-.28L-.2.24Z",
  knight: "M-.22.36H.28C.32.02.22-.3-.03-.34L-.1-.43-.15-.31C-.24-.22-.33-.06-.35.06" +
    "-.33.15-.24.16-.18.09-.1.02-.02.03.05-.04.02.13-.2.14-.22.36Z",
  queen: "M-.28.34-.4-.2-.19.04-.13-.34 0-.02 .13-.34 .19.04 .4-.2 .28.34Z",
  town: "M-.38.38V-.36H-.2V-.2H-.09V-.36H.09V-.2H.2V-.36H.38V.38H.1V.1H-.1V.38Z",
};

class BoardPicture {
  constructor(host, match) {
    this.match = match;
    this.points = pointsOf(match);
    this.byName = new Map(this.points.map((point) => [point.name, point]));
    this.svg = draw(host, "svg", { class: "board", role: "img" });
    this.ground = draw(this.svg, "g", { class: "ground" });
    this.marks = draw(this.svg, "g", {});
    this.pieces = draw(this.svg, "g", {});
    this.isHexagonal = match.lattice !== "square";
    this.drawGround();
    this.drawNames();
    const at = [0, 1].map((axis) => this.points.map((point) => point.at[axis]));
    const [left, top] = at.map((places) => Math.min(...places) - 1.15);
    const [right, bottom] = at.map((places) => Math.max(...places));
    this.svg.setAttribute("viewBox", [left, top + 0.4, right - left + 0.75, bottom - top + 0.75]
      .map((number) => number.toFixed(3)).join(" "));
  }

  /** The outline of a point's cell, or of part of it, as corners. */
  corners({ at: [x, y] }, from = 0, to = 6) {
    const out = [];
    for (let i = from; i <= to; ++i) {
      const angle = (i * Math.PI) / 3 + Math.PI / 6;
      out.push(`${(x + Math.cos(angle) / Math.sqrt(3)).toFixed(3)},` +
        (y + Math.sin(angle) / Math.sqrt(3)).toFixed(3));
    }
    return out.join(" ");
  }

  cell(parent, point, style) {
    const [x, y] = point.at;
    if (this.match.board === "holes") {
      draw(parent, "circle", { cx: x, cy: y, r: 0.44, class: style });
    } else if (this.isHexagonal) {
      draw(parent, "polygon", { points: this.corners(point, 0, 5), class: style });
    } else if (this.match.board === "lines" || this.match.board === "alquerque") {
      draw(parent, "circle", { cx: x, cy: y, r: 0.48, class: style });
    } else {
      draw(parent, "rect", { x: x - 0.5, y: y - 0.5, width: 1, height: 1, class: style });
    }
  }

  drawGround() {
    const { board } = this.match;
    if (board === "sides") this.drawSides();
    if (board === "lines" || board === "alquerque") {
      this.drawLines(board === "alquerque");
      return;
    }
    for (const point of this.points) {
      const isDark = board === "chequered" && (point.x + point.y) % 2 === 0;
      this.cell(this.ground, point, isDark ? "dark cell" : "cell");
    }
  }

  /** A wooden board with its lines; on an alquerque board diagonals leave every other point. */
  drawLines(hasDiagonals) {
    const xs = this.points.map((point) => point.at[0]);
    const ys = this.points.map((point) => point.at[1]);
    draw(this.ground, "rect", {
      x: -0.6, y: Math.min(...ys) - 0.6, width: Math.max(...xs) + 1.2,
      height: 1.2 - Math.min(...ys), rx: 0.12, class: "cell",
    });
    const steps = [[1, 0], [0, 1]];
    if (hasDiagonals) steps.push([1, 1], [-1, 1]);
    for (const { x, y, at } of this.points) {
      for (const [dx, dy] of steps) {
        const to = this.byName.get(columns[x + dx] + (y + dy + 1));
        if (!to || (dx !== 0 && dy !== 0 && (x + y) % 2 !== 0)) continue;
        draw(this.ground, "line",
          { x1: at[0], y1: at[1], x2: to.at[0], y2: to.at[1], class: "line" });
      }
    }
  }

  /** Whose sides are whose: the first colour's are the rows at the bottom and the top. */
  drawSides() {
    const most = Math.max(...this.points.map((point) => point.y));
    const sides = [
      [({ y }) => y === 0, 0, 2, 0], [({ y }) => y === most, 3, 5, 0],
      [({ x }) => x === 0, 2, 4, 1], [({ x }) => x === most, 5, 7, 1],
    ];
    for (const style of ["rim", ""]) {
      for (const [isOn, from, to, colour] of sides) {
        for (const point of this.points.filter(isOn)) {
          draw(this.ground, "polyline", {
            points: this.corners(point, from, to),
            class: `side ${style || this.match.colours[colour]}`,
          });
        }
      }
    }
  }

  /** Rows at the left, columns below. */
  drawNames() {
    const lean = { square: 0, hexagonal: 0.45, "hexagonal-falling": -0.45 }[this.match.lattice];
    const first = new Map();
    const lowest = new Map();
    for (const point of this.points) {
      if (!first.has(point.y)) first.set(point.y, point);
      lowest.set(point.x, point);
    }
    const left = Math.min(...this.points.map((point) => point.at[0]));
    const isStar = this.match.board === "holes";  // beside its rows there are names of columns
    for (const [y, { at }] of first) this.name((isStar ? left : at[0]) - 0.85, at[1], y + 1);
    for (const [x, { at }] of lowest) this.name(at[0] + lean, at[1] + 0.88, columns[x]);
  }

  name(x, y, words) {
    draw(this.ground, "text", { x, y: y + 0.11, "text-anchor": "middle", class: "name" }, words);
  }

  piece(point, letter) {
    const [colour, shape] = this.match.pieces[letter];
    const place = { transform: `translate(${point.at[0]} ${point.at[1]})` };
    const group = draw(this.pieces, "g", { ...place, class: `piece ${colour} ${shape}` });
    if (shape === "arrow") {
      draw(group, "rect", { x: -0.5, y: -0.5, width: 1, height: 1 });
      draw(group, "path", { d: "M-.22-.22.22.22M.22-.22-.22.22" });
    } else if (shape === "disc") {
      draw(group, "circle", { r: this.match.board === "holes" ? 0.38 : 0.41 });
    } else {
      draw(group, "path", { d: shapes[shape] });
    }
  }

  /** Shows the letters of points; `before` are those of a ply earlier. */
  show(letters, before, title) {
    this.marks.replaceChildren();
    this.pieces.replaceChildren();
    this.svg.setAttribute("aria-label", title);
    for (const point of this.points) {
      const letter = letters.get(point.name);
      const was = before.get(point.name);
      if (letter !== was) this.cell(this.marks, point, "changed");
      if (letter === ".") continue;
      this.piece(point, letter);
      if (was === "." && this.match.pieces[letter][1] === "disc") {
        draw(this.pieces, "circle", { cx: point.at[0], cy: point.at[1], r: 0.12, class: "new" });
      }
    }
  }
}

