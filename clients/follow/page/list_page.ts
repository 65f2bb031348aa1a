// All experiments, tunings and trainings, and which of them are shown.

import { labelled, make, select } from "../../web/src/markup";
import { age, duration } from "./ages";
import { Polling } from "./polling";
import { Staleness } from "./staleness";

export interface Row {
  name: string;
  kind: string;
  state: string;
  title?: string;
  game?: string;
  done?: number;
  of?: number;
  unit?: string;
  games_a_minute?: number;
  seconds_left?: number | null;
  failures?: number;
  last?: number;
  words?: string;
  stale_since: number | null;
  why: string;
}

interface List {
  stale_since: number | null;
  why: string;
  experiments: Row[];
}

export class ListPage {
  private readonly staleness: Staleness;
  private readonly words: HTMLInputElement;
  private readonly kind: HTMLSelectElement;
  private readonly state: HTMLSelectElement;
  private readonly game: HTMLSelectElement;
  private readonly count: HTMLElement;
  private readonly body: HTMLElement;
  private rows: Row[] = [];

  constructor() {
    const main = make(document.body, "main");
    make(main, "h1", "", "Experiments");
    this.staleness = new Staleness(main);
    const filters = make(main, "div", "filters");
    this.words = labelled(filters, "with the words", make(null, "input"));
    this.kind = labelled(filters, "kind", select([["", "all"], "experiment", "tuning", "training"]));
    this.state = labelled(filters, "state", select([["", "all"], "running", "paused", "stopped", "finished"]));
    this.game = labelled(filters, "game", select([["", "all"]]));
    for (const filter of [this.words, this.kind, this.state, this.game]) {
      filter.addEventListener("input", () => this.show());
    }
    this.count = make(main, "p", "note");
    const table = make(make(main, "div", "wide"), "table", "experiments");
    const head = make(make(table, "thead"), "tr");
    for (const words of ["name", "kind", "game", "state"]) make(head, "th", "words", words);
    for (const words of ["done", "a minute", "time left", "failures", "last sign", ""]) make(head, "th", "", words);
    this.body = make(table, "tbody");
    const data = make(main, "p", "note", "Data: ");
    for (const file of ["experiments.json", "experiments.csv"]) {
      make(data, "a", "", file).setAttribute("href", file);
      data.append(" ");
    }
    new Polling<List>("experiments.json", (list) => this.take(list), (words) => this.staleness.lost(words));
    setInterval(() => this.show(), 10000);  // ages
  }

  private take(list: List) {
    this.rows = list.experiments;
    this.staleness.tell(list.stale_since, list.why);
    const games = [...new Set(this.rows.map(({ game }) => game ?? "").filter(Boolean))].sort();
    const chosen = this.game.value;
    this.game.replaceChildren();
    for (const game of ["", ...games]) make(this.game, "option", "", game || "all").value = game;
    this.game.value = games.includes(chosen) ? chosen : "";
    this.show();
  }

  private isShown(row: Row) {
    const text = [row.name, row.title, row.game, row.kind, row.words].join(" ").toLowerCase();
    return this.words.value.toLowerCase().split(/\s+/).every((word) => text.includes(word))
      && (this.kind.value || row.kind) === row.kind
      && (this.state.value || row.state) === row.state && (this.game.value || row.game) === row.game;
  }

  private show() {
    const shown = this.rows.filter((row) => this.isShown(row));
    this.count.textContent = shown.length === this.rows.length ? `${shown.length} in all`
      : `${shown.length} of ${this.rows.length}`;
    this.body.replaceChildren(...shown.map(lineOf));
  }
}

function lineOf(row: Row): HTMLElement {
  const line = make(null, "tr", row.state.replace(/ /g, "-"));
  const link = make(make(line, "td"), "a", "", row.name);
  link.setAttribute("href", `?show=${encodeURIComponent(row.name)}`);
  make(line, "td", "words", row.kind);
  make(line, "td", "words", row.game ?? "");
  make(line, "td", "words state", row.stale_since ? `${row.state}, stale` : row.state);
  make(line, "td", "", row.of === undefined ? "" : `${row.done} of ${row.of} ${row.unit}`);
  make(line, "td", "", row.games_a_minute ? row.games_a_minute.toFixed(1) : "");
  make(line, "td", "", row.seconds_left ? duration(row.seconds_left) : "");
  make(line, "td", row.failures ? "alarm" : "", row.failures ?? "");
  make(line, "td", "", row.last ? age(row.last) : "");
  make(line, "td", row.why ? "words alarm" : "words", row.why || row.words || "");
  return line;
}
