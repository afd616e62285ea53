import type { ChildProcess } from "node:child_process";
import { readFileSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { dirname, join } from "node:path";
import { TerminalUnavailable, type SandboxBounds } from "hermes-agent/plugin";
import {
  besideLine,
  initLine,
  makeSlotLine,
  runLine,
  type BackgroundRun,
  type BackgroundStart,
  type Shell,
  type ShellEnd,
  type ShellRun,
} from "hermes-agent/terminal";
import { BackgroundRuns } from "./background-runs.ts";
import { carryCommand } from "./carry-command.ts";
import { launchShell, PRCTL, type LaunchedShell, type ShellStart } from "./launch-shell.ts";
import { OutputSlots, type Slot } from "./output-slots.ts";
import { Pipe } from "./pipe.ts";
import { endTree, GRACE_MS, killNow, seenFromHere, signal } from "./process-tree.ts";
import { ShellReports, type Report } from "./shell-reports.ts";
import { ShellTree } from "./shell-tree.ts";

/**
 * One bash that stays open, with the named pipes around it. Knows how to run, to run beside, to run in the background
 * and to end all of it.
 */
export class PersistentShell implements Shell {
  readonly directory: string;
  readonly home: string;
  readonly manyCopies = true;
  readonly sandbox: SandboxBounds | undefined;
  readonly #child: ChildProcess;
  readonly #tree: ShellTree;
  /** Of the bash itself, as this process sees it. */
  readonly pid: number;
  readonly #sandboxed: boolean;
  readonly #onEnd: (() => void) | undefined;
  readonly #in: Pipe;
  readonly #control: Pipe;
  readonly #slots: OutputSlots;
  readonly #reports = new ShellReports(({ kind, cwd }) => {
    if (kind === "left") this.#needsInit = true;
    if (cwd !== "") this.cwd = cwd;
  });
  readonly #beside = new Set<number>();
  readonly #background: BackgroundRuns;
  #nextId = 0;
  #needsInit = true;
  /** The shell has its traps: from then on a stop signal reaches the command and not the shell. */
  #initialised: Promise<unknown> = Promise.resolve();
  #busy = false;
  #ended: { readonly code: number | null; readonly signal: string | null } | undefined;
  readonly #exited: Promise<void>;
  cwd: string;

  static async start(options: ShellStart): Promise<PersistentShell> {
    return new PersistentShell(await launchShell(options));
  }

  private constructor({ directory, mark, child, watchdog, pid, sandboxed, sandbox, ended, cwd, home }: LaunchedShell) {
    this.#onEnd = ended;
    this.pid = pid;
    this.#sandboxed = sandboxed;
    this.sandbox = sandbox;
    this.directory = directory;
    this.cwd = cwd;
    this.home = home;
    this.#child = child;
    this.#tree = new ShellTree(pid, watchdog, mark, () => this.#ended !== undefined);
    // Held open for the watchdog, which ends everything when it closes.
    child.stdin!.on("error", () => {});
    (child.stdin as Socket).unref();
    this.#control = new Pipe(join(directory, "control"));
    this.#in = new Pipe(join(directory, "in"), { read: false });
    this.#slots = new OutputSlots(directory, (children) => this.#tree.strays(children));
    this.#control.listen((bytes) => this.#reports.receive(bytes));
    this.#exited = new Promise((resolve) => {
      child.once("exit", (code, name) => {
        this.#ended = { code, signal: name };
        resolve();
      });
    });
    child.unref();
    this.#background = new BackgroundRuns({
      directory,
      reports: this.#reports,
      tree: this.#tree,
      exited: this.#exited,
      sandboxed,
      running: this.#beside,
      start: (line) => this.#start(line),
      seen: (message) => this.#seen(message),
    });
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
    return this.#busy || this.#beside.size > 0 || this.#tree.strays().length > 0;
  }

  /** Runs in the shell itself. Only when `idle`. */
  async run(run: ShellRun): Promise<ShellEnd> {
    this.#busy = true;
    using _held = this.#control.hold();
    const id = (this.#nextId += 1);
    const before = this.#tree.children();
    const spared = new Set(before);
    const slot = this.#slots.take(before);
    try {
      if (!slot.made && !(await this.#make(slot, id))) return this.#exit();
      const pipe = this.#slots.open(slot);
      pipe.listen(run.output);
      const reported = this.#reports.report(id);
      const { text, stdin, files } = carryCommand(this.directory, id, run);
      this.#start(
        runLine({
          id,
          slot: slot.name,
          text,
          stdin,
          cwd: run.cwd,
          mark: PRCTL[process.arch] === undefined ? String(id) : undefined,
        }),
      );
      const first = await Promise.race([
        reported,
        this.#exited.then(() => "exited" as const),
        run.stop.then(() => "stop" as const),
      ]);
      let end: ShellEnd;
      if (first === "stop") {
        await this.#stopRun(id, spared, reported);
        files.push(join(this.directory, `${id}.stop`));
        end = { kind: "stopped" };
      } else if (first === "exited") {
        end = this.#exit();
      } else {
        end = { kind: "exit", code: first.code };
      }
      pipe.drain();
      for (const file of files) unlinkSync(file);
      return end;
    } finally {
      this.#reports.forget(id);
      slot.pipe?.listen(undefined);
      this.#slots.giveBack(slot, before);
      this.#busy = false;
    }
  }

  /** How the shell ended. */
  #exit(): ShellEnd {
    return this.#ended?.signal
      ? { kind: "signal", signal: this.#ended.signal }
      : { kind: "exit", code: this.#ended?.code ?? 1 };
  }

  /** More commands than there are pipes have left processes behind: another pipe. False when the shell has ended. */
  async #make(slot: Slot, id: number): Promise<boolean> {
    const made = this.#reports.notice("made", id);
    this.#start(makeSlotLine(id, slot.name));
    slot.made = await Promise.race([made.then(() => true), this.#exited.then(() => false)]);
    return slot.made;
  }

  /** Runs in a copy of the shell. Only when `idle`; any number at a time. */
  async runBeside(run: ShellRun): Promise<ShellEnd> {
    using _held = this.#control.hold();
    const id = (this.#nextId += 1);
    const before = this.#tree.children();
    const slot = this.#slots.take(before);
    const make = !slot.made;
    const reported = this.#reports.report(id);
    const started = this.#reports.notice("started", id);
    const { text, stdin, files } = carryCommand(this.directory, id, run);
    if (!make) this.#slots.open(slot).listen(run.output);
    this.#start(besideLine({ id, slot: slot.name, make, text, stdin, cwd: run.cwd, exports: run.exports }));
    this.#beside.add(id);
    try {
      const pid = this.#seen(Number((await Promise.race([started, this.#exited.then(() => ["0"])]))[0]));
      if (pid === 0) {
        slot.pipe?.drain();
        return this.#exit();
      }
      slot.made = true;
      this.#tree.copied(pid);
      const pipe = this.#slots.open(slot);
      pipe.listen(run.output);
      const first = await Promise.race([reported, run.stop.then(() => "stop" as const)]);
      if (first === "stop") await endTree(() => this.#tree.ofCopy(pid, id), GRACE_MS);
      pipe.drain();
      pipe.listen(undefined);
      for (const file of files) unlinkSync(file);
      this.#slots.giveBack(slot, before);
      return first === "stop" ? { kind: "stopped" } : { kind: "exit", code: first.code };
    } finally {
      this.#beside.delete(id);
      this.#reports.forget(id);
    }
  }

  /** Starts a command with an input that stays open. Only when `idle`. */
  async background(run: BackgroundStart): Promise<BackgroundRun> {
    using _held = this.#control.hold();
    return await this.#background.start((this.#nextId += 1), run);
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
    const end = this.run({
      command: "exit 0",
      cwd: undefined,
      stdin: undefined,
      output: () => {},
      stop: new Promise(() => {}),
    });
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
    const unmarked = new Set<number>();
    if (graceMs > 0) await endTree(() => this.#tree.started(unmarked), graceMs);
    // Before the watchdog goes, which would do it should the agent end just now. The shell may still be writing into
    // it.
    try {
      rmSync(this.directory, { recursive: true, force: true });
    } catch {
      // Removed below, when no process writes to it any longer.
    }
    for (let round = 0; round < 50 && this.#killRound(unmarked); round += 1)
      await new Promise((resolve) => setTimeout(resolve, 5));
    await this.#gone();
    rmSync(this.directory, { recursive: true, force: true });
    for (const open of [this.#in, this.#control, this.#slots, this.#background, this.#tree]) open[Symbol.dispose]();
    this.#child.stdin!.destroy();
    this.#onEnd?.();
  }

  endNow(): void {
    const unmarked = new Set<number>();
    while (this.#killRound(unmarked));
    rmSync(this.directory, { recursive: true, force: true });
    try {
      rmdirSync(dirname(this.directory));
    } catch {
      // The task's other shells are still in it: the last of them takes it away.
    }
    this.#onEnd?.();
  }

  /** True when there was something to kill. */
  #killRound(unmarked: Set<number>): boolean {
    return killNow(() => this.#tree.everything(unmarked));
  }

  /** Keeps the process running until the exit is known: the shell is killed and not yet reaped. */
  #gone(): Promise<void> {
    if (this.#ended === undefined) this.#child.ref();
    return this.#exited;
  }

  /** A process number that the shell reported. 0 stays 0. */
  #seen(pid: number): number {
    return this.#sandboxed && pid !== 0 ? seenFromHere(this.pid, pid) : pid;
  }

  async #stopRun(id: number, spared: ReadonlySet<number>, reported: Promise<Report>): Promise<void> {
    const stopped = Promise.race([reported, this.#exited]).then(() => true as const);
    writeFileSync(join(this.directory, `${id}.stop`), "");
    await Promise.race([this.#initialised, stopped, after(1_000)]);
    signal(this.pid, "SIGUSR1");
    const tree = () => this.#tree.ofRun(spared);
    await endTree(tree, GRACE_MS);
    if ((await Promise.race([stopped, after(300)])) === true) {
      // Also ends a process that was just starting when the signal came.
      await endTree(tree, GRACE_MS);
      return;
    }
    // It runs something that takes no signal, or became another program: nothing in it can be saved.
    signal(this.pid, "SIGSTOP");
    await endTree(tree, 0);
    signal(this.pid, "SIGKILL");
    await this.#gone();
  }

  #start(line: string): void {
    const init = this.#needsInit ? initLine(this.directory) : "";
    if (init !== "") this.#initialised = this.#reports.notice("init", 0);
    this.#needsInit = false;
    if (!this.#in.writeNow(init + line))
      throw new TerminalUnavailable("The local terminal's shell accepts no more commands.");
  }
}

function after(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ms, undefined));
}
