// The picture of a board. It knows where points lie and what pieces look like (the server's `geometry`), and no rules.

import { draw, svgNamespace } from "../markup";
import type { Geometry, Site } from "../server/protocol";

/** Shapes of pieces round the middle of a point; a point is one unit wide. */
const shapes: Record<string, string> = {
  pawn: "M-.11-.06A.17 .17 0 1 1 .11-.06L.2.24 .28.36H-.28L-.2.24Z",
  knight: "M-.22.36H.28C.32.02.22-.3-.03-.34L-.1-.43-.15-.31C-.24-.22-.33-.06-.35.06" +
    "-.33.15-.24.16-.18.09-.1.02-.02.03.05-.04.02.13-.2.14-.22.36Z",
  queen: "M-.28.34-.4-.2-.19.04-.13-.34 0-.02 .13-.34 .19.04 .4-.2 .28.34Z",
  town: "M-.38.38V-.36H-.2V-.2H-.09V-.36H.09V-.2H.2V-.36H.38V.38H.1V.1H-.1V.38Z",
};

/** What a picture needs of the page's styles. */
const drawnBy = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap", "stroke-linejoin", "opacity",
  "font-family", "font-size", "font-weight"];

/** A move on the board: its points, how strong its mark is (0 to 1), the style that says what it is, and its words. */
export interface Mark {
  points: string[];
  strength: number;
  style: string;
  words: string[];
}

export class Board {
  readonly svg: SVGElement;
  private readonly byName = new Map<string, Site>();
  private readonly heat: SVGElement;
  private readonly changes: SVGElement;
  private readonly pieces: SVGElement;
  private readonly decisive: SVGElement;
  private readonly marks: SVGElement;
  private readonly target: SVGElement;
  private letters = "";
  /** The pieces of the position shown, by their points. */
  private readonly placed = new Map<string, SVGElement>();

  constructor(host: Element, readonly geometry: Geometry, private readonly isTurned = false) {
    for (const site of geometry.sites) this.byName.set(site.name, site);
    this.svg = draw(host, "svg", { class: "board", role: "group", "aria-label": "Board" });
    const [left, top, width, height] = geometry.bounds;
    this.svg.setAttribute("viewBox", isTurned
      ? [-left - width, -top - height, width, height].join(" ") : geometry.bounds.join(" "));
    const ground = draw(this.svg, "g", {});
    this.drawGround(ground);
    for (const { text, x, y } of geometry.labels) {
      this.text(ground, this.at({ x, y }), text, "name", 0.11);
    }
    [this.heat, this.changes, this.pieces, this.decisive, this.marks, this.target] =
      ["heat", "changes", "pieces", "decisive", "marks", "target"].map((name) => draw(this.svg, "g", { class: name }));
  }

  /** The middle of a place in the picture. */
  at({ x, y }: { x: number; y: number }): [number, number] {
    return this.isTurned ? [-x, -y] : [x, y];
  }

  private text(parent: Element, [x, y]: [number, number], words: string, style: string, down: number) {
    return draw(parent, "text", { x, y: y + down, "text-anchor": "middle", class: style }, words);
  }

  /** The outline of a point. */
  cell(parent: Element, site: Site, attributes: Record<string, string | number>) {
    const { style } = this.geometry;
    const [cx, cy] = this.at(site);
    const r = { holes: 0.44, lines: 0.48, alquerque: 0.48 }[style];
    if (r) return draw(parent, "circle", { cx, cy, r, ...attributes });
    const points = site.polygon.map(([x, y]) => this.at({ x, y }).join()).join(" ");
    return draw(parent, "polygon", { points, ...attributes });
  }

