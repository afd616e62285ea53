import type { PluginContext, Process, RiskContext, Terminal, TerminalBackend, ToolContext } from "hermes-agent/plugin";

/** Who opens a task's terminal: a call, or whoever foresees one and shows nothing. */
type Opener = Pick<ToolContext, "use" | "signal"> & Partial<Pick<ToolContext, "progress">>;

export interface Place {
  readonly terminal: Terminal;
  /** Id of the terminal's provider. */
  readonly backend: string;
  /** Its processes are this machine's. */
  readonly here: boolean;
  readonly sessionId: string;
  /** Foreground commands that run now. */
  running: number;
}

/** The terminal of each task: opened by its first call, or foreseen while that is being judged. */
export class TaskEnvironments {
  readonly #context: PluginContext;
  readonly #places = new Map<string, Promise<Place>>();
  /** Where each task's terminal is now, for judging the next command before it runs. */
  readonly #opened = new Map<string, Terminal>();
  /** Tasks whose shell was started before its first command; resolves when it is on its way. */
  readonly #foreseen = new Map<string, { readonly sessionId: string; readonly starting: Promise<void> }>();

  constructor(context: PluginContext) {
    this.#context = context;
  }

  /** Of a task whose terminal is open. */
  cwd(taskId: string): string | undefined {
    return this.#opened.get(taskId)?.cwd;
  }

  /**
   * One that was made for a single call and goes on after it: its shell is closed when the command in it has ended, unless a person keeps that.
   * @param command Absent, or rejected: nothing runs in it.
   */
  add(
    key: string,
    place: Place,
    command: Promise<{ readonly process: Pick<Process, "ended">; readonly kept: boolean } | undefined>,
  ): void {
    this.#places.set(key, Promise.resolve(place));
    void this.#outlasted(command).then(async (over) => {
      if (!over || !this.#places.delete(key)) return;
      try {
        await place.terminal[Symbol.asyncDispose]();
      } catch (cause) {
        this.#context.log.warning("The shell of a background command that has ended could not be closed.", { cause });
      }
    });
  }

  async #outlasted(
    command: Promise<{ readonly process: Pick<Process, "ended">; readonly kept: boolean } | undefined>,
  ): Promise<boolean> {
    const started = await command.catch(() => undefined); // Whoever wanted it is told.
    await started?.process.ended;
    return started?.kept !== true;
  }

  /** The task's terminal, for looking only. One that is not open yet is opened where that starts nothing. */
  async looking(backend: TerminalBackend, call: RiskContext): Promise<Terminal | undefined> {
    const open = this.#opened.get(call.taskId);
    return (
      open ??
      (backend.isolated || backend.elsewhere === true
        ? undefined
        : backend.open({ key: call.taskId, cwd: call.cwd }, this.#context.signal))
    );
  }

  /** A shell of this machine is on its way when it resolves, and starts while its first command is being judged; it runs nothing before that. */
  foresee(call: RiskContext): Promise<void> | undefined {
    const known = this.#foreseen.get(call.taskId);
    if (known !== undefined || this.#places.has(call.taskId)) return known?.starting;
    const starting = this.#startShell(call).catch(() => {}); // The command meets the same trouble and tells it.
    this.#foreseen.set(call.taskId, { sessionId: call.sessionId, starting });
    return starting;
  }

  async #startShell(call: RiskContext): Promise<void> {
    const backend = await this.#context.use("terminal");
    if (backend.isolated || backend.elsewhere === true) return;
    const { terminal } = await this.of(call, this.#context);
    terminal.ready?.().catch(() => {});
  }

  /** The task's terminal, opened when it is not. @throws {TerminalUnavailable} */
  of(call: RiskContext, by: Opener): Promise<Place> {
    const known = this.#places.get(call.taskId);
    if (known !== undefined) return known;
    const opening = this.#open(call, by);
    this.#places.set(call.taskId, opening);
    opening.catch(() => this.#places.delete(call.taskId));
    return opening;
  }

  async #open(call: RiskContext, by: Opener): Promise<Place> {
    const backend = await by.use("terminal");
    const terminal = await backend.open(
      {
        key: call.taskId,
        cwd: backend.elsewhere === true ? undefined : call.cwd,
        onProgress: (words) => by.progress?.(words),
      },
      by.signal,
    );
    this.#opened.set(call.taskId, terminal);
    return {
      terminal,
      backend: backend.id,
      here: !backend.isolated && backend.elsewhere !== true,
      sessionId: call.sessionId,
      running: 0,
    };
  }

  /** @param sessionId Without one all are closed. */
  async close(sessionId?: string): Promise<void> {
    for (const [taskId, foreseen] of this.#foreseen)
      if (sessionId === undefined || foreseen.sessionId === sessionId) this.#foreseen.delete(taskId);
    for (const [taskId, opening] of this.#places) {
      const place = await opening.catch(() => undefined);
      if (place === undefined || (sessionId !== undefined && place.sessionId !== sessionId)) continue;
      this.#places.delete(taskId);
      this.#opened.delete(taskId);
      await place.terminal[Symbol.asyncDispose]();
    }
  }
}
