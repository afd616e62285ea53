import { carryFile } from "../carrier/carry-file.ts";
import type { StartShell } from "./channel.ts";
import { channelBackground } from "./channel-background.ts";
import { bytesWord, escaped } from "./backend-script.ts";
import { quoted } from "../../contract/common/quoted.ts";
import { asideLine, fileText, inlineText, runLine, type CommandText } from "./shell-script.ts";
import type { BackgroundRun, BackgroundStart, Shell, ShellEnd, ShellRun } from "./shell.ts";
import { ShellTalk, type ChannelShellOptions } from "./shell-talk.ts";
import { within } from "../backend/within.ts";

/** A longer command travels by a file, which bash reads in blocks. */
const INLINE_LIMIT = 1_024;
/** A command's input goes through the shell's own pipe up to this length, and through a separate channel above. */
const ORDER_LIMIT = 32_768;
/** How long a place may take to stop what it runs before it counts as lost. */
const STOP_LIMIT_MS = 10_000;
/** How long what runs may take to end after SIGTERM, and how often the place looks at least. */
const GRACE_MS = 800;
const LOOK_MS = 40;
const SETTLE_MS = 300;
const END_LIMIT_MS = 3_000;
const LOOK_LIMIT_MS = 3_000;

/**
 * A bash that stays open in a place that is reached by three pipes only.
 * @param startShell Called once for the shell, and again for each long input, which travels beside it.
 * @throws {TerminalUnavailable} The place cannot be reached or has no bash.
 */
export async function openPersistentShell(startShell: StartShell, options: ChannelShellOptions): Promise<Shell> {
  const talk = new ShellTalk(await startShell());
  try {
    await talk.begin(options);
    return new ChannelShell(talk, startShell);
  } catch (error) {
    talk.drop();
    throw error;
  }
}

interface Command {
  readonly id: number;
  /** Resolves when the command has ended and all it wrote has come. */
  readonly over: Promise<number>;
  readonly drained: Promise<void>;
  /** In the shell's directory, for this command only. */
  readonly files: string[];
}

class ChannelShell implements Shell {
  readonly manyCopies = false;
  readonly #talk: ShellTalk;
  readonly #startShell: StartShell;
  readonly #looks = new Map<number, Promise<readonly number[]>>();
  #slot = 0;
  #nextId = 0;
  #busy = false;
  #keepsState = false;
  /** A process in it outlives us: it accepts no further command and is not ended. */
  #left = false;

  constructor(talk: ShellTalk, startShell: StartShell) {
    this.#talk = talk;
    this.#startShell = startShell;
  }

  get cwd(): string {
    return this.#talk.cwd;
  }

  get home(): string {
    return this.#talk.home;
  }

  get idle(): boolean {
    return !this.#busy && !this.#left && this.#talk.over === undefined;
  }

  get ended(): boolean {
    return this.#talk.over !== undefined;
  }

  async run(run: ShellRun): Promise<ShellEnd> {
    return this.#foreground(run, (id, text, stdin) =>
      runLine({ id, slot: this.#slotName, text, stdin, cwd: run.cwd, mark: this.#runMark(id) }),
    );
  }

  async runBeside(run: ShellRun): Promise<ShellEnd> {
    return this.#foreground(run, (id, text, stdin) =>
      asideLine({
        id,
        slot: this.#slotName,
        text,
        stdin,
        cwd: run.cwd,
        exports: run.exports,
        mark: this.#runMark(id),
        background: false,
      }),
    );
  }

