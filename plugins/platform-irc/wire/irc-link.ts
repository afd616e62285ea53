import type { Socket } from "node:net";
import { ToolFailure, type Logger } from "hermes-agent/plugin";
import type { IrcSettings } from "../settings.ts";
import { foldName, parseIrcLine, type IrcLine } from "./irc-line.ts";
import { lineReader } from "./line-reader.ts";
import { openSocket } from "./open-socket.ts";
import { Registration, type Registered } from "./registration.ts";
import { saying, type SentMessage } from "./saying.ts";
import { Channels } from "./channels.ts";

/** Timeout from connecting to having joined the channels. */
const OPEN_TIMEOUT_MS = 30_000;
const LOOK_AFTER_MS = 60_000;
const SILENT_AFTER_MS = 180_000;
const MAX_LINE_BYTES = 510;
/** Assumed length of the source prefix while unknown: a name of 10 and a host of 63. */
const UNKNOWN_MASK = 75;

export interface IrcMessage {
  readonly nick: string;
  /** The sender's account; absent if the server reports no accounts, empty for a user without one. */
  readonly account?: string;
  readonly target: string;
  readonly text: string;
}

export interface LinkPorts {
  readonly log: Logger;
  message(message: IrcMessage): void;
  closed(reason: string): void;
}

/** One registered connection to a server, in its channels. */
export class IrcLink {
  readonly #settings: IrcSettings;
  readonly #ports: LinkPorts;
  readonly #socket: Socket;
  readonly #channels: Channels;
  readonly #saying: SentMessage;
  #registered: Registered | undefined;
  #entered = false;
  #maskBytes = UNKNOWN_MASK;
  #receivedAt = performance.now();
  #lastWords = "";
  #nickname: string;

  private constructor(settings: IrcSettings, ports: LinkPorts, socket: Socket) {
    this.#settings = settings;
    this.#ports = ports;
    this.#socket = socket;
    this.#nickname = settings.nickname;
    this.#channels = new Channels(settings.channels, (line) => this.#write(line), ports.log);
    this.#saying = saying((line) => this.#write(line), settings.linesPerSecond);
  }

  /** @throws {UserError} if the user must change a setting, else {ToolFailure}. */
  static async open(settings: IrcSettings, ports: LinkPorts): Promise<IrcLink> {
    const link = new IrcLink(settings, ports, await openSocket(settings, OPEN_TIMEOUT_MS));
    await link.#enter();
    return link;
  }

  get nickname(): string {
    return this.#nickname;
  }

  /** Bytes of text that fit into one line to this target. */
  room(target: string): number {
    return MAX_LINE_BYTES - Buffer.byteLength(`:${this.#nickname}! PRIVMSG ${target} :`) - this.#maskBytes;
  }

  say(target: string, lines: readonly string[]): ReturnType<SentMessage["say"]> {
    return this.#saying.say(target, lines);
  }

  /** Sends QUIT. Resolves when the connection is closed. */
  async close(reason: string): Promise<void> {
    if (this.#socket.closed) return;
    const closed = new Promise<void>((resolve) => void this.#socket.once("close", () => resolve()));
    this.#write(`QUIT :${reason}`);
    this.#socket.end();
    const timer = setTimeout(() => this.#socket.destroy(), 2_000);
    await closed;
    clearTimeout(timer);
  }

  async #enter(): Promise<void> {
    const socket = this.#socket;
    const registration = new Registration(this.#settings, (line) => this.#write(line));
    const late = setTimeout(() => {
      registration.broke(`it took longer than ${OPEN_TIMEOUT_MS / 1000} s`);
      this.#channels.giveUp();
    }, OPEN_TIMEOUT_MS);
    const lookAfter = setInterval(() => this.#lookAfter(), LOOK_AFTER_MS);
    const read = lineReader((text) => {
      const line = parseIrcLine(text);
      if (line === undefined) return;
      if (this.#registered === undefined) registration.take(line);
      this.#take(line);
    });
    socket.on("data", (bytes: Buffer) => {
      this.#receivedAt = performance.now();
      read(bytes);
    });
    socket.on("error", (cause) => (this.#lastWords ||= cause.message));
    socket.on("end", () => socket.end());
    socket.on("close", () => {
      clearInterval(lookAfter);
      const reason = this.#lastWords || "the server closed it";
      registration.broke(reason);
      this.#channels.giveUp();
      this.#saying.lost();
      if (this.#entered) this.#ports.closed(reason);
    });
    try {
      this.#registered = await registration.done;
      this.#nickname = this.#registered.nickname;
      this.#channels.join();
      await this.#channels.settled;
      if (socket.closed)
        throw new ToolFailure(
          "unreachable",
          `${this.#settings.server} ended the connection: ${this.#lastWords || "it gave no reason"}.`,
        );
      this.#entered = true;
    } catch (cause) {
      socket.destroy();
      throw cause;
    } finally {
      clearTimeout(late);
    }
  }

  #take(line: IrcLine): void {
    const { command, source, params } = line;
    const mine = source !== undefined && foldName(source.nick) === foldName(this.#nickname);
    if (mine && source.host !== undefined) this.#maskBytes = Buffer.byteLength(`${source.user ?? ""}@${source.host}`);
    if (command === "PING") this.#write(`PONG :${params.at(-1) ?? ""}`);
    else if (command === "ERROR") this.#lastWords = params.at(-1) ?? "";
    else if (command === "NICK" && mine) this.#nickname = params[0] ?? this.#nickname;
    else if (command === "PRIVMSG" && !mine) this.#receive(line);
    this.#channels.take(line, mine, this.#nickname);
    this.#saying.take(line);
  }

  #receive({ source, params, tags }: IrcLine): void {
    const [target = "", output = ""] = params;
    if (source?.user === undefined) return; // A message of the server itself.
    const action = /^\u0001ACTION (.*?)\u0001?$/.exec(output)?.[1]; // oxlint-disable-line no-control-regex
    if (action === undefined && output.startsWith("\u0001")) return; // A CTCP request.
    const account = this.#registered?.advertisesAccounts === true ? { account: tags["account"] ?? "" } : {};
    this.#ports.message({
      nick: source.nick,
      ...account,
      target,
      text: action === undefined ? output : `* ${source.nick} ${action}`,
    });
  }

  /** Every minute: checks the server, missing channels, and whether the nickname is free again. */
  #lookAfter(): void {
    if (performance.now() - this.#receivedAt > SILENT_AFTER_MS) {
      this.#lastWords = "the server stopped answering";
      this.#socket.destroy();
      return;
    }
    this.#write("PING :here");
    const wanted = this.#registered?.wanted ?? this.#settings.nickname;
    if (foldName(this.#nickname) !== foldName(wanted)) this.#write(`NICK ${wanted}`);
    this.#channels.join();
  }

  #write(line: string): void {
    // Replace line breaks, so that no text can inject a second command.
    // oxlint-disable-next-line no-control-regex
    if (this.#socket.writable) this.#socket.write(`${line.replaceAll(/[\r\n\0]/g, " ")}\r\n`);
  }
}
