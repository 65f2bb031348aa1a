// The keys of the page, and the help that lists them.

import { make, showDialog } from "./markup";

export interface Key {
  /** As `KeyboardEvent.key` names it. */
  key: string;
  /** With Ctrl, or Cmd. */
  isCtrl?: boolean;
  /** The same for people; several keys of one purpose are listed together under the first. */
  shown?: string;
  does?: string;
  act(): void;
}

export class Keys {
  constructor(private readonly keys: Key[]) {
    document.addEventListener("keydown", (event) => this.press(event));
    // Keys act on the board, not on what was clicked last.
    let isByPointer = false;
    document.addEventListener("pointerdown", () => { isByPointer = true; }, { capture: true });
    document.addEventListener("keydown", () => { isByPointer = false; }, { capture: true });
    for (const kind of ["click", "change"]) {
      document.addEventListener(kind, ({ target }) => {
        const clicked = (target as Element).closest<HTMLElement>("button, summary, select, input");
        const isTyped = clicked?.matches("input:not([type='range'], [type='checkbox']), dialog *, [popover] *");
        const isOpening = kind === "click" && clicked?.matches("select");
        if (isByPointer && !isTyped && !isOpening && clicked === document.activeElement) clicked?.blur();
      });
    }
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
    if (event.altKey || target.closest?.("dialog, [popover]")) return;
    if (target.matches?.("input, select, textarea, summary") && event.key !== "Escape") return;
    if (target.matches?.("button") && (event.key === "Enter" || event.key === " ")) return;
    const isCtrl = event.ctrlKey || event.metaKey;
    const act = event.key === "?" ? () => this.showHelp()
      : this.keys.find((each) => each.key === event.key && Boolean(each.isCtrl) === isCtrl)?.act;
    if (!act) return;
    event.preventDefault();
    act();
  }
}
