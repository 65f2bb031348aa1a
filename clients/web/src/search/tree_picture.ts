// A picture of a search's tree: a move is as wide as its share of the visits, and what may follow it lies below. While the
// search runs, it has the principal variation of each move; when it rests, the most visited positions of all.

import { short } from "../chart";
import type { Game } from "../game/game";
import { draw, drawer, make, onceAFrame } from "../markup";
import type { MoveReport, Report } from "../server/protocol";
import type { Analysis } from "./analysis";
import { lossOf } from "./overlay";
import type { Searchers } from "./searchers";

/** How many moves the picture has at most, and how many positions it asks for. */
const most = 200, mostAsked = 60;
/** Rows of the picture, and pixels of a row and of a letter. */
const deepest = 10, rowHeight = 24, letter = 7.5;

interface Branch {
  path: string[];
  visits: number;
  /** What the search tells of the move, if that is known. */
  report?: MoveReport;
  /** The style of what it gives away of the best one's value. */
  loss: string;
  children: Branch[];
  isAsked: boolean;
}

/** The moves that a search has tried in a position, the most visited first. */
function branchesOf(report: Report): Branch[] {
  const tried = report.moves.filter(({ visits }) => visits > 0);
  const best = tried.find(({ move }) => move === report.move) ?? tried[0];
  return tried.map((move) => ({ path: [...report.path ?? [], move.move], visits: move.visits, report: move,
    loss: lossOf(move, best), children: [], isAsked: false }));
}

/** What a running search tells: below each move its principal variation. */
function runningTree(report: Report): Branch[] {
  const roots = branchesOf(report);
  for (const root of roots) {
    let above = root;
    const { pv = [], pv_visits = [] } = root.report!;
    for (let i = 1; i < pv.length && pv_visits[i] > 0; ++i) {
      const below: Branch = { path: [...above.path, pv[i]], visits: pv_visits[i], loss: "", children: [], isAsked: false };
      above.children = [below];
      above = below;
    }
  }
  return roots;
}

function all(branches: Branch[]): Branch[] {
  return branches.flatMap((each) => [each, ...all(each.children)]);
}

export class TreePicture {
  readonly host = drawer(null, "Picture of the tree");
  private readonly svg: SVGElement;
  private roots: Branch[] = [];
  private readonly redraw = onceAFrame(() => this.draw());
  /** Grows with each report: what was asked for an older one comes too late. */
  private round = 0;

  /** `hover` and `open` get the moves to what is pointed at, and to what is clicked. */
  constructor(private readonly game: Game, private readonly searchers: Searchers, analysis: Analysis,
              private readonly hover: (moves: string[] | null) => void, private readonly open: (moves: string[]) => void) {
    make(this.host, "p", "legend", "A move is as wide as its share of the visits; what follows it lies below. A click looks below it.");
    this.svg = draw(this.host, "svg", { class: "tree-picture", role: "img", "aria-label": "Tree of the search" });
    this.svg.addEventListener("pointerleave", () => this.hover(null));
    new ResizeObserver(this.redraw).observe(this.svg);
    for (const signal of [game.changed, searchers.chosen]) signal.listen(() => this.show());
    for (const signal of [game.moved, analysis.switched]) signal.listen(() => this.show());
    this.host.addEventListener("toggle", () => this.show());
  }

  /** Shows what the engine shown has found in the position shown. */
  show() {
    const round = ++this.round;
    if (!this.host.open) return;
    const { report } = this.searchers.shown.view;
    if (report?.path?.length) return;  // of a position below: the tree is the same
    this.roots = report ? runningTree(report) : [];
    this.redraw();
    if (report && !this.searchers.shown.isOn && !this.searchers.thinking) void this.fill(round);
  }

  /** Asks for what is below the most visited moves. */
  private async fill(round: number) {
    const { engine } = this.searchers.shown;
    const line = this.game.tree.lineTo(this.game.node);
    const isPast = () => round !== this.round;
    try {
      const roots = branchesOf(await engine.lastSearch(line));
      for (let asked = 0; asked < mostAsked && !isPast(); ++asked) {
        const branches = all(roots).sort((a, b) => b.visits - a.visits);
        const least = branches[Math.min(most, branches.length) - 1]?.visits ?? 0;
        const next = branches.find(({ isAsked, visits, path }) => !isAsked && visits > Math.max(1, least) && path.length < deepest);
        if (!next) break;
        next.isAsked = true;
        next.children = branchesOf(await engine.lastSearch(line, next.path));
      }
      if (isPast()) return;
      this.roots = roots;
      this.redraw();
    } catch {
      // The tree is gone: the variations stay.
    }
  }

  private draw() {
    this.svg.replaceChildren();
    const { width } = this.svg.getBoundingClientRect();
    const kept = new Set(all(this.roots).sort((a, b) => b.visits - a.visits).slice(0, most));
    this.svg.setAttribute("viewBox", `0 0 ${Math.max(1, width)} ${deepest * rowHeight}`);
    this.place(this.roots, kept, 0, width, this.roots.reduce((sum, { visits }) => sum + visits, 0));
  }

  /** Draws moves side by side, from `x` on, in a part of `width` for `visits`. */
  private place(branches: Branch[], kept: Set<Branch>, x: number, width: number, visits: number) {
    for (const branch of branches.filter((each) => kept.has(each) && each.path.length <= deepest)) {
      const own = (width * branch.visits) / visits;
      this.branch(branch, x, own);
      this.place(branch.children, kept, x, own, branch.visits);
      x += own;
    }
  }

  private branch({ path, visits, report, loss }: Branch, x: number, width: number) {
    const y = (path.length - 1) * rowHeight;
    const group = draw(this.svg, "g", { class: `branch ${loss}` });
    draw(group, "rect", { x, y, width: Math.max(0.5, width - 1), height: rowHeight - 1, rx: 2 });
    const terms: [string, number | null | undefined][] = [["prior", report?.prior], ["novelty", report?.novelty], ["b", report?.b],
      ["U", report?.exploration], ["bound", report?.bound]];
    const known = terms.flatMap(([name, value]) => (value ? [`${name} ${value.toFixed(3)}`] : []));
    const value = report ? [`value ${(100 * report.value).toFixed(1)} %`] : [];
    draw(group, "title", {}, [path.join(" "), `${short(visits)} visits`, ...value, ...known].join(", "));
    const name = path.at(-1)!;
    const words = [...report ? [`${name} ${Math.round(100 * report.value)}`] : [], name].find(({ length }) => length * letter + 8 < width);
    if (words) draw(group, "text", { x: x + 4, y: y + 16 }, words);
    group.addEventListener("pointerenter", () => this.hover(path));
    group.addEventListener("click", () => this.open(path));
  }
}
