import { execFile, spawn, type ChildProcess } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { TerminalUnavailable, type ScreenSize, type Walls } from "hermes-agent/plugin";
import { backgroundLine, besideLine, fileText, initLine, initScript, inlineText, quoted, randomHex, RESIZE, resizeCall, runLine, type BackgroundRun, type BackgroundStart, type CommandText, type Shell, type ShellEnd, type ShellRun, type WrapLaunch, type WrappedLaunch } from "hermes-agent/terminal";
import { BOOT, FIRST_SLOTS } from "./boot-script.ts";
import { Keeper } from "./keeper.ts";
import { Pipe, WritingPipe } from "./pipe.ts";
import { pipesFolder } from "./pipes-folder.ts";
import { alive, childrenOf, descendants, endTree, groupMembers, hasMark, killNow, marked, seenFromHere, signal } from "./process-tree.ts";

/** How long a tree may take to end after SIGTERM before it is killed. */
const GRACE_MS = 800;
const INLINE_LIMIT = 1_024;
const RESIZE_LIMIT_MS = 5_000;
/** `prctl` on Linux, by processor. */
const PRCTL: Partial<Record<NodeJS.Architecture, string>> = { x64: "157", arm64: "167", riscv64: "167", loong64: "167", ia32: "172", arm: "172", ppc64: "171", s390x: "172" };

export interface ShellStart {
  readonly cwd: string;
  readonly environment: Record<string, string>;
  /** Bash text that brings back an earlier shell's state. */
  readonly state?: string;
  /** Where it makes its own folder: the terminal's, whose shells see each other's. Default: that of all shells. */
  readonly folder?: string;
  /** Puts a sandbox around the shell and all that it starts. */
  readonly wrapLaunch?: WrapLaunch;
}

interface KeptShellParts {
  readonly directory: string;
  readonly mark: string;
  readonly child: ChildProcess;
  readonly watchdog: number;
  readonly pid: number;
  /** Numbers that the shell tells may be those of a sandbox. */
  readonly sandboxed: boolean;
  readonly walls: Walls | undefined;
  readonly ended: (() => void) | undefined;
  readonly cwd: string;
  readonly home: string;
}

interface Slot {
  readonly name: string;
  made: boolean;
  pipe: Pipe | undefined;
}

/** A command in the background, or what it left behind once it is `over`. */
interface Background {
  readonly id: number;
  pid: number;
  readonly input: WritingPipe;
  readonly output: Pipe;
  over: boolean;
}

type Report = { readonly kind: "done" | "left"; readonly code: number; readonly cwd: string };

/** One bash that stays open, with the named pipes around it. Knows how to run, to run beside, to run in the background and to end all of it. */
export class KeptShell implements Shell {
  readonly directory: string;
  readonly home: string;
  readonly manyCopies = true;
  readonly walls: Walls | undefined;
  readonly #mark: string;
  readonly #child: ChildProcess;
  readonly #watchdog: number;
  /** Of the bash itself, as this process sees it. */
  readonly pid: number;
  readonly #sandboxed: boolean;
  readonly #onEnd: (() => void) | undefined;
  readonly #in: Pipe;
  readonly #control: Pipe;
  readonly #slots: Slot[];
  readonly #free: Slot[];
  readonly #reports = new Map<number, (report: Report) => void>();
  readonly #notices = new Map<string, (words: string[]) => void>();
  readonly #beside = new Set<number>();
  /** Background commands that outlive the shell: id and number. */
  readonly #kept = new Map<number, number>();
  readonly #background = new Set<Background>();
  /** Slots of commands that left somebody behind. */
  readonly #held: Slot[] = [];
  /** Copies of the shell that run, or have just run, a command. */
  readonly #copies = new Set<number>();
  #nextId = 0;
  #needsInit = true;
  /** The shell has its traps: from then on a stop signal reaches the command and not the shell. */
  #initialised: Promise<unknown> = Promise.resolve();
  #busy = false;
  #ended: { readonly code: number | null; readonly signal: string | null } | undefined;
  readonly #exited: Promise<void>;
  #controlRest = "";
  cwd: string;