  async background(run: BackgroundStart): Promise<BackgroundRun> {
    this.#busy = true;
    const held = this.#talk.hold();
    const id = (this.#nextId += 1);
    const started = this.#talk.notices.wait("started", id);
    const input = `"$__h/${id}.in"`;
    let command: Command;
    try {
      command = await this.#send(
        id,
        { ...run, stdin: undefined },
        (text) =>
          asideLine({
            id,
            slot: this.#slotName,
            text,
            stdin: input,
            cwd: run.cwd,
            exports: run.exports,
            mark: this.#runMark(id),
            background: true,
          }),
        `mkfifo -m 600 "$h/${id}.in" "$h/${id}.feed"; feed ${id} & `,
      );
      command.files.push(`${id}.in`, `${id}.feed`);
    } catch (error) {
      this.#finish(undefined, held);
      throw error;
    }
    const over = Promise.race([
      command.over.then((exitCode) => ({ endedBy: "exit", exitCode }) as const),
      this.#talk.gone.then(async (exitCode) => (await this.#drain(command), { endedBy: "exit", exitCode } as const)),
      this.#talk.lost.then(() => ({ endedBy: "lost" }) as const),
    ]);
    const pid = Number(await Promise.race([started, over.then(() => "0")]));
    const ended = over.then((end) => {
      this.#finish(command, held, `printf '.\\n' 1<>"$h/${id}.feed"; `);
      return end;
    });
    return channelBackground({
      id,
      pid,
      mark: this.#runMark(id),
      ended,
      drained: command.drained,
      lost: this.#talk.lost,
      order: (line) => this.#talk.order(line),
      notice: (kind) => this.#talk.notices.wait(kind, id),
      stop: (graceMs) => this.#stop(command, graceMs),
      leaving: () => (this.#left = true),
    });
  }

  exportsFile(): string {
    return `${this.#talk.directory}/exports`;
  }

  exports(): string {
    this.#keepsState = true;
    const now = quoted(this.exportsFile());
    const left = quoted(`${this.#talk.directory}.state`);
    return `if [ -r ${now} ]; then . ${now}; elif [ -r ${left} ]; then . ${left}; command rm -f -- ${left}; fi`;
  }

  async inUse(): Promise<boolean> {
    if (this.#talk.over === "lost") return false;
    if (this.#busy) return true;
    const used = this.#talk.notices.wait("used", 0);
    this.#talk.order("in_use");
    return (await Promise.race([within(END_LIMIT_MS, used), this.#talk.lost.then(() => undefined)])) === "yes";
  }

  async retire(): Promise<string | undefined> {
    using _held = this.#talk.hold();
    this.#talk.retiring = true;
    await this.run({
      command: "exit 0",
      cwd: undefined,
      stdin: undefined,
      output: () => {},
      stop: new Promise(() => {}),
    });
    const pieces: Buffer[] = [];
    const whole = this.#talk.data.until("0", (bytes) => void pieces.push(Buffer.from(bytes)));
    this.#talk.order("show_state");
    const shown = await within(END_LIMIT_MS, Promise.race([whole.then(() => true), this.#talk.lost.then(() => false)]));
    await this.end(0);
    return shown === true ? Buffer.concat(pieces).toString("utf8") : undefined;
  }

  async end(graceMs = 800): Promise<void> {
    using _held = this.#talk.hold();
    if (!this.#left)
      this.#talk.order(
        `spared=; ${graceMs > 0 ? `end_tree ${Math.ceil(graceMs / 40)} ${this.#talk.mark}.none; ` : ""}finish ${this.#keepsState ? "keep" : "drop"}`,
      );
    if (!this.#left) await within(graceMs + END_LIMIT_MS, this.#talk.closed);
    this.#talk.drop();
  }

  endNow(): void {
    this.#talk.drop();
  }

  async #foreground(run: ShellRun, line: (id: number, text: CommandText, stdin: string) => string): Promise<ShellEnd> {
    this.#busy = true;
    const held = this.#talk.hold();
    const id = (this.#nextId += 1);
    let command: Command | undefined;
    try {
      command = await this.#send(id, run, (text, stdin) => line(id, text, stdin));
      run.onStarted?.(() => this.#look(id));
      const first = await Promise.race([
        command.over,
        this.#talk.gone.then(() => "gone" as const),
        this.#talk.lost.then((reason) => ({ reason })),
        run.stop.then(() => "stop" as const),
      ]);
      if (first === "stop")
        return (await this.#stop(command)) ? { kind: "stopped" } : { kind: "lost", reason: await this.#talk.lost };
      if (first === "gone") {
        await this.#drain(command);
        return shellEnd(await this.#talk.gone);
      }
      return typeof first === "number" ? { kind: "exit", code: first } : { kind: "lost", reason: first.reason };
    } finally {
      this.#finish(command, held);
    }
  }

  /** Sends a command to the shell, with all it needs. */
  async #send(
    id: number,
    run: {
      readonly command: string;
      readonly stdin: string | Uint8Array | undefined;
      readonly output: (bytes: Uint8Array) => void;
    },
    line: (text: CommandText, stdin: string) => string,
    orders = "",
  ): Promise<Command> {
    await this.#talk.initialised;
    const files: string[] = [];
    const put = async (name: string, bytes: Uint8Array) => {
      files.push(name);
      if (bytes.length <= ORDER_LIMIT) orders += `printf '%b' ${bytesWord(bytes)} >"$h/${name}"; `;
      else await carryFile(this.#startShell, `${this.#talk.directory}/${name}`, bytes, this.#talk.lost);
    };
    if (run.command.length > INLINE_LIMIT) await put(`${id}.text`, Buffer.from(run.command));
    const given = typeof run.stdin === "string" ? Buffer.from(run.stdin) : (run.stdin ?? new Uint8Array());
    if (given.length > 0) await put(`${id}.stdin`, given);
    const text =
      run.command.length > INLINE_LIMIT ? fileText(`${this.#talk.directory}/${id}.text`) : inlineText(run.command);
    // Until its order is carried out, those left behind write into what is read here.
    const behind = this.#talk.takeStrays() ? `s${(this.#slot += 1)}` : undefined;
    if (behind !== undefined) orders += `rotate ${behind}; `;
    const reported = Promise.race([this.#talk.notices.wait("done", id), this.#talk.notices.wait("left", id)]);
    const drained = this.#talk.data.until(String(id), run.output, behind);
    this.#talk.order(
      `${orders}spare; printf '%s' ${escaped(line(text, given.length > 0 ? `"$__h/${id}.stdin"` : "/dev/null"))} >&6`,
    );
    return { id, files, drained, over: Promise.all([reported, drained]).then(([rest]) => Number(rest.split(" ")[0])) };
  }

  /**
   * The processes of a command: those of its shell if the shell itself works, none if the environment does not answer.
   */
  #look(id: number): Promise<readonly number[]> {
    const asked = this.#looks.get(id);
    if (asked !== undefined) return asked;
    const message = this.#talk.notices.wait("runs", id);
    this.#talk.order(`runs ${id} ${this.#runMark(id)}`);
    const answer = within(LOOK_LIMIT_MS, Promise.race([message, this.#talk.lost.then(() => "")])).then((words = "") => {
      this.#looks.delete(id);
      return [...new Set(words.split(" ").filter(Boolean).map(Number))];
    });
    this.#looks.set(id, answer);
    return answer;
  }

  /**
   * Ends what a command has started, inside the place. False when the place does not answer: then it counts as lost.
   */
  async #stop(command: Command, graceMs = GRACE_MS): Promise<boolean> {
    const over = Promise.race([command.over, this.#talk.gone]).then(() => true);
    const stopped = this.#talk.notices.wait("stopped", command.id);
    command.files.push(`${command.id}.stop`);
    this.#talk.order(`stop ${command.id} ${this.#runMark(command.id)} ${Math.ceil(graceMs / LOOK_MS)}`);
    const answered = await within(
      STOP_LIMIT_MS + graceMs,
      Promise.race([stopped.then(() => true), this.#talk.lost.then(() => false)]),
    );
    if (answered === true && (await within(SETTLE_MS, over)) === true) return true;
    // It runs something that takes no signal, or became another program: nothing in it can be saved.
    if (answered === true) this.#talk.order(`slay ${this.#runMark(command.id)}`);
    if (
      answered === true &&
      (await within(STOP_LIMIT_MS, Promise.race([over, this.#talk.lost.then(() => false)]))) === true
    )
      return true;
    this.#talk.drop();
    return false;
  }

  /** The shell died during a command, so it could not mark the end of its output: the supervisor does. */
  async #drain(command: Command): Promise<void> {
    this.#talk.order(`printf '%s%s\\001' ${escaped(this.#talk.endMark)} ${command.id} >"$h/${this.#slotName}"`);
    await within(END_LIMIT_MS, Promise.race([command.drained, this.#talk.lost]));
  }

  #finish(command: Command | undefined, held: Disposable, orders = ""): void {
    const files = command?.files ?? [];
    if (this.#talk.over === undefined && files.length > 0)
      this.#talk.order(`${orders}rm -f ${files.map((name) => `"$h/${name}"`).join(" ")}`);
    this.#talk.data.stop();
    for (const kind of ["done", "left"]) this.#talk.notices.forget(kind, command?.id);
    this.#busy = false;
    held[Symbol.dispose]();
  }

  get #slotName(): string {
    return `s${this.#slot}`;
  }

  #runMark(id: number): string {
    return `${this.#talk.mark}.${id}.`;
  }
}

function shellEnd(code: number): ShellEnd {
  return code > 128
    ? { kind: "signal", signal: SIGNALS[code - 128] ?? `signal ${code - 128}` }
    : { kind: "exit", code };
}

const SIGNALS: { readonly [number: number]: string } = {
  1: "SIGHUP",
  2: "SIGINT",
  3: "SIGQUIT",
  6: "SIGABRT",
  9: "SIGKILL",
  11: "SIGSEGV",
  13: "SIGPIPE",
  15: "SIGTERM",
};
