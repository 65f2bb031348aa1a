// The keys of the page, and the help that lists them.

import { make, showDialog } from "./markup";

export interface Key {
  /** As `KeyboardEvent.key` names it. */
  key: string;
  /** The same for people; several keys of one purpose are listed together under the first. */
  shown?: string;
  does?: string;
  act(): void;
}

export class Keys {
  constructor(private readonly keys: Key[]) {
    document.addEventListener("keydown", (event) => this.press(event));
  }

  showHelp() {
    const list = make(null, "dl");
    const also: [string, string][] = [["Tab, then arrows, Enter", "choose points on the board"], ["?", "this help"]];
    const own = this.keys.flatMap(({ shown, does }): [string, string][] => (shown && does ? [[shown, does]] : []));
    for (const [key, what] of [...own, ...also]) {
      make(list, "dt", "", key);
      make(list, "dd", "", what);
    }
    showDialog("Keys", list);
  }

  private press(event: KeyboardEvent) {
    const target = event.target as Element;
    if (event.ctrlKey || event.altKey || event.metaKey || target.closest?.("dialog, [popover]")) return;
    if (target.matches?.("input, select, textarea, summary") && event.key !== "Escape") return;
    if (target.matches?.("button") && (event.key === "Enter" || event.key === " ")) return;
    const act = event.key === "?" ? () => this.showHelp() : this.keys.find(({ key }) => key === event.key)?.act;
    if (!act) return;
    event.preventDefault();
    act();
  }
}
