// What a search has found: a table of moves with every term of the formula, and charts over its time.

import { Chart, short } from "./chart";
import { button, make } from "./markup";
import type { MoveReport, Report } from "./protocol";

/** What people do with a move of the table. */
export interface MoveActions {
  hover(moves: string[] | null): void;
  play(move: string): void;
  add(moves: string[]): void;
  below(move: string): void;
  restrict(words: "avoid" | "allow", move: string): void;
}

interface Column {
  head: string;
  title: string;
  number(move: MoveReport, report: Report): number | null;
  text(move: MoveReport, report: Report): string;
}

const fixed = (digits: number) => (number: number | null) => number === null ? "–" : number.toFixed(digits);
const column = (head: string, title: string, of: (move: MoveReport) => number | null, digits = 3): Column =>
  ({ head, title, number: of, text: (move) => fixed(digits)(of(move)) });

const visited = (report: Report) => report.moves.reduce((sum, { visits }) => sum + visits, 0) || 1;

const columns: Column[] = [
  { ...column("visits", "simulations that began with the move", ({ visits }) => visits), text: ({ visits }) => short(visits) },
  {
    head: "share", title: "of all visits", number: ({ visits }) => visits,
    text: ({ visits }, report) => `${((100 * visits) / visited(report)).toFixed(1)} %`,
  },
  {
    head: "mean Q", title: "mean value for the side to move, in %, with its 95 % interval",
    number: ({ value, visits }) => visits ? value : null,
    text: ({ value, interval, proven }) => proven ?? (interval
      ? `${(100 * value).toFixed(1)} ± ${(50 * (interval[1] - interval[0])).toFixed(1)}` : "–"),
  },
  column("prior", "probability that the move had before the search", ({ prior }) => prior),
  column("novelty N", "mean novelty behind the move", ({ novelty }) => novelty),
  column("b", "weight of the novelty", ({ b }) => b),
  column("exploration", "what the move gets for having few visits", ({ exploration }) => exploration),
  column("bound", "b alpha N + (1 - b) Q + exploration, or as novelty_mix has it: the search takes the move with the highest",
    ({ bound }) => bound),
];

export class SearchView {
  readonly host: HTMLElement;
  report?: Report;
  private readonly facts: HTMLElement;
  private readonly rows = new Map<string, HTMLTableRowElement>();
  private readonly body: HTMLTableSectionElement;
  private readonly heads: HTMLTableCellElement[] = [];
  private readonly values: Chart;
  private readonly visits: Chart;
  private history: Report[] = [];
  private sorted = 0;
  private isRising = false;

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
    columns.forEach(({ head: words, title }, i) => {
      const cell = make(head, "th");
      button(cell, words, `${title}; sort by it`, () => this.sort(i));
      this.heads.push(cell);
    });
    make(head, "th", "words", "expected line");
    make(head, "th", "", "search");
    this.body = make(table, "tbody");
    const charts = make(this.host, "div", "charts");
    const figure = (words: string) => {
      const made = make(charts, "figure");
      make(made, "figcaption", "", words);
      return new Chart(made, words);
    };
    this.values = figure("Value of the best moves over the search, in %");
    this.visits = figure("Visits of the best moves over the search");
  }

  private sort(column: number) {
    this.isRising = this.sorted === column && !this.isRising;
    this.sorted = column;
    if (this.report) this.show(this.report);
  }

  /** Forgets the course of the last search. */
  begin() {
    this.history = [];
  }

  clear() {
    this.report = undefined;
    this.begin();
    this.facts.textContent = "No search of this position yet.";
    this.body.replaceChildren();
    this.rows.clear();
    this.drawCharts();
  }

  /** Adds a report of the running search. */
  tell(report: Report) {
    this.history.push(report);
    if (this.history.length > 600) this.history = this.history.filter((each, i) => i % 2 === 0 || this.isChange(each));
    this.show(report);
    this.drawCharts();
  }

  private isChange({ changed }: Report) {
    return Object.keys(changed ?? {}).length > 0;
  }

  show(report: Report) {
    this.report = report;
    const speed = report.seconds > 0 ? `${short(report.simulations / report.seconds)}/s` : "";
    const path = report.path?.length ? `below ${report.path.join(" ")} · ` : "";
    this.facts.textContent = `${path}${short(report.simulations)} simulations ${speed} · ${short(report.nodes)} nodes, ` +
      `${(report.bytes / 2 ** 20).toFixed(1)} MiB${report.tree_full ? " (full)" : ""} · depth ${report.max_depth}` +
      (report.network ? ` · network ${report.network.name}` : "");
    const { number } = columns[this.sorted];
    const sign = this.isRising ? 1 : -1;
    const sorted = this.sorted === 0 && !this.isRising ? report.moves
      : [...report.moves].sort((a, b) => sign * ((number(a, report) ?? -Infinity) - (number(b, report) ?? -Infinity)));
    const kept = new Set(report.moves.map(({ move }) => move));
    for (const [move, row] of this.rows) {
      if (kept.has(move)) continue;
      row.remove();
      this.rows.delete(move);
    }
    sorted.forEach((move, i) => {
      const row = this.rows.get(move.move) ?? this.addRow(move.move);
      if (this.body.children[i] !== row) this.body.insertBefore(row, this.body.children[i] ?? null);
      const texts = [...columns.map(({ text }) => text(move, report)), (move.pv ?? []).slice(0, 12).join(" ")];
      texts.forEach((text, at) => {
        const cell = row.cells[at + 1];
        if (cell.textContent !== text) cell.textContent = text;
      });
      row.classList.toggle("unvisited", move.visits === 0);
    });
    this.heads.forEach((head, i) => head.setAttribute("aria-sort",
      i !== this.sorted ? "none" : this.isRising ? "ascending" : "descending"));
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
    columns.forEach(() => make(row, "td"));
    make(row, "td", "words").addEventListener("click", () => this.actions.add(this.lineOf(move)));
    const last = make(row, "td", "tools");
    button(last, "below", `what the search found below ${move}`, () => this.actions.below(move));
    button(last, "avoid", `search without ${move}`, () => this.actions.restrict("avoid", move));
    button(last, "only", `search ${move} alone`, () => this.actions.restrict("allow", move));
    row.addEventListener("pointerenter", () => this.actions.hover(this.lineOf(move)));
    row.addEventListener("focusin", () => this.actions.hover(this.lineOf(move)));
    row.addEventListener("pointerleave", () => this.actions.hover(null));
    row.addEventListener("focusout", () => this.actions.hover(null));
    return row;
  }

  private drawCharts() {
    const last = this.history.at(-1);
    const moves = last ? last.moves.slice(0, 5).map(({ move }) => move) : [];
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
    this.values.show(course(({ value }) => Math.max(0, value)), most, "s", 1, marks);
    this.visits.show(course(({ visits }) => visits), most, "s", Math.max(1, last?.moves[0]?.visits ?? 1), marks);
  }
}
