// What the server tells, asked for every two seconds: it answers in full only if something has changed.

import { setClock } from "./ages";

/** An answer that takes longer does not come: the connection is lost, as while a machine slept. */
const longestWait = 20_000;

/** What the server says instead of what it was asked for. */
class Refusal extends Error {}

export class Polling<Told> {
  private tag = "";

  /** `take` gets what is new, `status` a sentence while the server is away, and "" when it is back. */
  constructor(private readonly address: string, private readonly take: (told: Told) => void,
    private readonly status: (words: string) => void) {
    void this.poll();
  }

  private async poll() {
    try {
      const headers: HeadersInit = this.tag ? { "If-None-Match": this.tag } : {};
      const answer = await fetch(this.address, { headers, signal: AbortSignal.timeout(longestWait) });
      setClock(answer);
      if (answer.status !== 304) {
        if (!answer.ok) throw new Refusal((await answer.text()).trim());
        const told = await answer.json();
        this.tag = answer.headers.get("ETag") ?? "";
        this.take(told);
      }
      this.status("");
    } catch (error) {
      const { message } = error as Error;
      const why = error instanceof Refusal ? `The server refuses: ${message}` : `The server does not answer (${message})`;
      this.status(`${why}; this is what it told last.`);
    }
    setTimeout(() => void this.poll(), 2000);
  }
}