  private drawGround(ground: Element) {
    const { style, sides, sites } = this.geometry;
    for (const part of ["rim", ""]) {
      for (const { colour, line } of sides) {
        const points = line.map(([x, y]) => this.at({ x, y }).join()).join(" ");
        draw(ground, "polyline", { points, class: `side ${part || colour}` });
      }
    }
    if (style !== "lines" && style !== "alquerque") {
      for (const site of sites) this.cell(ground, site, { class: site.dark ? "dark cell" : "cell" });
      return;
    }
    // A wooden board with lines between neighbours.
    const places = sites.map((site) => this.at(site));
    const [left, top] = [0, 1].map((axis) => Math.min(...places.map((place) => place[axis])) - 0.6);
    const [right, bottom] = [0, 1].map((axis) => Math.max(...places.map((place) => place[axis])) + 0.6);
    draw(ground, "rect",
      { x: left, y: top, width: right - left, height: bottom - top, rx: 0.12, class: "cell" });
    for (const site of sites) {
      for (const name of site.neighbours.filter((name) => name > site.name)) {
        const [[x1, y1], [x2, y2]] = [this.at(site), this.at(this.byName.get(name)!)];
        draw(ground, "line", { x1, y1, x2, y2, class: "line" });
      }
    }
  }

  private pieceOf(letter: string) {
    return this.geometry.pieces.find((each) => each.letter === letter);
  }

  /** What stands on a point, in words. */
  wordsFor(point: string): string {
    const piece = this.pieceOf(this.letterAt(point));
    return piece ? `${piece.colour ?? ""} ${piece.shape}`.trim() : "empty";
  }

  private piece(parent: Element, site: Site, letter: string): SVGElement | undefined {
    const piece = this.pieceOf(letter);
    if (!piece) return undefined;
    const [x, y] = this.at(site);
    const group = draw(parent, "g",
      { transform: `translate(${x} ${y})`, class: `piece ${piece.colour ?? ""} ${piece.shape}` });
    if (piece.shape === "arrow") {
      draw(group, "rect", { x: -0.5, y: -0.5, width: 1, height: 1 });
      draw(group, "path", { d: "M-.22-.22.22.22M.22-.22-.22.22" });
    } else if (piece.shape === "disc") {
      draw(group, "circle", { r: this.geometry.style === "holes" ? 0.38 : 0.41 });
    } else {
      draw(group, "path", { d: shapes[piece.shape] });
    }
    return group;
  }

  /** Shows a position; what differs from the position a ply `before` is marked. Positions are rows, as `position`
   * takes them. */
  show(position: string, before = position) {
    const [letters, old] = [position, before].map((each) => each.split(" ")[0].replace(/[/?]/g, ""));
    this.letters = letters;
    this.placed.clear();
    this.pieces.replaceChildren();
    this.changes.replaceChildren();
    this.decisive.replaceChildren();
    this.geometry.sites.forEach((site, i) => {
      if (letters[i] !== old[i]) this.cell(this.changes, site, { class: "changed" });
      const piece = this.piece(this.pieces, site, letters[i]);
      if (piece) this.placed.set(site.name, piece);
      if (old[i] === "." && this.pieceOf(letters[i])?.shape === "disc") {
        const [cx, cy] = this.at(site);
        draw(this.pieces, "circle", { cx, cy, r: 0.1, class: "new" });
      }
    });
  }

  /** Has the piece on a point move with a pointer, which is at these coordinates of the window; without, it goes back. */
  carry(point: string, x?: number, y?: number) {
    const piece = this.placed.get(point);
    if (!piece) return;
    const toBoard = (this.svg as SVGSVGElement).getScreenCTM()!.inverse();
    const to = x === undefined ? undefined : new DOMPoint(x, y).matrixTransform(toBoard);
    const [left, top] = to ? [to.x, to.y] : this.at(this.byName.get(point)!);
    piece.setAttribute("transform", `translate(${left} ${top})`);
    if (to) this.pieces.append(piece);  // over the others
  }

  /** Where a finger aims: a pale piece of a colour, and lines that show its row and column beside the finger. */
  showTarget(point?: string, colour?: string | null) {
    this.target.replaceChildren();
    const site = this.byName.get(point ?? "");
    if (!site) return;
    const [cx, cy] = this.at(site);
    const { x, y, width, height } = (this.svg as SVGSVGElement).viewBox.baseVal;
    draw(this.target, "line", { x1: x, x2: x + width, y1: cy, y2: cy });
    draw(this.target, "line", { x1: cx, x2: cx, y1: y, y2: y + height });
    this.piece(this.target, site, this.geometry.pieces.find((piece) => piece.colour === colour)?.letter ?? ".");
    draw(this.target, "circle", { cx, cy, r: 0.8 });
  }

