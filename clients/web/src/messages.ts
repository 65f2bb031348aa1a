// What the page says to people: one line, and what goes wrong in another colour.

import { make } from "./markup";
import { CommandError } from "./server/connection";

/** Whether the loss of the connection or a person has ended something: no fault, and it may go on. */
export function isPassing(error: unknown): boolean {
  return error instanceof CommandError && ["disconnected", "interrupted"].includes(error.code);
}

export class Messages {
  readonly host = make(null, "output", "status");

  constructor() {
    this.host.setAttribute("role", "status");
  }

  tell(words: string) {
    this.host.classList.remove("alarm");
    this.host.textContent = words;
  }

  /** Takes back what has failed, when something new begins. */
  clearAlarm() {
    if (this.host.classList.contains("alarm")) this.tell("");
  }

  /** Tells what has failed, but for what the loss of the connection or a person has ended. */
  fail(error: unknown) {
    if (isPassing(error)) return;
    this.tell((error as Error).message);
    requestAnimationFrame(() => this.host.classList.add("alarm"));
  }
}
