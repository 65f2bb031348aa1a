// A session at the server: a WebSocket whose frames are lines of the protocol (docs/protocol.md, "WebSocket").

import { thisTab } from "../storage";
import { askToken } from "./token_dialog";

/** Why a command has failed: `code` is one of the protocol's, or `disconnected`. */
export class CommandError extends Error {
  constructor(readonly code: string, text: string) {
    super(text);
  }
}

interface Pending {
  update?: (line: string) => void;
  done: (text: string) => void;
  failed: (error: Error) => void;
}

const tokenKey = "token";
const longestWait = 30;
/** Bytes; a longer one ends the connection. */
const longestFrame = 65536;
/** Seconds from one look at a connection to the next. */
const lookInterval = 7;
/** At which look in silence the server is asked for a word, and at which the connection is given up. */
const askAt = 2, giveUpAt = 4;

/** The token that the server has refused, and why: other connections need not show it. */
let refusal: { token: string | null; why: string } | undefined;
/** Connections show their token one after another. */
let turn: Promise<void> = Promise.resolve();

export class Connection {
  isOpen = false;
  /** Called whenever commands can be sent: at first, and with a new session after each loss. */
  opened = () => {};
  /** Called when the connection is lost, and before each new try. */
  lost = (_reason: string, _seconds: number) => {};

  /** A line would end what it listens to: nobody asks whether it has died. */
  isListening = false;

  private socket?: WebSocket;
  private pending = new Map<number, Pending>();
  private id = 0;
  private wait = 1;
  private timer = 0;
  /** Looks since something has come. */
  private silence = 0;
  private readonly looking = setInterval(() => this.look(), 1000 * lookInterval);

  connect() {
    clearTimeout(this.timer);
    const socket = new WebSocket(new URL("gtp", location.href.replace(/^http/, "ws").replace(/#.*/, "")));
    this.socket = socket;
    this.silence = 0;
    socket.onopen = () => {
      turn = turn.then(() => this.enter(socket));
    };
    socket.onmessage = ({ data }) => this.receive(data);
    socket.onclose = ({ reason, code }) => {
      if (this.socket === socket) this.retry(reason || `the server has gone away (${code})`);
    };
  }

  /** Waits; fails, as a command does, if the connection is lost meanwhile. */
  rest(seconds: number): Promise<string> {
    return new Promise((done, failed) => {
      const id = ++this.id;
      this.pending.set(id, { done, failed });
      setTimeout(() => {
        if (this.pending.delete(id)) done("");
      }, 1000 * seconds);
    });
  }

  /** Sends a line; `update` gets each line that comes before the command's end. */
  command(line: string, update?: (line: string) => void): Promise<string> {
    if (/[\r\n]/.test(line)) return Promise.reject(new CommandError("bad-argument", "a command is one line"));
    return this.isOpen ? this.send(line, update)
      : Promise.reject(new CommandError("disconnected", "there is no connection to the server"));
  }

  /** Ends the command that runs: its answer comes early. */
  interrupt() {
    // A comment: nothing answers it.
    if (this.isOpen) this.socket!.send(JSON.stringify({ id: ++this.id, line: "# interrupt" }));
  }

  private send(line: string, update?: (line: string) => void): Promise<string> {
    const id = ++this.id;
    const frame = JSON.stringify({ id, line });
    if (new TextEncoder().encode(frame).length > longestFrame) {
      return Promise.reject(new CommandError("limit", `this is too long for the server, which takes ${longestFrame} bytes`));
    }
    return new Promise((done, failed) => {
      this.pending.set(id, { update, done, failed });
      this.socket!.send(frame);
    });
  }

  /** A connection that has died is silent for ever: one that is silent is asked for an option, which ends no search. */
  private look() {
    if (!this.socket || this.isListening) return;
    ++this.silence;
    if (this.silence === askAt && this.isOpen) this.send("getoption threads").catch(() => {});
    if (this.silence >= giveUpAt) this.giveUp("the server does not answer");
  }

  /** Begins anew with another connection, soon. */
  giveUp(reason: string) {
    const { socket } = this;
    if (!socket) return;
    this.retry(reason);
    socket.close();
  }

  /** Ends for good: commands that run fail. */
  close() {
    const { socket } = this;
    clearInterval(this.looking);
    clearTimeout(this.timer);
    this.drop("the page has ended this connection");
    socket?.close();
  }

  private receive(data: string) {
    this.silence = 0;
    const frame = JSON.parse(data);
    const pending = this.pending.get(frame.id);
    if (!pending) return;
    if (frame.update !== undefined) {
      pending.update?.(frame.update);
      return;
    }
    this.pending.delete(frame.id);
    if (frame.ok) pending.done(frame.text);
    else pending.failed(new CommandError(frame.code, frame.text));
  }

  /** Shows the token, if there is one; the server may want one, or another. */
  private async enter(socket: WebSocket) {
    if (socket.readyState !== WebSocket.OPEN) return;  // it was lost meanwhile
    const token = thisTab.get(tokenKey);
    if (refusal && refusal.token === token) return void this.enterAnew(refusal);
    try {
      if (token) await this.send(`auth ${token}`);
      await this.send("known_command state");
    } catch (error) {
      const { code, message } = error as CommandError;
      if (code === "needs-token" || code === "wrong-token") {
        refusal = { token, why: token ? message : "" };
        void this.enterAnew(refusal);
      } else {
        socket.close();  // whose end says why
      }
      return;
    }
    this.isOpen = true;
    this.wait = 1;
    this.opened();
  }

  /** Waits for another token without a session, which the server would end meanwhile, and begins one with it. */
  private async enterAnew({ token, why }: { token: string | null; why: string }) {
    const { socket } = this;
    this.socket = undefined;
    socket?.close();
    // Another connection may have been given one meanwhile.
    if (thisTab.get(tokenKey) === token) thisTab.set(tokenKey, await askToken(why));
    refusal = undefined;
    this.connect();
  }

  private drop(reason: string) {
    this.socket = undefined;
    this.isOpen = false;
    for (const { failed } of this.pending.values()) failed(new CommandError("disconnected", reason));
    this.pending.clear();
  }

  private retry(reason: string) {
    this.drop(reason);
    const seconds = this.wait * (0.5 + Math.random() / 2);
    this.wait = Math.min(2 * this.wait, longestWait);
    this.lost(reason, seconds);
    this.timer = window.setTimeout(() => this.connect(), 1000 * seconds);
  }
}
