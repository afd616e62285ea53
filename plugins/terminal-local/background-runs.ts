import { execFile } from "node:child_process";
import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { TerminalUnavailable, type ScreenSize } from "hermes-agent/plugin";
import { backgroundLine, RESIZE, resizeCall, type BackgroundRun, type BackgroundStart } from "hermes-agent/terminal";
import { BackgroundPipes } from "./background-pipes.ts";
import { carryCommand } from "./carry-command.ts";
import { Supervisor } from "./supervisor.ts";
import { Pipe, WritingPipe } from "./pipe.ts";
import { alive, endTree, GRACE_MS } from "./process-tree.ts";
import type { ShellReports } from "./shell-reports.ts";
import type { ShellTree } from "./shell-tree.ts";

const RESIZE_LIMIT_MS = 5_000;

/** The shell they run in a copy of. */
interface StartedIn {
  readonly directory: string;
  readonly reports: ShellReports;
  readonly tree: ShellTree;
  readonly exited: Promise<void>;
  readonly sandboxed: boolean;
  /** Numbers of its runs beside each other that are not over. */
  readonly running: Set<number>;
  /** Hands it a line. */
  start(line: string): void;
  /** Translates a process number that the shell reported to the number that this process sees. */
  seen(pid: number): number;
}

/** Commands in the background of a shell, with an input that stays open. */
export class BackgroundRuns implements Disposable {
  readonly #of: StartedIn;
  readonly #pipes = new Set<BackgroundPipes>();

  constructor(of: StartedIn) {
    this.#of = of;
  }

  /** @param id Of the run. */
  async start(id: number, run: BackgroundStart): Promise<BackgroundRun> {
    for (const one of this.#pipes) if (one.over) this.#closeUnused(one);
    const reported = this.#of.reports.report(id);
    const [started, made, ready] = [
      this.#of.reports.notice("started", id),
      this.#of.reports.notice("made", id),
      this.#of.reports.notice("ready", id),
    ];
    const { text, files } = carryCommand(this.#of.directory, id, { command: run.command, stdin: undefined });
    this.#of.start(backgroundLine({ id, text, cwd: run.cwd, exports: run.exports, exitFile: run.exitFile }));
    const gone = this.#of.exited.then(() => undefined);
    const first = await Promise.race([made, gone]);
    if (first === undefined)
      throw new TerminalUnavailable("The local terminal's shell ended before the background command started.");
    const output = new Pipe(join(this.#of.directory, `${id}.out`));
    const input = new WritingPipe(join(this.#of.directory, `${id}.in`));
    output.listen(run.output);
    const own = new BackgroundPipes(id, input, output);
    this.#pipes.add(own);
    await Promise.race([ready, gone]);
    const pid = (own.pid = this.#of.seen(Number((await Promise.race([started, gone]))?.[0] ?? 0)));
    this.#of.tree.copied(pid);
    this.#of.running.add(id);
    const ended = reported.then(async (report) => {
      input[Symbol.dispose]();
      output.drain();
      for (const file of files) rmSync(file, { force: true });
      this.#of.running.delete(id);
      this.#of.tree.unkeep(id);
      this.#of.reports.forget(id);
      own.over = true;
      this.#closeUnused(own);
      return { endedBy: "exit", exitCode: report.code } as const;
    });
    const kill = async () => {
      await endTree(() => this.#of.tree.ofCopy(pid, id), GRACE_MS);
      output.drain();
      this.#close(own);
      for (const file of files) rmSync(file, { force: true });
      this.#of.running.delete(id);
      this.#of.reports.forget(id);
    };
    const keep = async (log: () => string) => {
      if (this.#of.sandboxed)
        throw new TerminalUnavailable("The process runs in a sandbox that ends with the agent.", {
          hint: "Start it outside the sandbox.",
        });
      if (!alive(pid)) throw new TerminalUnavailable("The process has ended.");
      const supervisor = await Supervisor.start(pid);
      // Read by the watchdog, should the agent be killed.
      appendFileSync(join(this.#of.directory, "kept"), `${pid} ${id}\n`);
      this.#of.tree.keep(id, pid);
      this.#of.running.delete(id);
      output.drain();
      this.#close(own);
      supervisor.go(log());
    };
    const resize = async (size: ScreenSize) => {
      // A message to the shell itself would wait for the command that runs in it.
      await new Promise((resolve) =>
        execFile("bash", ["-c", `${RESIZE}; ${resizeCall(pid, size)}`], { timeout: RESIZE_LIMIT_MS }, resolve),
      );
    };
    return {
      pid,
      write: (words) => input.write(words),
      endInput: () => input.end(),
      ended,
      kill,
      resize,
      keep: process.platform === "linux" ? keep : undefined,
    };
  }

  /**
   * A process that a background command left behind may still write, and would die of SIGPIPE if the pipe were closed.
   */
  #closeUnused(one: BackgroundPipes): void {
    if (this.#of.tree.ofCopy(one.pid, one.id).filter(alive).length === 0) this.#close(one);
  }

  #close(one: BackgroundPipes): void {
    this.#pipes.delete(one);
    one[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    for (const one of this.#pipes) one[Symbol.dispose]();
  }
}
