// Which game is played, and with which parameters.

import type { Game as Shown } from "../game/game";
import { GameTree } from "../game/game_tree";
import { button, labelled, make, select, showDialog } from "../markup";
import type { Game } from "../server/protocol";

/** With which parameters people begin, where those of the server let them play a first move at one point alone. */
const openForAll: Record<string, string> = { opening: "free" };

export class GameChoice {
  readonly host = make(null, "div", "game-choice");
  private readonly choice = select([]);
  /** Those of the game chosen, for the next one that is begun. */
  readonly parameters = make(null, "div", "parameters");
  private games: Game[] = [];

  constructor(private readonly game: Shown, private readonly fail: (error: unknown) => void) {
    labelled(this.host, "game", this.choice).previousElementSibling!.className = "spoken";
    this.choice.addEventListener("change", () => {
      this.showParameters();
      this.begin();
    });
    button(this.host, "new game", "begin a new game (n)", () => this.begin());
    button(this.host, "rules", "the rules of the game in short", () =>
      showDialog(`Rules of ${this.choice.value}`, make(null, "p", "", this.chosen?.help ?? "")));
    game.opened.listen(() => {
      const [name, ...words] = game.tree.rules.split(" ");
      this.choice.value = name;
      this.showParameters(new Map(words.map((word) => word.split("=") as [string, string])));
    });
  }

  /** The games that the server knows. */
  offer(games: Game[]) {
    this.games = games;
    this.choice.replaceChildren(...select(games.map(({ game }) => game)).children);
  }

  private get chosen(): Game | undefined {
    return this.games.find((each) => each.game === this.choice.value);
  }

  /** Begins a new game. */
  begin() {
    const words = [...this.parameters.querySelectorAll<HTMLInputElement>("[name]")]
      .map(({ name, value }) => `${name}=${value}`);
    this.game.open(new GameTree([this.choice.value, ...words].join(" "))).catch(this.fail);
  }

  /** Those of a game that is there, or those with which people begin. */
  private showParameters(values?: Map<string, string>) {
    this.parameters.replaceChildren();
    for (const { name, default: usual, values: allowed, help } of this.chosen?.parameters ?? []) {
      const words = allowed.split("|");
      const field = words.length > 1 ? select(words) : make(null, "input", "value");
      labelled(this.parameters, name, field);
      field.name = name;
      field.value = values?.get(name) ?? (values ? usual : openForAll[name] ?? usual);
      field.title = `${help} (${allowed})`;
    }
  }
}
