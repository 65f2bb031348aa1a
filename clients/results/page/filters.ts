// Which runs of the list are shown.

import { labelled, make, select } from "../../web/src/markup";

export class Filters {
  private readonly words: HTMLInputElement;
  private readonly choices = new Map<string, HTMLSelectElement>();
  private readonly count: HTMLElement;
  private host?: Element;

  constructor(parent: Element) {
    const filters = make(parent, "div", "filters");
    this.words = labelled(filters, "with the words", make(null, "input"));
    for (const head of ["kind", "state", "game"]) this.choices.set(head, labelled(filters, head, select([["", "all"]])));
    this.count = make(parent, "p", "note");
    filters.addEventListener("input", () => this.show());
  }

  /** Shows and hides the rows of the table in `host`. */
  apply(host: Element) {
    this.host = host;
    for (const [head, choice] of this.choices) {
      const { value } = choice;
      const found = [...new Set(this.rows.map((row) => this.cell(row, head)))].sort();
      choice.replaceChildren(...select([["", "all"], ...found], found.includes(value) ? value : "").children);
      choice.value = found.includes(value) ? value : "";
    }
    this.show();
  }

  private get rows(): HTMLTableRowElement[] {
    return [...this.host!.querySelectorAll<HTMLTableRowElement>("tbody tr")];
  }

  private cell(row: HTMLTableRowElement, head: string): string {
    const heads = [...this.host!.querySelectorAll("thead th")].map(({ textContent }) => textContent);
    return row.cells[heads.indexOf(head)].textContent ?? "";
  }

  private isShown(row: HTMLTableRowElement): boolean {
    const text = row.textContent!.toLowerCase();
    return this.words.value.toLowerCase().split(/\s+/).every((word) => text.includes(word))
      && [...this.choices].every(([head, { value }]) => value === "" || value === this.cell(row, head));
  }

  private show() {
    const { rows } = this;
    for (const row of rows) row.hidden = !this.isShown(row);
    const shown = rows.filter(({ hidden }) => !hidden).length;
    this.count.textContent = shown === rows.length ? `${shown} in all` : `${shown} of ${rows.length}`;
  }
}