  static async start(options: ShellStart): Promise<KeptShell> {
    const above = options.folder ?? pipesFolder();
    const directory = join(above, `hermes-terminal-${randomHex(9)}`);
    const mark = `HERMES_TERMINAL=${randomHex(9)}`;
    const prctl = process.platform === "linux" ? (PRCTL[process.arch] ?? "") : "";
    const plain = { argv: ["bash", "--norc", "--noprofile", "-c", BOOT, "bash", directory, mark, prctl], env: options.environment, cwd: options.cwd, own: above };
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const { argv, env, cwd, channel, walls, ended }: WrappedLaunch = options.wrapLaunch?.(plain) ?? plain;
    const child = spawn(argv[0]!, argv.slice(1), { cwd, env, detached: true, stdio: ["pipe", "pipe", "ignore", ...(channel === undefined ? [] : ["ipc" as const])] });
    try {
      const told = new Promise<readonly number[]>((resolve, reject) => {
        child.once("error", reject);
        child.once("exit", (code) => reject(new Error(`bash ended with ${code} before it was ready`)));
        child.stdout!.once("data", (bytes) => resolve(String(bytes).trim().split(" ").map(Number)));
      });
      const [inside] = await Promise.all([told, channel?.(child)]);
      writeFileSync(join(directory, "init"), initScript(quoted(directory), mark));
      if (options.state !== undefined) writeFileSync(join(directory, "state"), options.state, { mode: 0o600 });
      child.removeAllListeners();
      child.stdout!.destroy();
      // In a sandbox with numbers of its own the shell is not the process we started, but below it.
      const [watchdog, pid] = options.wrapLaunch === undefined ? inside : inside.map((number) => seenFromHere(child.pid!, number));
      return new KeptShell({ directory, mark, child, watchdog: watchdog!, pid: pid!, sandboxed: options.wrapLaunch !== undefined, walls, ended, cwd: options.cwd, home: options.environment["HOME"] ?? homedir() });
    } catch (error) {
      rmSync(directory, { recursive: true, force: true });
      ended?.();
      const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
      throw new TerminalUnavailable(missing ? "The local terminal needs bash, which is not on PATH." : "The local terminal's shell did not start.", {
        hint: missing ? "Install bash, or choose another backend with terminal.backend." : `It starts in ${options.cwd} with its pipes under ${above}.`,
        cause: error,
      });
    }
  }