  /** The line or chain that has decided the game, over the pieces of the position shown. */
  showDecisive(points: string[]) {
    for (const name of points) this.cell(this.decisive, this.byName.get(name)!, {});
  }

  /** A map of numbers from 0 to 1 under the pieces. */
  showHeat(numbers: Map<string, number>) {
    this.heat.replaceChildren();
    for (const [name, number] of numbers) {
      const site = this.byName.get(name);
      if (site) this.cell(this.heat, site, { class: "warm", "fill-opacity": (0.85 * number).toFixed(3) });
    }
  }

  /** Moves over the pieces: a disc at a point, an arrow from point to point. */
  showMarks(marks: Mark[]) {
    this.marks.replaceChildren();
    const placed = marks.map((mark) => ({ ...mark, ends: mark.points.flatMap((point) => {
      const site = this.byName.get(point);
      return site ? [this.at(site)] : [];
    }) })).filter(({ ends }) => ends.length > 0);
    // The arrows first: discs lie over them, so that their words can be read.
    for (const { ends, strength, style } of placed) {
      // What follows the move itself, such as amazons' shots, is thin.
      for (let i = 1; i < ends.length; ++i) this.arrow(ends[i - 1], ends[i], i === 1 ? strength : 0, style);
    }
    const taken = new Set<string>();
    for (const { ends, strength, style, words } of placed) {
      const [cx, cy] = ends[Math.min(1, ends.length - 1)];
      if (taken.has(`${cx} ${cy}`)) continue;  // by a move with more visits
      taken.add(`${cx} ${cy}`);
      const r = (words.length > 1 ? 0.32 : 0.22) + 0.14 * Math.sqrt(strength);  // with room for its words
      const mark = draw(this.marks, "g", { class: `mark ${style}` });
      draw(mark, "circle", { cx, cy, r, class: "candidate" });
      draw(mark, "rect", { x: cx - 0.9 * r, y: cy - 0.9 * r, width: 1.8 * r, height: 1.8 * r, rx: 0.06, class: "candidate" });
      words.forEach((each, i) => this.text(mark, [cx, cy], each, i === 0 ? "value" : "visits",
        words.length === 1 ? 0.1 : i === 0 ? 0 : 0.25));
    }
  }

  private arrow([x1, y1]: [number, number], [x2, y2]: [number, number], strength: number, style: string) {
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
    const width = 0.04 + 0.1 * Math.sqrt(strength);
    const group = draw(this.marks, "g", { class: `mark ${style}` });
    draw(group, "line",
      { x1, y1, x2: x2 - 0.25 * ux, y2: y2 - 0.25 * uy, class: "way", "stroke-width": width.toFixed(3) });
    const [px, py] = [-uy * 1.6 * width, ux * 1.6 * width];
    const [bx, by] = [x2 - (0.2 + 2.4 * width) * ux, y2 - (0.2 + 2.4 * width) * uy];
    draw(group, "polygon", { class: "head",
      points: [[x2 - 0.1 * ux, y2 - 0.1 * uy], [bx + px, by + py], [bx - px, by - py]].join(" ") });
  }

  /** The board with all that is on it as an SVG file, in the colours that it has now. */
  get picture(): string {
    const copy = this.svg.cloneNode(true) as SVGElement;
    const copies = copy.querySelectorAll("*");
    this.svg.querySelectorAll("*").forEach((each, i) => {
      const style = getComputedStyle(each);
      if (each.closest(".sites") || style.display === "none") copies[i].setAttribute("display", "none");
      else for (const name of drawnBy) copies[i].setAttribute(name, style.getPropertyValue(name));
    });
    for (const each of copy.querySelectorAll("[display=none]")) each.remove();
    copy.setAttribute("xmlns", svgNamespace);
    return new XMLSerializer().serializeToString(copy);
  }

  /** What stands on a point, as `position` writes it. */
  letterAt(point: string): string {
    return this.letters[this.geometry.sites.findIndex(({ name }) => name === point)] ?? ".";
  }
}
