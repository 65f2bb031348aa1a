// A picture of a search's tree, live, in its most visited moves: a move is as wide as its share of the visits, and what may
// follow it lies below.

import { short } from "../chart";
import type { Game } from "../game/game";
import { draw, drawer, make, onceAFrame } from "../markup";
import type { MoveReport, Report, TreeMove } from "../server/protocol";
import type { Analysis } from "./analysis";
import { lossOf } from "./overlay";
import type { Searchers } from "./searchers";

/** Rows of the picture, and pixels of a row and of a letter. */
const deepest = 10, rowHeight = 32, letter = 7.2;

interface Branch {
  path: string[];
  visits: number;
  /** What the search tells of the move, if that is known. */
  report?: MoveReport;
  /** The style of what it gives away of the best one's value. */
  loss: string;
  children: Branch[];
}

/** The tree of moves that stand behind those that lead to them, the most visited first. */
function treeOf(moves: TreeMove[]): Branch[] {
  const roots: Branch[] = [];
  const byPath = new Map([["", roots]]);
  for (const report of moves) {
    const siblings = byPath.get(report.path.join(" "));
    if (!siblings) continue;
    const path = [...report.path, report.move];
    const loss = lossOf(report, siblings[0]?.report ?? report);
    const branch: Branch = { path, visits: report.visits, report, loss, children: [] };
    siblings.push(branch);
    byPath.set(path.join(" "), branch.children);
  }
  return roots;
}

/** What a search by several threads tells while it runs: below each move its principal variation. */
function variationsOf(report: Report): Branch[] {
  const tried = report.moves.filter(({ visits }) => visits > 0);
  const roots = treeOf(tried.map((move) => ({ ...move, path: [] })));
  for (const root of roots) {
    let above = root;
    const { pv = [], pv_visits = [] } = root.report!;
    for (let i = 1; i < pv.length && pv_visits[i] > 0; ++i) {
      const below: Branch = { path: [...above.path, pv[i]], visits: pv_visits[i], loss: "", children: [] };
      above.children = [below];
      above = below;
    }
  }
  return roots;
}

/** The terms that the search knows of a move, for people. */
function termsOf({ prior, novelty, b, exploration, bound }: MoveReport): string[] {
  const terms: [string, number | null][] = [["prior", prior], ["novelty", novelty], ["b", b], ["U", exploration], ["bound", bound]];
  return terms.flatMap(([name, value]) => (value ? [`${name} ${value.toFixed(3)}`] : []));
}

export class TreePicture {
  readonly host = drawer(null, "Picture of the tree");
  private readonly svg: SVGElement;
  /** All that is known of the move that is pointed at. */
  private readonly terms = make(null, "p", "facts");
  private roots: Branch[] = [];
  /** Of which the picture is. */
  private shown?: TreeMove[] | Report;
  private readonly redraw = onceAFrame(() => this.draw());

  /** `hover` and `open` get the moves to what is pointed at, and to what is clicked. */
  constructor(private readonly game: Game, private readonly searchers: Searchers, analysis: Analysis,
              private readonly hover: (moves: string[] | null) => void, private readonly open: (moves: string[]) => void) {
    make(this.host, "p", "legend", "A move is as wide as its share of the visits; what follows it lies below. A click looks below it.");
    this.svg = draw(this.host, "svg", { class: "tree-picture", role: "img", "aria-label": "Tree of the search" });
    this.svg.style.height = `${deepest * rowHeight}px`;
    this.host.append(this.terms);
    this.svg.addEventListener("pointerleave", () => this.point(null));
    new ResizeObserver(this.redraw).observe(this.svg);
    for (const signal of [game.changed, searchers.chosen]) signal.listen(() => this.show());
    for (const signal of [game.moved, analysis.switched]) signal.listen(() => void this.read());
    game.changed.listen(() => { if (!searchers.shown.isOn) void this.read(); });
    this.host.addEventListener("toggle", () => void this.read());
  }

  /** Shows what the engine shown has found in the position shown. */
  private show() {
    if (!this.host.open) return;
    const { engine, view: { report } } = this.searchers.shown;
    if (report?.path?.length) return;  // of a position below: the tree is the same
    const tree = engine.treeOf(this.game.tree.lineTo(this.game.node));
    if (this.shown === (tree ?? report)) return;
    this.shown = tree ?? report;
    this.roots = tree ? treeOf(tree) : report ? variationsOf(report) : [];
    this.redraw();
  }

  /** The same of a search that rests: its last report has come before its end. */
  private async read() {
    this.show();
    const { engine, isOn } = this.searchers.shown;
    if (!this.host.open || isOn || this.searchers.thinking) return;
    await engine.readTree(this.game.tree.lineTo(this.game.node)).catch(() => {});  // the tree is gone: what was told stays
    this.show();
  }

  private draw() {
    this.svg.replaceChildren();
    const { width } = this.svg.getBoundingClientRect();
    this.svg.setAttribute("viewBox", `0 0 ${Math.max(1, width)} ${deepest * rowHeight}`);
    this.place(this.roots, 0, width, this.roots.reduce((sum, { visits }) => sum + visits, 0));
  }

  /** Draws moves side by side, from `x` on, in a part of `width` for `visits`. */
  private place(branches: Branch[], x: number, width: number, visits: number) {
    for (const branch of branches.filter(({ path }) => path.length <= deepest)) {
      const own = (width * branch.visits) / visits;
      this.branch(branch, x, own);
      this.place(branch.children, x, own, branch.visits);
      x += own;
    }
  }

  private branch({ path, visits, report, loss }: Branch, x: number, width: number) {
    const y = (path.length - 1) * rowHeight;
    const group = draw(this.svg, "g", { class: `branch ${loss}` });
    draw(group, "rect", { x, y, width: Math.max(0.5, width - 1), height: rowHeight - 1, rx: 2 });
    const value = report ? [`value ${(100 * report.value).toFixed(1)} %`] : [];
    const terms = report ? termsOf(report) : [];
    const large = terms.filter((term) => !term.endsWith(" 0.000"));
    const words = [path.join(" "), `${short(visits)} visits`, ...value, ...terms].join(", ");
    draw(group, "title", {}, words);
    // As much as there is room for.
    const write = (down: number, style: string, ...texts: string[]) => {
      const fitting = texts.find(({ length }) => length * letter + 8 < width);
      if (fitting) draw(group, "text", { x: x + 4, y: y + down, class: style }, fitting);
    };
    const name = path.at(-1)!;
    write(13, "", ...report ? [`${name} ${Math.round(100 * report.value)} %`, `${name} ${Math.round(100 * report.value)}`] : [], name);
    write(27, "terms", [short(visits), ...large].join(" · "), [short(visits), ...large.slice(0, 2)].join(" · "), short(visits));
    group.addEventListener("pointerenter", () => this.point(path, words));
    group.addEventListener("click", () => this.open(path));
  }

  private point(path: string[] | null, words = "") {
    this.terms.textContent = words;
    this.hover(path);
  }
}
