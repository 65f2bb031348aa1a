// What the browser keeps for this page: for all its tabs, or for one. Where the browser keeps nothing, it lasts until the
// page is left.

import { Signal } from "./signal";

/** The browser has refused to keep something. */
export const refused = new Signal();

class Store {
  private readonly memory = new Map<string, string>();

  constructor(private readonly area: () => Storage) {}

  get(key: string): string | null {
    try {
      return this.area().getItem(`pitboss-${key}`);
    } catch {
      return this.memory.get(key) ?? null;
    }
  }

  set(key: string, value: string) {
    try {
      this.area().setItem(`pitboss-${key}`, value);
    } catch {
      this.memory.set(key, value);
      refused.tell();
    }
  }
}

/** For all tabs, also when the browser begins anew. */
export const everyTab = new Store(() => localStorage);
/** For this tab, until it is closed. */
export const thisTab = new Store(() => sessionStorage);
