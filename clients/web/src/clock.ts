// The clocks of a game, which the page keeps: of people and engines alike.

import { make } from "./markup";
import { seatSign } from "./board";

export interface ClockSettings {
  main: number;
  increment: number;
}

export class Clock {
  private left = new Map<string, number>();
  private faces = new Map<string, HTMLElement>();
  private mover: string | null = null;
  private since = 0;

  constructor(host: Element, colours: string[], private readonly settings: ClockSettings | null) {
    host.replaceChildren();
    if (!settings) return;
    for (const colour of colours) {
      this.left.set(colour, settings.main);
      const face = make(host, "span", "clock");
      seatSign(face, colour);
      this.faces.set(colour, make(face, "output", "", ""));
    }
    const timer = window.setInterval(() => {
      if (!host.isConnected || !this.faces.get(colours[0])?.isConnected) clearInterval(timer);
      else this.show();
    }, 100);
  }

  /** The clock of `colour` runs from now on; the one that ran gets its increment if its side has moved. */
  turn(colour: string | null, hasMoved: boolean) {
    if (!this.settings) return;
    if (this.mover) {
      this.left.set(this.mover, this.now(this.mover) + (hasMoved ? this.settings.increment : 0));
    }
    this.mover = colour;
    this.since = performance.now();
    this.show();
  }

  private now(colour: string): number {
    const used = colour === this.mover ? (performance.now() - this.since) / 1000 : 0;
    return this.left.get(colour)! - used;
  }

  /** What tells the server of this clock before a search for `colour`. */
  commands(colour: string): string[] {
    if (!this.settings) return ["kata-time_settings none"];
    const { main, increment } = this.settings;
    return [`kata-time_settings fischer ${main} ${increment}`,
      `time_left ${colour} ${Math.max(0, Math.floor(this.now(colour)))} 0`];
  }

  private show() {
    for (const [colour, face] of this.faces) {
      const seconds = this.now(colour);
      const whole = Math.max(0, Math.ceil(seconds));
      face.textContent = seconds <= 0 ? "time is over"
        : `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
      face.parentElement!.classList.toggle("runs", colour === this.mover);
      face.parentElement!.classList.toggle("alarm", seconds < 10);
    }
  }
}
