// What the server tells, asked for every two seconds: it answers in full only if something has changed.

export class Polling<Told> {
  private tag = "";

  /** `take` gets what is new, `status` a sentence while the server is away, and "" when it is back. */
  constructor(private readonly address: string, private readonly take: (told: Told) => void,
    private readonly status: (words: string) => void) {
    void this.poll();
  }

  private async poll() {
    try {
      const answer = await fetch(this.address, { headers: this.tag ? { "If-None-Match": this.tag } : {} });
      if (answer.status !== 304) {
        if (!answer.ok) throw new Error((await answer.text()).trim());
        const told = await answer.json();
        this.tag = answer.headers.get("ETag") ?? "";
        this.take(told);
      }
      this.status("");
    } catch (error) {
      this.status(`The server does not answer (${(error as Error).message}); this is what it told last.`);
    }
    setTimeout(() => void this.poll(), 2000);
  }
}
