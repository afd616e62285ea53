import type { PluginContext, Process, RiskContext, Terminal, TerminalBackend, ToolContext } from "hermes-agent/plugin";

/** The opener of a task's terminal: a call, or a warm-up without output. */
type Opener = Pick<ToolContext, "use" | "signal"> & Partial<Pick<ToolContext, "progress">>;

export interface Place {
  readonly terminal: Terminal;
  /** ID of the terminal backend. */
  readonly backend: string;
  /** Whether its processes run on this machine. */
  readonly here: boolean;
  readonly sessionId: string;
  /** Running foreground commands. */
  running: number;
}

/** The terminal of each task, opened by its first call or warmed up while that call is assessed. */
export class TaskEnvironments {
  readonly #context: PluginContext;
  readonly #places = new Map<string, Promise<Place>>();
  /** The current directory of each task's terminal, for assessing the next command. */
  readonly #opened = new Map<string, Terminal>();
  /** Tasks whose shell was warmed up; resolves when it has started. */
  readonly #foreseen = new Map<string, { readonly sessionId: string; readonly starting: Promise<void> }>();

  constructor(context: PluginContext) {
    this.#context = context;
  }

  /** The terminal of a task, if it is open. */
  cwd(taskId: string): string | undefined {
    return this.#opened.get(taskId)?.cwd;
  }

  /**
   * Registers a terminal that was created for one call and outlives it: closes its shell when its command has ended,
   * unless the user keeps it.
   * @param command If absent or rejected, nothing runs in it.
   */
  add(
    key: string,
    place: Place,
    command: Promise<{ readonly process: Pick<Process, "ended">; readonly persistent: boolean } | undefined>,
  ): void {
    this.#places.set(key, Promise.resolve(place));
    void this.#outlasted(command).then(async (over) => {
      if (!over || !this.#places.delete(key)) return;
      try {
        await place.terminal[Symbol.asyncDispose]();
      } catch (cause) {
        this.#context.log.warning("Cannot close the shell of a background command that has ended.", { cause });
      }
    });
  }

  async #outlasted(
    command: Promise<{ readonly process: Pick<Process, "ended">; readonly persistent: boolean } | undefined>,
  ): Promise<boolean> {
    const started = await command.catch(() => undefined); // The caller handles the error.
    await started?.process.ended;
    return started?.persistent !== true;
  }

  /** The task's terminal for reading only. Opens it if opening starts nothing. */
  async looking(backend: TerminalBackend, call: RiskContext): Promise<Terminal | undefined> {
    const open = this.#opened.get(call.taskId);
    return (
      open ??
      (backend.isolated || backend.elsewhere === true
        ? undefined
        : backend.open({ key: call.taskId, cwd: call.cwd }, this.#context.signal))
    );
  }

  /** Warms up a local shell while its first command is assessed; it runs nothing before that. */
  foresee(call: RiskContext): Promise<void> | undefined {
    const known = this.#foreseen.get(call.taskId);
    if (known !== undefined || this.#places.has(call.taskId)) return known?.starting;
    const starting = this.#startShell(call).catch(() => {}); // The command will fail with the same error and report it.
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
