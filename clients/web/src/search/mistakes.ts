// Moves of the game that gave value away: every position of the line shown is searched, and the losses are listed.

import type { Game } from "../game/game";
import type { Node } from "../game/game_tree";
import { button, drawer, labelled, make, seatSign, valueField } from "../markup";
import type { Messages } from "../messages";
import type { Searchers } from "./searchers";
import type { Analysis } from "./analysis";

/** What `simulate` makes at most in one command. */
const mostAtOnce = 1000;

interface Loss {
  node: Node;
  colour: string;
  /** From 0 to 1, for the side that has moved. */
  value: number;
}

export class Mistakes {
  readonly host = drawer(null, "Mistakes");
  private readonly simulations = valueField("500");
  private readonly least = valueField("10");
  private readonly progress = make(null, "output");
  private readonly list = make(null, "ol", "mistakes");
  private readonly act: HTMLButtonElement;
  private round = 0;
  private isRunning = false;

  constructor(private readonly game: Game, private readonly searchers: Searchers, private readonly analysis: Analysis,
              private readonly messages: Messages) {
    const row = make(this.host, "div", "controls");
    labelled(row, "simulations a position", this.simulations);
    labelled(row, "from % of value lost", this.least).addEventListener("change", () => {
      try {
        this.show();
      } catch (error) {
        messages.fail(error);
      }
    });
    this.act = button(row, "search the game", "search every position of the line shown", () => {
      if (this.isRunning) this.end();
      else void this.run();
    });
    row.append(this.progress);
    this.host.append(this.list);
    game.opened.listen(() => {
      this.end();
      this.list.replaceChildren();
      this.progress.textContent = "";
    });
  }

  private end() {
    ++this.round;
    this.isRunning = false;
    this.act.textContent = "search the game";
  }

  private async run() {
    if (!this.searchers.mayBegin()) return;
    this.analysis.toggle(false);
    const round = ++this.round;
    const { first } = this.searchers;
    const begun = first.round;
    const isPast = () => round !== this.round || begun !== first.round;  // or the engine has to do something else
    const { line } = this.game.node;
    this.isRunning = true;
    this.act.textContent = "end";
    try {
      const wanted = Math.round(numberIn(this.simulations, 1, "simulations"));
      for (const node of line) {
        this.progress.textContent = `ply ${node.ply} of ${line.length - 1}`;
        await this.search(node, wanted, isPast);
        if (isPast()) return;
        this.game.changed.tell();
      }
      this.show();
    } catch (error) {
      this.messages.fail(error);
    } finally {
      if (round === this.round) this.end();
    }
  }

  /** Has engine A search a position, unless an analysis has already found as much. */
  private async search(node: Node, wanted: number, isPast: () => boolean) {
    const { tree } = this.game;
    const { engine } = this.searchers.first;
    if ((node.report?.simulations ?? 0) >= wanted) return;
    node.state ??= await this.game.arbiter!.state(tree.lineTo(node));
    let found = 0;
    while (found < wanted && !node.state.over && !isPast()) {
      const report = await engine.simulate(tree.lineTo(node), Math.min(wanted - found, mostAtOnce));
      this.analysis.remember(this.searchers.first, node, report);
      if (report.simulations <= found) return;  // the position is solved
      found = report.simulations;
    }
  }

  /** The losses of the line shown that are known, the greatest first. */
  private get losses(): Loss[] {
    const least = numberIn(this.least, 0, "%") / 100;
    return this.game.node.line.slice(1).flatMap((node) => {
      const colour = node.colour;
      const before = colour ? node.parent!.valueFor(colour) : undefined;
      const now = colour ? valueAfter(node, colour) : undefined;
      return colour && before !== undefined && now !== undefined && before - now >= least
        ? [{ node, colour, value: before - now }] : [];
    }).sort((a, b) => b.value - a.value);
  }

  private show() {
    const { losses } = this;
    this.progress.textContent = losses.length === 0 ? `no move lost ${this.least.value} % or more`
      : `${losses.length} ${losses.length === 1 ? "move" : "moves"}, the worst first`;
    this.list.replaceChildren();
    for (const { node, colour, value } of losses) {
      const better = node.parent!.report?.move;
      const words = `${node.ply}. ${node.move}: ${Math.round(100 * value)} % lost` + (better && better !== node.move ? `, ${better} was better` : "");
      const made = button(make(this.list, "li"), words, `go to the position before ply ${node.ply}`, () => void this.game.go(node.parent!));
      made.prepend(seatSign(null, colour));
    }
  }
}

/** Throws if the field holds no number from `least` on. */
function numberIn({ value }: HTMLInputElement, least: number, words: string): number {
  const number = Number(value);
  if (!value.trim() || !(number >= least)) throw new Error(`Mistakes: '${value}' is no number of ${words}`);
  return number;
}

/** What the position after a move is worth to the side that moved; at the end of the game, its share of the point. */
function valueAfter(node: Node, colour: string): number | undefined {
  return node.state?.shares?.[colour] ?? node.valueFor(colour);
}
