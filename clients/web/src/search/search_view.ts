// What a search has found: a table of moves with every term of the formula, and charts over its time.

import { Chart, counted, scaleButton, short } from "../chart";
import { button, make, onceAFrame } from "../markup";
import type { MoveReport, Report } from "../server/protocol";

/** What people do with a move of the table. */
export interface MoveActions {
  hover(moves: string[] | null): void;
  play(move: string): void;
  add(moves: string[]): void;
  below(move: string): void;
  restrict(words: "avoid" | "allow", move: string): void;
  focus(move: string): void;
}

interface Column {
  head: string;
  title: string;
  number(move: MoveReport, report: Report): number | null;
  text(move: MoveReport, report: Report): string;
  /** A `term` is left out of the table while no move has such a number; a phone has room for `basic` ones alone. */
  style: "basic" | "share" | "term";
}

const fixed = (digits: number) => (number: number | null) => number === null ? "–" : number.toFixed(digits);
const term = (head: string, title: string, of: (move: MoveReport) => number | null): Column =>
  ({ head, title, number: of, text: (move) => fixed(3)(of(move)), style: "term" });

const visited = (report: Report) => report.moves.reduce((sum, { visits }) => sum + visits, 0) || 1;

const columns: Column[] = [
  {
    head: "visits", title: "simulations that began with the move", number: ({ visits }) => visits,
    text: ({ visits }) => short(visits), style: "basic",
  },
  {
    head: "share", title: "of all visits", number: ({ visits }) => visits,
    text: ({ visits }, report) => `${((100 * visits) / visited(report)).toFixed(1)} %`, style: "share",
  },
  {
    head: "mean Q", title: "mean value for the side to move, in %, with its 95 % interval",
    number: ({ value, visits }) => visits ? value : null,
    text: ({ value, interval, proven }) => proven ?? (interval
      ? `${(100 * value).toFixed(1)} ± ${(50 * (interval[1] - interval[0])).toFixed(1)}` : "–"),
    style: "basic",
  },
  term("prior", "probability that the move had before the search", ({ prior }) => prior),
  term("novelty", "mean novelty behind the move", ({ novelty }) => novelty),
  term("b", "weight of the novelty", ({ b }) => b),
  term("U", "exploration: what the move gets for having few visits", ({ exploration }) => exploration),
  term("bound", "b alpha N + (1 - b) Q + exploration, or as novelty_mix has it: the search takes the move with the highest",
    ({ bound }) => bound),
];

/** How many moves the charts follow. */
const charted = 5;

/** What an exact solver has proven of the position, if it has. */
function proofOf({ exact, points }: Report): string {
  if (!exact) return "";
  return `proven: ${exact}${points ? ` by ${Math.abs(points)}` : ""} · `;
}

/** What the search is like as a whole, in a line. */
function factsOf(report: Report): string {
  const speed = report.seconds > 0 ? `${short(report.simulations / report.seconds)}/s` : "";
  const path = report.path?.length ? `below ${report.path.join(" ")} · ` : "";
  const kept = report.reused > 0 ? `, ${short(report.reused)} kept` : "";
  return `${proofOf(report)}${path}${counted(report.simulations, "simulation")}${kept} ${speed} · ${counted(report.nodes, "node")}, ` +
    `${(report.bytes / 2 ** 20).toFixed(1)} MiB${report.tree_full ? " (full)" : ""} · depth ${report.max_depth}` +
    (report.network ? ` · network ${report.network.name}` : "");
}

/** Before these there are the move and what can be done with it. */
const firstColumn = 2;

