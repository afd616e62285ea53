import { TerminalUnavailable } from "../../contract/providers/terminal.ts";
import type { Channel } from "./channel.ts";
import { ControlReader, type Notice } from "./control-reader.ts";
import { MarkedStream } from "./marked-stream.ts";
import { escaped, environmentScript } from "./backend-script.ts";
import { randomHex } from "./random-hex.ts";
import { initLine } from "./shell-script.ts";
import { ShellNotices } from "./shell-notices.ts";
import { within } from "../backend/within.ts";

export interface ChannelShellOptions {
  /** Empty or `~`: the home directory. One that is gone gives way to the nearest above it. */
  readonly cwd: string;
  /** A folder that is made when it is not there. */
  readonly folder?: string | undefined;
  /** Bash text that brings back an earlier shell's state. */
  readonly state?: string;
  /** Reads the profile of the place's user for the environment it makes. Default false. */
  readonly login?: boolean;
  /** For commands beside those in turn: nothing of it outlasts a lost connection. Default false. */
  readonly beside?: boolean;
  /** Default 30 000. */
  readonly startTimeoutMs?: number;
}

/**
 * Orders to the supervisor of a shell, and its reports: where the shell is, that it has ended, that the connection is
 * lost.
 */
export class ShellTalk {
  readonly notices = new ShellNotices();
  readonly data: MarkedStream;
  /** The environment of all processes of the shell contains this. */
  readonly mark = randomHex(9);
  readonly endMark = `\u0001end ${randomHex(9)} `;
  readonly #channel: Channel;
  readonly #control = new ControlReader();
  readonly #gone = Promise.withResolvers<number>();
  readonly #lost = Promise.withResolvers<string>();
  /** Resolves with the status of the shell itself. */
  readonly gone = this.#gone.promise;
  /** Resolves with why. */
  readonly lost = this.#lost.promise;
  /** The shell has its traps. */
  initialised: Promise<unknown> = Promise.resolve();
  /** The next command that leaves the shell is its last. */
  retiring = false;
  directory = "";
  cwd = "";
  home = "";
  #over: "gone" | "lost" | undefined;
  #strays = new Set<string>();
  #newStrays = false;

  constructor(channel: Channel) {
    this.#channel = channel;
    this.data = new MarkedStream(this.endMark);
    channel.listen(
      (bytes) => this.data.push(bytes),
      (bytes) => this.#control.read(bytes).forEach((notice) => this.#receive(notice)),
    );
    void channel.closed.then((words) => {
      this.#over ??= "lost";
      const noise = this.#control.noise;
      this.#lost.resolve(noise === "" ? words : `${words}: ${noise}`);
    });
  }

  /** @throws {TerminalUnavailable} */
  async begin(options: ChannelShellOptions): Promise<void> {
    using _held = this.hold();
    const ready = this.notices.wait("init", 0);
    this.#channel.write(
      environmentScript({
        name: `hermes-terminal-${randomHex(9)}`,
        mark: `HERMES_TERMINAL=${this.mark}`,
        endMark: this.endMark,
        cwd: options.cwd,
        folder: options.folder,
        state: options.state,
        login: options.login === true,
        keeps: options.beside !== true,
      }),
    );
    const limitMs = options.startTimeoutMs ?? 30_000;
    const first = await within(
      limitMs,
      Promise.race([
        ready.then(() => "ready" as const),
        this.lost.then((why) => ({ why })),
        this.gone.then((code) => ({ why: `bash ended with ${code}` })),
      ]),
    );
    if (first === "ready") return;
    throw new TerminalUnavailable(
      first === undefined
        ? `The shell did not answer within ${limitMs / 1_000} s.`
        : `The shell did not start: ${first.why}`,
      { hint: "The environment must have bash and a directory for temporary files." },
    );
  }

  get over(): "gone" | "lost" | undefined {
    return this.#over;
  }

  get closed(): Promise<string> {
    return this.#channel.closed;
  }

  /** Keeps the process running while a caller waits for output. */
  hold(): Disposable {
    return this.#channel.hold();
  }

  /** Whether commands left processes behind since the last call, which may write to the commands' output. */
  takeStrays(): boolean {
    const are = this.#newStrays;
    this.#newStrays = false;
    return are;
  }

  order(line: string): void {
    if (this.#over !== "lost") this.#channel.write(`${line}\n`);
  }

  /** Lets go of it: the place then sees the end of its input. */
  drop(): void {
    this.#channel.kill();
    this.#over ??= "lost";
  }

  #receive(notice: Notice): void {
    const { kind, rest } = notice;
    if (kind === "dir") this.directory = rest;
    else if (kind === "home") this.home = rest;
    else if (kind === "at") this.cwd = rest;
    else if (kind === "gone") {
      this.#over ??= "gone";
      this.#gone.resolve(Number(rest));
    } else if (kind === "stray") {
      const strays = rest.trim().split(/\s+/);
      this.#newStrays ||= strays.some((pid) => !this.#strays.has(pid));
      this.#strays = new Set(strays);
    } else if (kind === "done" || kind === "left") {
      const cwd = rest.slice(rest.indexOf(" ") + 1);
      if (cwd !== "") this.cwd = cwd;
      if (kind === "left" && !this.retiring) this.#initialise();
    }
    this.notices.report(notice);
  }

  /** A command has left the shell: a new one has taken its place and waits for its first words. */
  #initialise(): void {
    this.initialised = Promise.race([this.notices.wait("init", 0), this.gone, this.lost]);
    this.order(`printf '%s' ${escaped(initLine(this.directory))} >&6`);
  }
}
