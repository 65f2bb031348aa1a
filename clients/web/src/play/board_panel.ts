// The board of the page: shows the position, and lets people choose moves on it.

import { Board } from "../board/board";
import { Sites } from "../board/sites";
import { Choice } from "../game/choice";
import type { Game } from "../game/game";
import { button, make, onceAFrame } from "../markup";
import type { State } from "../server/protocol";
import { Signal } from "../signal";

export class BoardPanel {
  readonly host = make(null, "div", "board-host");
  /** Words to play, such as `pass`, and the points chosen so far. */
  readonly words = make(null, "div", "words-to-play");
  readonly place = make(null, "output", "place");
  readonly spoken = make(null, "p", "spoken");
  /** The position or the points chosen have been drawn: time for marks over them. */
  readonly drawn = new Signal();
  /** Why people may choose no move now; "" if they may. */
  hindrance = () => "";

  board!: Board;
  private sites?: Sites;
  private choice?: Choice;
  private isTurned = false;
  /** Whether the board shows another position than the game's. */
  isPreview = false;
  private previews = 0;

  /** Nobody chooses moves on a board that is `isReadOnly`. */
  constructor(private readonly game: Game, private readonly isReadOnly: boolean, private readonly fail: (error: unknown) => void) {
    this.spoken.setAttribute("aria-live", "polite");
    const draw = onceAFrame(() => this.draw());
    game.opened.listen(() => this.makeBoard());
    game.moved.listen(() => {
      this.choice = undefined;
      this.isPreview = false;
      ++this.previews;
      draw();
    });
    game.known.listen(draw);
    this.host.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (event.deltaY < 0) game.back();
      else game.forward();
    }, { passive: false });
  }

  private makeBoard() {
    this.host.replaceChildren();
    this.board = new Board(this.host, this.game.geometry, this.isTurned);
    if (this.isReadOnly) return;
    this.sites = new Sites(this.board, (point) => this.choose(point), (point) => Boolean(
      this.choice && this.choice.steps.length === 0 && this.choice.next.has(point) && this.board.letterAt(point) !== "."), () => {
      const { target } = this.sites!;
      if (target) this.spoken.textContent = `${target}: touch it again, or its button, to play there.`;
      this.offer();
    });
  }

  turn() {
    this.isTurned = !this.isTurned;
    this.makeBoard();
    this.draw();
  }

  /** Shows the node's position and words. */
  private draw() {
    if (this.isPreview) return;
    const { node, state } = this.game;
    if (state) {
      this.board.show(state.position, node.parent?.state?.position);
      this.board.showDecisive(state.decisive ?? []);
    }
    if (state && this.sites) {
      this.sites.describe();
      if (this.choice?.state !== state) this.choice = state.over ? undefined : new Choice(state);
    }
    this.offer();
    const last = node.parent ? `${node.colour ?? ""} ${node.move}` : "start of the game";
    const next = state?.over ? state.result ?? "the game is over" : state ? `${state.to_move} to move` : "";
    this.place.textContent = `ply ${node.ply}: ${last}. ${next}`;
    this.place.classList.toggle("over", Boolean(state?.over));
    if (state) this.spoken.textContent = `${last}. ${next}.`;
    this.board.svg.setAttribute("aria-label", `Board after ply ${node.ply}: ${last}. ${next}`);
  }

  /** The points chosen of the next move. */
  get chosen(): string[] {
    return this.choice?.steps ?? [];
  }

  private choose(step: string) {
    const { state } = this.game;
    if (!state) return;  // the server tells at once what is legal
    const refusal = this.hindrance() || this.refusal(step, state);
    if (refusal) return this.fail(new Error(refusal));
    const move = this.choice!.choose(step);
    if (move) this.choice = undefined;
    this.offer();
    if (move) this.game.play(move);
  }

  /** Why a step cannot be chosen now; "" if it can. */
  private refusal(step: string, state: State): string {
    if (state.over) return `The game is over: ${state.result}.`;
    if (this.choice!.allows(step)) return "";
    const next = [...this.choice!.next];
    const legal = next.length <= 6 ? next.join(", ") : `one of the ${next.length} points that the board marks`;
    const [what, from] = this.chosen.length > 0 ? [step, ` after ${this.chosen.join(" ")}`]
      : [`${step} (${this.board.wordsFor(step)})`, ""];
    return `${what} is not legal${from}: ${state.to_move} may choose ${legal}.`;
  }

  private offer() {
    const next = this.choice?.next ?? new Set<string>();
    this.sites?.offer(next, this.chosen);
    this.words.replaceChildren();
    const target = this.sites?.target;
    this.board.showTarget(target, this.game.state?.to_move);
    if (target) {
      button(this.words, `play ${target}`, "or touch the point again", () => {
        this.sites!.aimAt(undefined);
        this.choose(target);
      }).classList.add("primary");
    }
    const points = new Set(this.game.geometry.sites.map(({ name }) => name));
    for (const word of [...next].filter((step) => !points.has(step))) {
      button(this.words, word, `play ${word}`, () => this.choose(word));
    }
    if (this.chosen.length > 0) {
      make(this.words, "span", "", `${this.chosen.join(" ")} …${this.question([...next])}`);
      button(this.words, "cancel", "choose anew (Esc)", () => this.cancel());
    }
    this.drawn.tell();
  }

  /** What the last step of a move is to say, where it only names one of the pieces that may be taken. */
  private question(next: string[]): string {
    const isCapture = this.chosen.length > 1 && next.every((step) => this.board.letterAt(step) !== ".");
    return isCapture ? ` which man is taken: ${next.join(" or ")}?` : "";
  }

  /** Gives up the points chosen, and where a finger aims; false if there was nothing. */
  cancel(): boolean {
    const hadSome = this.chosen.length > 0 || this.sites?.target !== undefined;
    this.sites?.aimAt(undefined);
    if (this.choice) this.choice.steps = [];
    this.offer();
    return hadSome;
  }

  /** The points that a person chooses for a move of the position shown, one after another. */
  stepsOf(move: string): string[] {
    const { state } = this.game;
    const at = state?.legal.indexOf(move) ?? -1;
    return state && at >= 0 ? state.steps[at] : move.match(/[a-z]\d+/g) ?? [move];
  }

  /** Marks a word to play, such as `pass`, as the best move; a move on the board, or nothing, marks none. */
  markWord(word: string | undefined) {
    for (const each of this.words.querySelectorAll("button")) each.classList.toggle("best", each.textContent === word);
  }

  /** Shows a line of moves on the board, without leaving the position; null ends that. */
  async preview(moves: string[] | null) {
    const preview = ++this.previews;
    this.isPreview = moves !== null;
    if (!moves || !this.game.arbiter) {
      this.isPreview = false;
      this.draw();
      return;
    }
    try {
      const { tree, node } = this.game;
      const line = tree.lineTo(node);
      const state = await this.game.arbiter.state({ ...line, moves: [...line.moves, ...moves] });
      if (preview !== this.previews) return;
      this.board.show(state.position, node.state?.position);
      this.board.showHeat(new Map());
      this.showPath(moves);
      this.place.textContent = `preview: ${moves.join(" ")}`;
    } catch (error) {
      this.fail(error);
    }
  }

  /** Numbers the first moves of a line on the board, in the colours of those who make them in turn. */
  showPath(moves: string[]) {
    const { colours } = this.game.geometry;
    const first = colours.indexOf(this.game.state?.to_move ?? colours[0]);
    this.board.showMarks(moves.slice(0, 9).map((move, i) => ({
      points: this.stepsOf(move), strength: 0.35, style: `path ${colours[(first + i) % colours.length]}`, words: [String(i + 1)],
    })));
  }
}
