// The first minute: a person begins a game against engine A, at one of five strengths.

import type { Game } from "../game/game";
import { button, labelled, make, select, showDialog } from "../markup";
import type { Searchers } from "../search/searchers";
import type { GameChoice } from "./game_choice";
import type { Seats } from "./seats";

interface Strength {
  name: string;
  simulations: string;
  milliseconds: string;
}

/** From weak to strong; the last one searches with a network, if the server has one of the game. */
const strengths: Strength[] = [
  { name: "beginner", simulations: "20", milliseconds: "0" },
  { name: "easy", simulations: "200", milliseconds: "0" },
  { name: "medium", simulations: "2000", milliseconds: "0" },
  { name: "strong", simulations: "20000", milliseconds: "0" },
  { name: "strongest", simulations: "0", milliseconds: "5000" },
];

export class Opponents {
  constructor(private readonly game: Game, private readonly searchers: Searchers, private readonly seats: Seats,
              private readonly choice: GameChoice, private readonly fail: (error: unknown) => void) {}

  /** Asks for the person's colour and the engine's strength. */
  ask() {
    const row = make(null, "p");
    const colour = labelled(row, "you play", select(this.game.geometry.colours));
    const buttons = make(null, "div", "strengths");
    for (const strength of strengths) {
      const { name, simulations, milliseconds } = strength;
      const effort = simulations === "0" ? `${Number(milliseconds) / 1000} seconds a move` : `${simulations} simulations a move`;
      button(buttons, name, effort, () => {
        dialog.close();
        this.begin(colour.value, strength).catch(this.fail);
      });
      make(buttons, "span", "", effort);
    }
    const dialog = showDialog("Play the engine", row, buttons);
  }

  private async begin(person: string, strength: Strength) {
    const { game, searchers } = this;
    const isStrongest = strength === strengths.at(-1);
    const networks = isStrongest ? await game.arbiter!.names(game.tree.lineTo(game.tree.root), "networks") : [];
    const preset = networks.includes(game.geometry.game) ? "network" : "uct";
    const { engine } = searchers.first;
    await engine.set("preset", preset);
    // A beginner plays the end as a beginner does.
    await engine.set("exact", String(isStrongest));
    await engine.set("simulations", strength.simulations);
    await engine.set("movetime", strength.milliseconds);
    searchers.chosen.tell();
    this.seats.sit(person);
    this.choice.begin();
  }
}
