// A move is chosen step by step: each choice leaves the legal moves that go on with it.

import type { State } from "../server/protocol";

export class Choice {
  steps: string[] = [];

  constructor(readonly state: State) {}

  /** What may be chosen next. */
  get next(): Set<string> {
    return new Set(this.matching.map((steps) => steps[this.steps.length]));
  }

  /** Whether a step goes on with those before it, or begins a move anew. */
  allows(step: string): boolean {
    return this.next.has(step) || this.state.steps.some(([first]) => first === step);
  }

  private get matching(): string[][] {
    return this.state.steps.filter((steps) => this.steps.every((step, i) => steps[i] === step));
  }

  /** Chooses a step; the move, once it is whole. A step that does not go on with the others begins anew. */
  choose(step: string): string | undefined {
    if (!this.next.has(step)) {
      this.steps = [];
      if (!this.next.has(step)) return undefined;
    }
    this.steps.push(step);
    const whole = this.state.steps.findIndex((steps) => steps.join() === this.steps.join());
    if (whole < 0) return undefined;
    this.steps = [];
    return this.state.legal[whole];
  }
}