  private constructor({ directory, mark, child, watchdog, pid, sandboxed, walls, ended, cwd, home }: KeptShellParts) {
    this.#onEnd = ended;
    this.pid = pid;
    this.#sandboxed = sandboxed;
    this.walls = walls;
    this.directory = directory;
    this.cwd = cwd;
    this.home = home;
    this.#mark = mark;
    this.#child = child;
    this.#watchdog = watchdog;
    // Held open for the watchdog, which ends everything when it closes.
    child.stdin!.on("error", () => {});
    (child.stdin as Socket).unref();
    this.#control = new Pipe(join(directory, "control"));
    this.#in = new Pipe(join(directory, "in"), { read: false });
    this.#slots = Array.from({ length: FIRST_SLOTS }, (_, n) => ({ name: `s${n}`, made: true, pipe: undefined }));
    this.#free = this.#slots.toReversed();
    this.#control.listen((bytes) => this.#hear(bytes));
    this.#exited = new Promise((resolve) => {
      child.once("exit", (code, name) => {
        this.#ended = { code, signal: name };
        resolve();
      });
    });
    child.unref();
  }

  /** It can take a command that changes it, or be copied. */
  get idle(): boolean {
    return !this.#busy && this.#ended === undefined;
  }

  get ended(): boolean {
    return this.#ended !== undefined;
  }

  /** Whether something started here is still running. */
  inUse(): boolean {
    return this.#busy || this.#beside.size > 0 || this.#strays().length > 0;
  }

  /** Runs in the shell itself. Only when `idle`. */
  async run(run: ShellRun): Promise<ShellEnd> {
    this.#busy = true;
    using _held = this.#control.hold();
    const id = (this.#nextId += 1);
    const spared = new Set(childrenOf(this.pid));
    const slot = this.#takeSlot();
    const pipe = this.#openSlot(slot);
    pipe.listen(run.output);
    try {
      const reported = this.#report(id);
      const { text, stdin, files } = this.#carry(id, run);
      this.#start(runLine({ id, slot: slot.name, text, stdin, cwd: run.cwd, mark: PRCTL[process.arch] === undefined ? String(id) : undefined }));
      const first = await Promise.race([reported, this.#exited.then(() => "exited" as const), run.stop.then(() => "stop" as const)]);
      let end: ShellEnd;
      if (first === "stop") {
        await this.#stopRun(id, spared, reported);
        files.push(join(this.directory, `${id}.stop`));
        end = { kind: "stopped" };
      } else if (first === "exited") {
        end = this.#ended?.signal ? { kind: "signal", signal: this.#ended.signal } : { kind: "exit", code: this.#ended?.code ?? 1 };
      } else {
        end = { kind: "exit", code: first.code };
      }
      pipe.drain();
      for (const file of files) unlinkSync(file);
      return end;
    } finally {
      this.#reports.delete(id);
      pipe.listen(undefined);
      this.#giveBack(slot, [...spared]);
      this.#busy = false;
    }
  }

  /** Runs in a copy of the shell. Only when `idle`; any number at a time. */
  async runBeside(run: ShellRun): Promise<ShellEnd> {
    using _held = this.#control.hold();
    const id = (this.#nextId += 1);
    const slot = this.#takeSlot();
    const make = !slot.made;
    const before = childrenOf(this.pid);
    const reported = this.#report(id);
    const started = this.#notice("started", id);
    const { text, stdin, files } = this.#carry(id, run);
    if (!make) this.#openSlot(slot).listen(run.output);
    this.#start(besideLine({ id, slot: slot.name, make, text, stdin, cwd: run.cwd, exports: run.exports }));
    this.#beside.add(id);
    try {
      const pid = this.#seen(Number((await Promise.race([started, this.#exited.then(() => ["0"])]))[0]));
      slot.made = true;
      this.#copies.add(pid);
      const pipe = this.#openSlot(slot);
      pipe.listen(run.output);
      const first = pid === 0 ? { code: 1 } : await Promise.race([reported, run.stop.then(() => "stop" as const)]);
      if (first === "stop") await endTree(() => this.#treeOf(pid, id), GRACE_MS);
      pipe.drain();
      pipe.listen(undefined);
      for (const file of files) unlinkSync(file);
      this.#giveBack(slot, before);
      return first === "stop" ? { kind: "stopped" } : { kind: "exit", code: first.code };
    } finally {
      this.#beside.delete(id);
      this.#reports.delete(id);
    }
  }

  /** Starts a command with an input that stays open. Only when `idle`. */
  async background(run: BackgroundStart): Promise<BackgroundRun> {
    using _held = this.#control.hold();
    for (const one of this.#background) if (one.over) this.#closeUnused(one);
    const id = (this.#nextId += 1);
    const reported = this.#report(id);
    const [started, made, ready] = [this.#notice("started", id), this.#notice("made", id), this.#notice("ready", id)];
    const { text, files } = this.#carry(id, { command: run.command, stdin: undefined });
    this.#start(backgroundLine({ id, text, cwd: run.cwd, exports: run.exports }));
    const gone = this.#exited.then(() => undefined);
    const first = await Promise.race([made, gone]);
    if (first === undefined) throw new TerminalUnavailable("The local terminal's shell ended before the background command started.");
    const output = new Pipe(join(this.directory, `${id}.out`));
    const input = new WritingPipe(join(this.directory, `${id}.in`));
    output.listen(run.output);
    const own: Background = { id, pid: 0, input, output, over: false };
    this.#background.add(own);
    await Promise.race([ready, gone]);
    const pid = (own.pid = this.#seen(Number((await Promise.race([started, gone]))?.[0] ?? 0)));
    this.#copies.add(pid);
    this.#beside.add(id);
    const ended = reported.then(async (report) => {
      input[Symbol.dispose]();
      output.drain();
      for (const file of files) rmSync(file, { force: true });
      this.#beside.delete(id);
      this.#kept.delete(id);
      this.#reports.delete(id);
      own.over = true;
      this.#closeUnused(own);
      return { endedBy: "exit", exitCode: report.code } as const;
    });
    const kill = async () => {
      await endTree(() => this.#treeOf(pid, id), GRACE_MS);
      output.drain();
      this.#close(own);
      for (const file of files) rmSync(file, { force: true });
      this.#beside.delete(id);
      this.#reports.delete(id);
    };
    const keep = async (log: () => string) => {
      if (this.#sandboxed) throw new TerminalUnavailable("The sandbox around it ends with the agent.", { hint: "Start it outside of the sandbox." });
      if (!alive(pid)) throw new TerminalUnavailable("It has ended.");
      const keeper = await Keeper.start(pid);
      // Read by the watchdog, should the agent be killed.
      appendFileSync(join(this.directory, "kept"), `${pid} ${id}\n`);
      this.#kept.set(id, pid);
      this.#beside.delete(id);
      output.drain();
      this.#close(own);
      keeper.go(log());
    };
    const resize = async (size: ScreenSize) => {
      // What is told to the shell itself would wait for the command that runs in it.
      await new Promise((resolve) => execFile("bash", ["-c", `${RESIZE}; ${resizeCall(pid, size)}`], { timeout: RESIZE_LIMIT_MS }, resolve));
    };
    return { pid, write: (words) => input.write(words), endInput: () => input.end(), ended, kill, resize, ...(process.platform === "linux" ? { keep } : {}) };
  }

  /** Whoever a background command left behind may still write, and would die of a pipe that is closed. */
  #closeUnused(one: Background): void {
    if (this.#treeOf(one.pid, one.id).filter(alive).length === 0) this.#close(one);
  }

  #close(one: Background): void {
    this.#background.delete(one);
    one.input[Symbol.dispose]();
    one.output[Symbol.dispose]();
  }

  /** Bash text with the variables exported when the last command ended, for a shell that takes over. */
  exportsFile(): string {
    return join(this.directory, "exports");
  }

  exports(): string | undefined {
    try {
      return readFileSync(this.exportsFile(), "utf8");
    } catch {
      return undefined; // No command has ended yet.
    }
  }

  /** Everything of the shell as bash text, after which the shell is over. Only when `idle`. */
  async retire(): Promise<string | undefined> {
    const end = this.run({ command: "exit 0", cwd: undefined, stdin: undefined, output: () => {}, stop: new Promise(() => {}) });
    await Promise.race([end, this.#exited]);
    let state: string | undefined;
    try {
      state = readFileSync(join(this.directory, "state"), "utf8");
    } catch {
      state = this.exports(); // The shell died over it; what it exported is still known.
    }
    await this.end(0);
    return state;
  }

  /** Ends everything that was ever started here. */
  async end(graceMs = GRACE_MS): Promise<void> {
    if (graceMs > 0) await endTree(() => this.#everything().filter((pid) => pid !== this.pid && pid !== this.#watchdog), graceMs);
    // Before the watchdog goes, which would do it should the agent end just now. The shell may still be writing into it.
    try {
      rmSync(this.directory, { recursive: true, force: true });
    } catch {
      // Removed below, when nobody writes any more.
    }
    for (let round = 0; round < 50 && this.#killRound(); round += 1) await new Promise((resolve) => setTimeout(resolve, 5));
    await this.#gone();
    rmSync(this.directory, { recursive: true, force: true });
    for (const pipe of [this.#in, this.#control, ...this.#slots.map((slot) => slot.pipe)]) pipe?.[Symbol.dispose]();
    for (const one of this.#background) this.#close(one);
    this.#child.stdin!.destroy();
    this.#onEnd?.();
  }

  endNow(): void {
    while (this.#killRound());
    rmSync(this.directory, { recursive: true, force: true });
    try {
      rmdirSync(dirname(this.directory));
    } catch {
      // The task's other shells are still in it: the last of them takes it away.
    }
    this.#onEnd?.();
  }

  /** True when there was something to kill. */
  #killRound(): boolean {
    return killNow(() => this.#everything());
  }

  /** Nothing else may keep the process running until its end is heard of: it is killed and not yet collected. */
  #gone(): Promise<void> {
    if (this.#ended === undefined) this.#child.ref();
    return this.#exited;
  }

  /** A number that the shell told us. 0 stays 0. */
  #seen(pid: number): number {
    return this.#sandboxed && pid !== 0 ? seenFromHere(this.pid, pid) : pid;
  }

  #everything(): number[] {
    const own = this.#ended === undefined ? [this.pid, ...descendants(this.pid)] : [];
    const spared = new Set([...this.#kept].flatMap(([id, pid]) => this.#treeOf(pid, id)));
    return [...new Set([...own, ...marked(this.#mark)])].filter((pid) => !spared.has(pid));
  }

  async #stopRun(id: number, spared: ReadonlySet<number>, reported: Promise<Report>): Promise<void> {
    const stopped = Promise.race([reported, this.#exited]).then(() => true as const);
    writeFileSync(join(this.directory, `${id}.stop`), "");
    await Promise.race([this.#initialised, stopped, after(1_000)]);
    signal(this.pid, "SIGUSR1");
    const tree = () => this.#treeOfRun(spared);
    await endTree(tree, GRACE_MS);
    if ((await Promise.race([stopped, after(300)])) === true) {
      // What it was just starting when the signal came.
      await endTree(tree, GRACE_MS);
      return;
    }
    // It runs something that takes no signal, or became another program: nothing in it can be saved.
    signal(this.pid, "SIGSTOP");
    await endTree(tree, 0);
    signal(this.pid, "SIGKILL");
    await this.#gone();
  }

  /** What the run in the shell itself has started: all below the shell but what was there before it and what runs beside it. */
  #treeOfRun(spared: ReadonlySet<number>): number[] {
    if (this.#ended !== undefined) return [];
    const direct = childrenOf(this.pid);
    if (direct.length === 0) return process.platform === "linux" ? [] : descendants(this.pid);
    const roots = direct.filter((pid) => !spared.has(pid) && !hasMark(pid, "HERMES_RUN="));
    return roots.flatMap((pid) => [pid, ...descendants(pid)]);
  }

  #treeOf(pid: number, id: number): number[] {
    const strays = [...groupMembers(pid), ...marked(`HERMES_RUN=${id}`).filter((stray) => hasMark(stray, this.#mark))];
    return [...new Set([...(alive(pid) ? [pid, ...descendants(pid)] : []), ...strays.flatMap((stray) => [stray, ...descendants(stray)])])];
  }

  #takeSlot(): Slot {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    const slot = { name: `s${this.#slots.length}`, made: false, pipe: undefined };
    this.#slots.push(slot);
    return slot;
  }

  /** Whoever the command left behind may still write: then its pipe is not given to another one. */
  #giveBack(slot: Slot, before: readonly number[]): void {
    const strays = this.#strays();
    if (strays.length === 0) this.#free.push(slot, ...this.#held.splice(0));
    else if (strays.every((pid) => before.includes(pid))) this.#free.push(slot);
    else this.#held.push(slot);
  }

  /** Children that are neither the watchdog nor a copy that runs a command. */
  #strays(): number[] {
    if (this.#ended !== undefined) return [];
    const children = childrenOf(this.pid);
    for (const pid of this.#copies) if (!children.includes(pid)) this.#copies.delete(pid);
    return children.filter((pid) => pid !== this.#watchdog && !this.#copies.has(pid) && alive(pid));
  }

  #openSlot(slot: Slot): Pipe {
    slot.pipe ??= new Pipe(join(this.directory, slot.name));
    return slot.pipe;
  }

  #carry(id: number, run: { readonly command: string; readonly stdin: string | Uint8Array | undefined }): { text: CommandText; stdin: string; files: string[] } {
    const files: string[] = [];
    const put = (name: string, content: string | Uint8Array) => {
      const file = join(this.directory, name);
      writeFileSync(file, content, { mode: 0o600 });
      files.push(file);
      return file;
    };
    const text = run.command.length > INLINE_LIMIT ? fileText(put(`${id}.text`, run.command)) : inlineText(run.command);
    const stdin = run.stdin === undefined || run.stdin.length === 0 ? "/dev/null" : `"$__h/${id}.stdin"`;
    if (run.stdin !== undefined && run.stdin.length > 0) put(`${id}.stdin`, run.stdin);
    return { text, stdin, files };
  }

  #start(line: string): void {
    const init = this.#needsInit ? initLine(this.directory) : "";
    if (init !== "") this.#initialised = this.#notice("init", 0);
    this.#needsInit = false;
    if (!this.#in.writeNow(init + line)) throw new TerminalUnavailable("The local terminal's shell takes no more commands.");
  }

  #report(id: number): Promise<Report> {
    return new Promise((resolve) => this.#reports.set(id, resolve));
  }

  #notice(kind: string, id: number): Promise<string[]> {
    return new Promise((resolve) => this.#notices.set(`${kind} ${id}`, resolve));
  }

  #hear(bytes: Uint8Array): void {
    const lines = (this.#controlRest + Buffer.from(bytes).toString("latin1")).split("\0");
    this.#controlRest = lines.pop()!;
    for (const line of lines) {
      const [kind = "", id = "", ...words] = Buffer.from(line, "latin1").toString("utf8").split(" ");
      if (kind === "done" || kind === "left") {
        if (kind === "left") this.#needsInit = true;
        const cwd = words.slice(1).join(" ");
        if (cwd !== "") this.cwd = cwd;
        this.#reports.get(Number(id))?.({ kind, code: Number(words[0]), cwd });
      } else {
        this.#notices.get(`${kind} ${id}`)?.(words);
        this.#notices.delete(`${kind} ${id}`);
      }
    }
  }
}

function after(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ms, undefined));
}
