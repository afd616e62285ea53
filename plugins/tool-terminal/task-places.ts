import type { PluginContext, RiskContext, Terminal, TerminalBackend, ToolContext } from "hermes-agent/plugin";

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
export class TaskPlaces {
  readonly #context: PluginContext;
  readonly #places = new Map<string, Promise<Place>>();
  /** Where each task's terminal is now, for judging the next command before it runs. */
  readonly #opened = new Map<string, Terminal>();
  /** Tasks whose shell was started before its first command; resolves when it is on its way. */
  readonly #foreseen = new Map<string, Promise<void>>();

  constructor(context: PluginContext) {
    this.#context = context;
  }

  /** Of a task whose terminal is open. */
  cwd(taskId: string): string | undefined {
    return this.#opened.get(taskId)?.cwd;
  }

  /** One that was made for a single call and goes on after it. */
  add(key: string, place: Place): void {
    this.#places.set(key, Promise.resolve(place));
  }

  /** The task's terminal, for looking only. One that is not open yet is opened where that starts nothing. */
  async looking(backend: TerminalBackend, call: RiskContext): Promise<Terminal | undefined> {
    const open = this.#opened.get(call.taskId);
    return open ?? (backend.isolated || backend.elsewhere === true ? undefined : backend.open({ key: call.taskId, cwd: call.cwd }, this.#context.signal));
  }

  /** A shell of this machine is on its way when it resolves, and starts while its first command is being judged; it runs nothing before that. */
  foresee(call: RiskContext): Promise<void> | undefined {
    const known = this.#foreseen.get(call.taskId);
    if (known !== undefined || this.#places.has(call.taskId)) return known;
    const starting = this.#startShell(call).catch(() => {}); // The command meets the same trouble and tells it.
    this.#foreseen.set(call.taskId, starting);
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
    const terminal = await backend.open({ key: call.taskId, ...(backend.elsewhere === true ? {} : { cwd: call.cwd }), onProgress: (words) => by.progress?.(words) }, by.signal);
    this.#opened.set(call.taskId, terminal);
    return { terminal, backend: backend.id, here: !backend.isolated && backend.elsewhere !== true, sessionId: call.sessionId, running: 0 };
  }

  /** @param sessionId Without one all are closed. */
  async close(sessionId?: string): Promise<void> {
    for (const [taskId, opening] of this.#places) {
      const place = await opening.catch(() => undefined);
      if (place === undefined || (sessionId !== undefined && place.sessionId !== sessionId)) continue;
      this.#places.delete(taskId);
      this.#foreseen.delete(taskId);
      this.#opened.delete(taskId);
      await place.terminal[Symbol.asyncDispose]();
    }
  }
}
