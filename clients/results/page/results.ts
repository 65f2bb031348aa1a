// The list of runs, or at an address with ?show=NAME the document of one: the server makes their parts, and what has
// changed is replaced.

import { button, make } from "../../web/src/markup";
import { askToken } from "../../web/src/server/token_dialog";
import { keepTellingAges, tellAges } from "./ages";
import { Filters } from "./filters";
import { GamesPanel } from "./games_panel";
import { Polling } from "./polling";
import type { PlayedGame, ReportGames } from "./report_games";

const noGames = "The games cannot be shown now";

interface Told {
  name?: string;
  title?: string;
  state?: string;
  done?: number;
  stale_since: number | null;
  why: string;
  may_pause?: boolean;
  has_games?: boolean;
  tables?: string[];
  parts: { title: string; html: string }[];
}

class ResultsPage {
  private readonly address: string;
  private readonly title: HTMLElement;
  private readonly stale: HTMLElement;
  private readonly filters?: Filters;
  private readonly commands: HTMLElement;
  private readonly message: HTMLElement;
  private readonly host: HTMLElement;
  private readonly data: HTMLElement;
  private readonly parts = new Map<string, Part>();
  private panel?: GamesPanel;
  private told = "";
  private done = 0;
  private token = "";

  constructor(name: string | null) {
    this.address = name === null ? "" : `experiments/${encodeURIComponent(name)}/`;
    const main = make(document.body, "main");
    if (name !== null) make(make(main, "nav"), "a", "", "All experiments").setAttribute("href", "./");
    this.title = make(main, "h1", "", name ?? "Experiments");
    this.stale = make(main, "p", "alarm stale");
    this.stale.setAttribute("role", "status");
    this.commands = make(main, "div", "commands");
    this.message = make(main, "p", "note");
    this.message.setAttribute("role", "status");
    if (name === null) this.filters = new Filters(main);
    this.host = make(main, "div");
    this.data = make(main, "p", "note data");
    new Polling<Told>(`${this.address}page.json`, (told) => this.take(told), (away) => {
      this.stale.textContent = away || this.told;
    });
    keepTellingAges();
  }

  private take(told: Told) {
    this.title.textContent = told.title ?? told.name ?? "";
    document.title = `Pitboss: ${this.title.textContent}`;
    this.told = told.stale_since
      ? `Stale since ${new Date(1000 * told.stale_since).toLocaleTimeString()}: ${told.why}` : told.why;
    this.showCommands(told);
    for (const { title, html } of told.parts) {
      let part = this.parts.get(title);
      if (!part) this.parts.set(title, part = new Part(this.host, title));
      part.show(html);
    }
    this.filters?.apply(this.host);
    tellAges();
    this.showData(told.tables, told.has_games);
    if (told.has_games && told.done && told.done !== this.done) {
      this.done = told.done;
      void this.keepGames(told.done);
    }
  }

  private showCommands({ may_pause, state }: Told) {
    this.commands.replaceChildren();
    if (!may_pause || state === "finished") return;
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

  private showData(tables?: string[], hasGames?: boolean) {
    const files = tables === undefined ? ["experiments.json", "experiments.csv"] : ["all.json", "report.md",
      ...(hasGames ? ["games", ...tables] : tables).flatMap((table) => [`${table}.json`, `${table}.csv`])];
    this.data.replaceChildren("Data: ");
    for (const file of files) {
      make(this.data, "a", "", file).setAttribute("href", this.address + file);
      this.data.append(" ");
    }
  }

  /** Shows the games of so many done; tries again until it can, or more are done. */
  private async keepGames(done: number) {
    try {
      const list = await this.get<ReportGames>("replay.json");
      const load = (match: number, game: number) => this.get<PlayedGame>(`replay/${match + 1}-${game}.json`);
      if (this.panel) this.panel.update(list);
      else this.panel = new GamesPanel(this.host.querySelector(".viewer")!, list, load);
      if (this.message.textContent?.startsWith(noGames)) this.message.textContent = "";
    } catch (error) {
      this.message.textContent = `${noGames}: ${(error as Error).message}`;
      setTimeout(() => void (this.done === done && this.keepGames(done)), 10000);
    }
  }

  private async get<Got>(file: string): Promise<Got> {
    const answer = await fetch(this.address + file);
    if (!answer.ok) throw new Error((await answer.text()).trim());
    return answer.json();
  }
}

/** A section of the document; what is unfolded stays so. */
class Part {
  private readonly content: HTMLElement;
  private html = "";

  constructor(host: Element, title: string) {
    this.content = title ? make(host, "section") : make(host, "div");
    if (title) this.content.setAttribute("aria-label", title);
  }

  show(html: string) {
    if (html === this.html) return;
    this.html = html;
    const open = [...this.content.querySelectorAll("details")].map((one) => one.open);
    this.content.innerHTML = html;  // the server's markup, in which all words of others are escaped
    this.content.querySelectorAll("details").forEach((one, i) => one.toggleAttribute("open", open[i] ?? false));
  }
}

new ResultsPage(new URLSearchParams(location.search).get("show"));