export class SearchView {
  readonly host: HTMLElement;
  report?: Report;
  private readonly facts: HTMLElement;
  private readonly rows = new Map<string, HTMLTableRowElement>();
  private readonly body: HTMLTableSectionElement;
  private readonly heads: HTMLTableCellElement[] = [];
  private readonly values: Chart;
  private readonly visits: Chart;
  private readonly legend: HTMLElement;
  private readonly menu: HTMLElement;
  private history: Report[] = [];
  private sorted = 0;
  private isRising = false;
  private emptiness = "";
  private isEarlier = false;
  private readonly draw = onceAFrame(() => {
    this.drawTable();
    this.drawCharts();
  });

  constructor(parent: Element, name: string, private readonly actions: MoveActions) {
    this.host = make(parent, "section", "search");
    this.host.setAttribute("aria-label", `Search of engine ${name}`);
    this.facts = make(this.host, "p", "facts");
    const table = make(make(this.host, "div", "wide"), "table", "moves-found");
    table.parentElement!.tabIndex = 0;
    table.parentElement!.setAttribute("role", "region");
    table.parentElement!.setAttribute("aria-label", `Moves found by engine ${name}`);
    const head = make(make(table, "thead"), "tr");
    make(head, "th", "", "move");
    make(make(head, "th", "tools"), "span", "spoken", "more");
    columns.forEach(({ head: words, title, style }, i) => {
      const cell = make(head, "th", style);
      button(cell, words, `${title}; sort by it`, () => this.sort(i));
      this.heads.push(cell);
    });
    make(head, "th", "words", "line").title = "expected line: what both sides are to play";
    this.body = make(table, "tbody");
    const charts = make(this.host, "div", "charts");
    const figure = (words: string) => {
      const made = make(charts, "figure");
      make(made, "figcaption", "", words);
      return new Chart(made, words);
    };
    this.values = figure("Value of the best moves, in %");
    scaleButton(charts.querySelector("figcaption")!);
    this.visits = figure("Visits of the best moves");
    this.legend = make(this.host, "p", "legend");
    this.menu = make(this.host, "div", "menu");
    this.menu.popover = "auto";
  }

  private sort(column: number) {
    this.isRising = this.sorted === column && !this.isRising;
    this.sorted = column;
    this.draw();
  }

  /** Forgets the course of the last search. */
  begin() {
    this.history = [];
  }

  /** Has nothing to show, and says why. */
  clear(words = "No search of this position yet.") {
    this.report = undefined;
    this.begin();
    this.emptiness = words;
    this.draw();
  }

  /** Adds a report of the running search. */
  tell(report: Report) {
    this.history.push(report);
    if (this.history.length > 600) this.history = this.history.filter((each, i) => i % 2 === 0 || this.isChange(each));
    this.show(report);
  }

  private isChange({ changed }: Report) {
    return Object.keys(changed ?? {}).length > 0;
  }

  /** `isEarlier`: no search tells this now. */
  show(report: Report, isEarlier = false) {
    this.report = report;
    this.isEarlier = isEarlier;
    this.draw();
  }

  private drawTable() {
    const { report } = this;
    this.facts.textContent = report ? `${this.isEarlier ? "earlier: " : ""}${factsOf(report)}` : this.emptiness;
    const moves = report ? this.inOrder(report) : [];
    this.heads.forEach((head, i) => {
      head.setAttribute("aria-sort", i !== this.sorted ? "none" : this.isRising ? "ascending" : "descending");
      // No number, or the same 0 of a search without novelty.
      head.hidden = columns[i].style === "term" && moves.every((move) => !columns[i].number(move, report!));
    });
    const kept = new Set(moves.map(({ move }) => move));
    for (const [move, row] of this.rows) {
      if (kept.has(move)) continue;
      row.remove();
      this.rows.delete(move);
    }
    moves.forEach((move, i) => {
      const row = this.rows.get(move.move) ?? this.addRow(move.move);
      if (this.body.children[i] !== row) this.body.insertBefore(row, this.body.children[i] ?? null);
      const texts = [...columns.map(({ text }) => text(move, report!)), (move.pv ?? []).slice(0, 12).join(" ")];
      texts.forEach((text, at) => {
        const cell = row.cells[at + firstColumn];
        if (at < columns.length) cell.hidden = this.heads[at].hidden;
        if (cell.textContent !== text) cell.textContent = text;
      });
      row.classList.toggle("unvisited", move.visits === 0);
    });
  }

