// One experiment, tuning or training: the parts that the server makes of it, and its games on the board.

import type { PlayedGame, ReportGames } from "../../report/report_games";
import { Viewer } from "../../report/viewer";
import { button, make } from "../../web/src/markup";
import { askToken } from "../../web/src/server/token_dialog";
import { tellAges } from "./ages";
import type { Row } from "./list_page";
import { Polling } from "./polling";
import { Staleness } from "./staleness";

const noGames = "The games cannot be shown now";

interface Told extends Row {
  may_pause: boolean;
  tables: string[];
  parts: { title: string; html: string }[];
}

export class ExperimentPage {
  private readonly address: string;
  private readonly staleness: Staleness;
  private readonly title: HTMLElement;
  private readonly commands: HTMLElement;
  private readonly message: HTMLElement;
  private readonly host: HTMLElement;
  private readonly games: HTMLElement;
  private readonly data: HTMLElement;
  private readonly parts = new Map<string, Part>();
  private viewer?: Viewer;
  private done = 0;
  private token = "";

  constructor(name: string) {
    this.address = `experiments/${encodeURIComponent(name)}/`;
    const main = make(document.body, "main");
    make(make(main, "nav"), "a", "", "All experiments").setAttribute("href", "./");
    this.title = make(main, "h1", "", name);
    this.staleness = new Staleness(main);
    this.commands = make(main, "div", "commands");
    this.message = make(main, "p", "note");
    this.message.setAttribute("role", "status");
    this.host = make(main, "div");
    this.games = make(main, "section");
    this.data = make(main, "p", "note data");
    new Polling<Told>(`${this.address}page.json`, (told) => this.take(told), (words) => this.staleness.lost(words));
  }

  private take(told: Told) {
    this.title.textContent = told.title ?? told.name;
    document.title = `Pitboss: ${told.title ?? told.name}`;
    this.staleness.tell(told.stale_since, told.why);
    this.showCommands(told);
    for (const { title, html } of told.parts) {
      let part = this.parts.get(title);
      if (!part) this.parts.set(title, part = new Part(this.host, title));
      part.show(html);
    }
    tellAges();
    this.showData(told.tables, told.kind);
    if (told.kind === "experiment" && told.done && told.done !== this.done) {
      this.done = told.done;
      void this.keepGames(told.done);
    }
  }

  private showCommands({ may_pause, kind, state }: Told) {
    this.commands.replaceChildren();
    if (!may_pause || kind !== "experiment" || state === "finished") return;
    if (state === "paused") button(this.commands, "resume", "has the referees go on", () => void this.send("resume"));
    else button(this.commands, "stop", "has the referees finish what they play and wait", () => void this.send("stop"));
  }

  private async send(command: string, why = ""): Promise<void> {
    if (!this.token) this.token = await askToken(why, true);
    if (!this.token) return;
    const headers = { Authorization: `Bearer ${this.token}` };
    try {
      const answer = await fetch(this.address + command, { method: "POST", headers });
      const words = (await answer.text()).trim();
      if (answer.status === 401) {
        this.token = "";
        return await this.send(command, words);
      }
      this.message.textContent = words;
    } catch (error) {
      this.message.textContent = (error as Error).message;
    }
  }

  private showData(tables: string[], kind: string) {
    const files = ["all.json", ...(kind === "experiment" ? ["games", ...tables] : tables)
      .flatMap((table) => [`${table}.json`, `${table}.csv`])];
    this.data.replaceChildren("Data: ");
    for (const file of files) {
      make(this.data, "a", "", file).setAttribute("href", this.address + file);
      this.data.append(" ");
    }
  }

  /** Shows the games of so many done; tries again until it can, or more are done. */
  private async keepGames(done: number) {
    try {
      await this.showGames();
      if (this.message.textContent?.startsWith(noGames)) this.message.textContent = "";
    } catch (error) {
      this.message.textContent = `${noGames}: ${(error as Error).message}`;
      setTimeout(() => void (this.done === done && this.keepGames(done)), 10000);
    }
  }

  private async showGames() {
    const list = await this.get<ReportGames>("replay.json");
    if (this.viewer) return this.viewer.update(list);
    make(this.games, "h2", "", "Games").id = "games";
    this.viewer = new Viewer(make(this.games, "div"), list, (match, game) => this.get<PlayedGame>(`replay/${match + 1}-${game}.json`));
    this.viewer.begin();
  }

  private async get<Got>(file: string): Promise<Got> {
    const answer = await fetch(this.address + file);
    if (!answer.ok) throw new Error((await answer.text()).trim());
    return answer.json();
  }
}

/** A part of the page under its heading; what is unfolded stays so. */
class Part {
  private readonly content: HTMLElement;
  private html = "";

  constructor(host: Element, title: string) {
    const section = make(host, "section");
    section.setAttribute("aria-label", title);
    make(section, "h2", "", title);
    this.content = make(section, "div", "wide");
  }

  show(html: string) {
    if (html === this.html) return;
    this.html = html;
    const open = [...this.content.querySelectorAll("details")].map((one) => one.open);
    this.content.innerHTML = html;  // the server's markup, in which all words of others are escaped
    this.content.querySelectorAll("details").forEach((one, i) => one.toggleAttribute("open", open[i] ?? false));
  }
}
