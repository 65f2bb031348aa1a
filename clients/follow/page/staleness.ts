// Says when what the page shows is not what is so now.

import { make } from "../../web/src/markup";

export class Staleness {
  private readonly line: HTMLElement;
  private told = "";
  private away = "";

  constructor(host: Element) {
    this.line = make(host, "p", "alarm stale");
    this.line.setAttribute("role", "status");
  }

  /** What the server says: since when it could not read, in seconds since 1970, and why. */
  tell(since: number | null, why: string) {
    this.told = since ? `Stale since ${new Date(1000 * since).toLocaleTimeString()}: ${why}` : why;
    this.show();
  }

  /** The server itself is away, or, with "", back. */
  lost(words: string) {
    this.away = words;
    this.show();
  }

  private show() {
    this.line.textContent = this.away || this.told;
  }
}