  private inOrder(report: Report): MoveReport[] {
    if (this.sorted === 0 && !this.isRising) return report.moves;  // the server's order
    const { number } = columns[this.sorted];
    const sign = this.isRising ? 1 : -1;
    const key = (move: MoveReport) => number(move, report) ?? -Infinity;
    return [...report.moves].sort((a, b) => sign * (key(a) - key(b) || 0));
  }

  private lineOf(move: string): string[] {
    const found = this.report?.moves.find((each) => each.move === move);
    return [...(this.report?.path ?? []), ...(found?.pv?.length ? found.pv : [move])];
  }

  private addRow(move: string): HTMLTableRowElement {
    const row = make(this.body, "tr");
    this.rows.set(move, row);
    const head = make(row, "th");
    head.scope = "row";
    button(head, move, `play ${move}`, () => this.actions.play(move));
    const tools = make(row, "td", "tools");
    const more = button(tools, "⋯", `more of ${move}: below, avoid, only, 1,000 more`, () => this.openMenu(move, more));
    columns.forEach(({ style }) => make(row, "td", style));
    const line = make(row, "td", "words");
    line.title = "click to add the line as a variation";
    line.addEventListener("click", () => this.actions.add(this.lineOf(move)));
    row.addEventListener("pointerenter", () => this.actions.hover(this.lineOf(move)));
    row.addEventListener("focusin", () => this.actions.hover(this.lineOf(move)));
    row.addEventListener("pointerleave", () => this.actions.hover(null));
    row.addEventListener("focusout", () => this.actions.hover(null));
    return row;
  }

  /** What else people do with a move, beside its row. */
  private openMenu(move: string, beside: Element) {
    const { menu, actions } = this;
    menu.replaceChildren();
    const add = (words: string, title: string, act: () => void) => button(menu, words, title, () => {
      menu.hidePopover();
      act();
    });
    const first = add("below", `what the search found below ${move}`, () => actions.below(move));
    add("avoid", `search without ${move}`, () => actions.restrict("avoid", move));
    add("only", `search ${move} alone`, () => actions.restrict("allow", move));
    add("1,000 more", `search ${move} by 1,000 simulations more, in the same tree`, () => actions.focus(move));
    menu.showPopover();
    const { left, bottom } = beside.getBoundingClientRect();
    menu.style.left = `${left}px`;
    menu.style.top = `${Math.min(bottom, innerHeight - menu.offsetHeight)}px`;
    first.focus();
  }

  private drawCharts() {
    const last = this.history.at(-1);
    const moves = last ? last.moves.slice(0, charted).map(({ move }) => move) : [];
    this.legend.replaceChildren();
    moves.forEach((move, i) => make(this.legend, "span", `key line-${i}`, move));
    const time = (report: Report) => report.elapsed ?? report.seconds;
    const course = (of: (move: MoveReport) => number) => moves.map((name, i) => ({
      name, style: `line-${i}`,
      points: this.history.flatMap((report): [number, number][] => {
        const found = report.moves.find(({ move }) => move === name);
        return found && found.visits > 0 ? [[time(report), of(found)]] : [];
      }),
    }));
    const marks = this.history.filter((each) => this.isChange(each)).map((report): [number, string] =>
      [time(report), Object.entries(report.changed!).map(([name, value]) => `${name} ${value}`).join(", ")]);
    const most = last ? time(last) : 1;
    this.values.show(course(({ value }) => Math.max(0, value)), most, "s", marks);
    this.visits.show(course(({ visits }) => visits), most, "s", marks, Math.max(1, last?.moves[0]?.visits ?? 1));
  }
}
