import { randomUUID } from "node:crypto";
import { foreignWords, judgeCommand, ToolFailure, type AwayContext, type Effect, type ForeignWords, type Notice, type PluginContext, type Reach, type Risk, type RiskContext, type SandboxState, type Terminal, type TerminalBackend, type ToolContext } from "hermes-agent/plugin";
import { boundTo } from "./bound-to.ts";
import { countDeletes } from "./count-deletes.ts";
import { judge, judgedRisk } from "./judge.ts";
import { reachThrough } from "./kept-elsewhere.ts";
import { placePorts } from "./place-ports.ts";
import { endNotice } from "./notice.ts";
import { processAction, type ProcessInput } from "./process-action.ts";
import { ForegroundCommands, type ForegroundCommand } from "./foreground-commands.ts";
import { ProcessRegistry, type TrackedProcess } from "./process-registry.ts";
import { ProcessTable } from "./process-table.ts";
import { runForeground } from "./run-foreground.ts";
import { shapeOf } from "./command-shape.ts";
import { Sudo } from "./sudo.ts";
import { stopGraceMs } from "./stop-grace.ts";
import { startBackground } from "./start-background.ts";
import { failedStart } from "./failed-start.ts";
import { reachOf } from "./reach.ts";
import { hasSecrets, secretEnvironmentRisk } from "./secret-environment.ts";
import { secretInputRisk } from "./secret-input.ts";
import { leavingRisk, mayHaveBeenStopped, sandboxHint } from "./leave-sandbox.ts";
import { mayRunScripts, scriptRisk, withScripts } from "./script-content.ts";
import { whereLine } from "hermes-agent/terminal";
import { isPlain, riskWithin } from "./within-walls.ts";
import type { TerminalInput } from "./terminal-input.ts";

/** Who opens a task's terminal: a call, or whoever foresees one and shows nothing. */
type Opener = Pick<ToolContext, "use" | "signal"> & Partial<Pick<ToolContext, "progress">>;

interface Place {
  readonly terminal: Terminal;
  /** Id of the terminal's provider. */
  readonly backend: string;
  /** Its processes are this machine's. */
  readonly here: boolean;
  readonly sessionId: string;
  /** Foreground commands that run now. */
  running: number;
}

/** What the two tools share: the terminal of each task and the background processes in them. */
export class TerminalDesk {
  readonly #places = new Map<string, Promise<Place>>();
  /** Where each task's terminal is now, for judging the next command before it runs. */
  readonly #opened = new Map<string, Terminal>();
  /** Tasks whose shell was started before its first command; resolves when it is on its way. */
  readonly #foreseen = new Map<string, Promise<void>>();
  readonly #processes: ProcessRegistry;
  readonly #foreground: ForegroundCommands;
  /** Ids of the background processes that run outside the sandbox. */
  readonly #outside = new Set<string>();
  readonly #sudo = new Sudo();
  readonly #context: PluginContext;

  constructor(context: PluginContext) {
    this.#context = context;
    this.#processes = new ProcessRegistry({ log: context.log, table: new ProcessTable(context.home), mask: (text) => context.redact(text), graceMs: () => stopGraceMs((path) => context.setting(path)), reach: reachThrough((id) => context.use("terminal", id), context.signal) });
    this.#foreground = new ForegroundCommands(new ProcessTable(context.home), context.log, (text) => context.redact(text));
  }

  /** What judges a command is the largest part of the first call. */
  async prepare(): Promise<void> {
    await Promise.all([judge(":", "/", { home: "/", agentHome: "/" }), shapeOf(":")]);
  }

  /** `read` for a command that changes neither the machine nor its own shell: such commands run side by side. */
  async effect(input: TerminalInput, call: RiskContext): Promise<Effect> {
    await this.#foresee(call);
    if (input.background === true || input.outside === true || hasSecrets(input.env)) return "execute";
    const [judged, shape] = await Promise.all([judge(input.command, this.#cwd(input, call), call), shapeOf(input.command)]);
    if (!judged.readOnly) return judged.effect === "none" || judged.effect === "read" ? "execute" : judged.effect;
    return shape.changesShell ? "execute" : "read";
  }

  async risk(input: TerminalInput, call: RiskContext): Promise<Risk | undefined> {
    const cwd = this.#cwd(input, call);
    const told = await judgedRisk(input.command, cwd, call);
    const leaves = told?.answer !== "block" && (await this.#leaves(input));
    const judgedAs = leaves || told?.answer !== "ask" ? told : await this.#held(input.command, cwd, call, told);
    const within = leaves ? leavingRisk(judgedAs) : judgedAs;
    const called = hasSecrets(input.env) && within?.answer !== "block" ? secretEnvironmentRisk(within, { command: input.command, variables: input.env, judged: await judge(input.command, cwd, call), handles: call.config("security.secret_handles") }) : within;
    if (called?.answer === "block") return called;
    const [backend, judged] = await Promise.all([this.#context.use("terminal"), judge(input.command, cwd, call)]);
    const runsFiles = mayRunScripts(judged);
    if (called === undefined && !runsFiles) return undefined;
    const terminal = await this.#looking(backend, call);
    const around = leaves ? "left" : await this.#around(backend, terminal);
    const held = typeof around === "object" && around.kind === "on";
    const risk = runsFiles && terminal !== undefined && !held ? withScripts(called, await scriptRisk(judged, cwd, terminal.files, call, performance.timeOrigin)) : called;
    if (risk === undefined || risk.answer === "block") return risk;
    const where = whereLine(backend, around);
    return { ...risk, commands: judged.lines, where, bound: await boundTo(judged, cwd, backend, where, terminal) };
  }

  /** What is around this task's commands: its shell may be older than the configuration. */
  async #around(backend: TerminalBackend, terminal: Terminal | undefined): Promise<SandboxState | undefined> {
    const state = await backend.sandbox?.();
    if (state?.kind !== "on" || terminal?.walls === undefined) return state;
    try {
      return (await terminal.walls()) === undefined ? { kind: "off", words: "this task's shell is older than that setting" } : state;
    } catch {
      return state; // No shell starts: then no command runs either.
    }
  }

  /** Whether the call asks to run outside a sandbox that there is. */
  async #leaves(input: TerminalInput): Promise<boolean> {
    if (input.outside !== true) return false;
    const backend = await this.#context.use("terminal");
    return !backend.isolated && (await backend.sandbox?.())?.kind === "on";
  }

  /** What is left to ask about where the task's commands run in a sandbox. */
  async #held(command: string, cwd: string, call: RiskContext, risk: Risk): Promise<Risk | undefined> {
    const judged = await judge(command, cwd, call);
    if (!isPlain(judged)) return risk;
    const backend = await this.#context.use("terminal");
    if (backend.isolated || (await backend.sandbox?.())?.kind !== "on") return risk;
    const terminal = await this.#looking(backend, call);
    const walls = await terminal?.walls?.().catch(() => undefined);
    return terminal === undefined || walls === undefined ? risk : riskWithin(walls, judged, terminal.files, (held) => judgeCommand(command, { cwd, home: call.home, agentHome: call.agentHome, held }));
  }

  async reach(input: TerminalInput, call: RiskContext): Promise<readonly Reach[]> {
    return reachOf(await judge(input.command, this.#cwd(input, call), call), call);
  }

  async provenance(input: TerminalInput, call: RiskContext): Promise<ForeignWords | undefined> {
    const backend = await this.#context.use("terminal");
    // Of a place elsewhere, what lies around its commands is the workspace.
    const cwd = backend.elsewhere === true ? (this.#opened.get(call.taskId)?.cwd ?? call.cwd) : call.cwd;
    return foreignWords(await judge(input.command, this.#cwd(input, call), call), { ...call, cwd });
  }

  /** How much a delete would take, as far as the place can be looked at without starting it. */
  async survey(input: TerminalInput, call: RiskContext, signal: AbortSignal): Promise<readonly string[]> {
    const [judged, backend] = await Promise.all([judge(input.command, this.#cwd(input, call), call), this.#context.use("terminal")]);
    const terminal = await this.#looking(backend, call);
    return terminal === undefined ? [] : countDeletes(judged.effects, terminal.files, signal);
  }

  /** What the command names, and its directory when it runs what may change anything there. */
  async touches(input: TerminalInput, call: RiskContext): Promise<readonly string[]> {
    const cwd = this.#cwd(input, call);
    const { effects } = await judge(input.command, cwd, call);
    const paths = effects.flatMap((effect) => {
      if (effect.kind === "write" || effect.kind === "delete" || effect.kind === "mode" || effect.kind === "owner") return [effect.path ?? cwd];
      return effect.kind === "read" || effect.kind === "network" || effect.kind === "signal" ? [] : [cwd];
    });
    return [...new Set(paths)];
  }

  /** What is typed into a shell in the background is a command like any other. */
  async inputRisk(input: ProcessInput, call: RiskContext): Promise<Risk | undefined> {
    if ((input.action !== "write" && input.action !== "submit") || input.data === undefined || input.session_id === undefined) return undefined;
    const entry = this.#processes.get(input.session_id, call);
    if (entry === undefined) return undefined;
    const risk = (await shapeOf(entry.command)).runsShell ? secretInputRisk(await judgedRisk(input.data, entry.cwd, call), input.data, entry.command) : undefined;
    // The yes was for starting it, not for what it is told later.
    return this.#outside.has(entry.id) && risk?.answer !== "block" ? leavingRisk(risk) : risk;
  }

  async inputReach(input: ProcessInput, call: RiskContext): Promise<readonly Reach[]> {
    const entry = this.#processes.get(input.session_id ?? "", call);
    if ((input.action !== "write" && input.action !== "submit") || entry === undefined) return [];
    return (await shapeOf(entry.command)).runsShell ? reachOf(await judge(input.data ?? "", entry.cwd, call), call) : [{ kind: "send", what: `the running command ${entry.command}` }];
  }

  /** A background command's output is as foreign as the command's own would have been. */
  async outputProvenance(input: ProcessInput, call: RiskContext): Promise<ForeignWords | undefined> {
    const entries = input.action === "list" ? this.#processes.list(call) : [this.#processes.get(input.session_id ?? "", call)];
    for (const entry of entries) {
      const words = entry === undefined ? undefined : foreignWords(await judge(entry.command, entry.cwd, call), call);
      if (words !== undefined) return words;
    }
    return undefined;
  }

  async run(input: TerminalInput, call: ToolContext) {
    const began = Date.now();
    try {
      const place = await this.#place(call, call);
      const outside = await this.#leaves(input);
      if (outside || (hasSecrets(input.env) && place.here)) return await this.#runApart(input, call, place, outside);
      if (input.background === true) return await startBackground(input, call, place, this.#processes, this.#sudo, await this.provenance(input, call));
      // Alone it runs in the shell itself, which is quicker; several run in copies of it, so that none has to wait for a second shell.
      const beside = (place.running > 0 || call.besideOthers === true) && (await this.effect(input, call)) === "read";
      place.running += 1;
      using shown = this.#shown(input, call, place);
      try {
        const result = await runForeground(input, call, place.terminal, { beside, backend: place.backend, sudo: this.#sudo, redact: this.#context.redact, shown });
        return !mayHaveBeenStopped(result) ? result : { ...result, ...sandboxHint(result, await (await this.#context.use("terminal")).sandbox?.(), began) };
      } finally {
        place.running -= 1;
      }
    } catch (error) {
      throw failedStart(error);
    }
  }

  /** In a shell that is made for this one call: nothing that commands have set up in the task's own is in it, no function and no trap. */
  async #runApart(input: TerminalInput, call: ToolContext, { terminal: inside, backend, here, sessionId }: Place, outside: boolean) {
    const key = `${call.taskId} ${outside ? "outside" : "apart"} ${randomUUID()}`;
    const terminal = await (await call.use("terminal")).open({ key, cwd: inside.cwd, outside, onProgress: (words) => call.progress(words) }, call.signal);
    if (input.background === true) {
      const apart = { terminal, backend, here, sessionId, running: 0 };
      this.#places.set(key, Promise.resolve(apart));
      const started = await startBackground(input, call, apart, this.#processes, this.#sudo, await this.provenance(input, call));
      if (outside) this.#outside.add(started.session_id);
      return started;
    }
    await using _ = terminal;
    using shown = this.#shown(input, call, { backend, here, terminal });
    return await runForeground(input, call, terminal, { beside: false, backend, sudo: this.#sudo, redact: this.#context.redact, shown });
  }

  /** Where /proc shows them, commands of this machine need no telling. */
  #shown(input: TerminalInput, call: ToolContext, { backend, here, terminal }: Pick<Place, "backend" | "here" | "terminal">): ForegroundCommand | undefined {
    if (here && process.platform === "linux") return undefined;
    return this.#foreground.begin({ command: input.command, cwd: input.workdir ?? terminal.cwd, backend, taskId: call.taskId, sessionId: call.sessionId }, (pids) => placePorts(terminal, pids));
  }

  /** What became of background processes while nobody had their session open. */
  whileAway(call: AwayContext): readonly Notice[] {
    const told = (entry: TrackedProcess) => (entry.foreign === null ? {} : { foreign: entry.foreign });
    const ended = this.#processes.untold(call, (entry) => call.notify(endNotice(entry), entry.foreign ?? undefined));
    return ended.map((entry) => ({ text: endNotice(entry, true), ...told(entry) }));
  }

  async process(input: ProcessInput, call: ToolContext) {
    return processAction(input, call, this.#processes);
  }

  /** `null` is every session. */
  async endSession(sessionId: string | null): Promise<void> {
    this.#sudo.forget(sessionId);
    if (sessionId === null) return this.endAll();
    await this.#processes.endSession(sessionId);
    for (const [taskId, opening] of this.#places) {
      const place = await opening.catch(() => undefined);
      if (place?.sessionId === sessionId) await this.#close(taskId, place);
    }
  }

  async endAll(): Promise<void> {
    await this.#processes.endAll();
    this.#foreground[Symbol.dispose]();
    for (const [taskId, opening] of this.#places) {
      const place = await opening.catch(() => undefined);
      if (place !== undefined) await this.#close(taskId, place);
    }
  }

  async #close(taskId: string, place: Place): Promise<void> {
    this.#places.delete(taskId);
    this.#foreseen.delete(taskId);
    this.#opened.delete(taskId);
    await place.terminal[Symbol.asyncDispose]();
  }

  /** The task's terminal, for looking only. One that is not open yet is opened where that starts nothing. */
  async #looking(backend: TerminalBackend, call: RiskContext): Promise<Terminal | undefined> {
    const open = this.#opened.get(call.taskId);
    return open ?? (backend.isolated || backend.elsewhere === true ? undefined : backend.open({ key: call.taskId, cwd: call.cwd }, this.#context.signal));
  }

  /** A shell of this machine is on its way when it resolves, and starts while its first command is being judged; it runs nothing before that. */
  #foresee(call: RiskContext): Promise<void> | undefined {
    const known = this.#foreseen.get(call.taskId);
    if (known !== undefined || this.#places.has(call.taskId)) return known;
    const starting = this.#startShell(call).catch(() => {}); // The command meets the same trouble and tells it.
    this.#foreseen.set(call.taskId, starting);
    return starting;
  }

  async #startShell(call: RiskContext): Promise<void> {
    const backend = await this.#context.use("terminal");
    if (backend.isolated || backend.elsewhere === true) return;
    const { terminal } = await this.#place(call, this.#context);
    terminal.ready?.().catch(() => {});
  }

  #place(call: RiskContext, by: Opener): Promise<Place> {
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

  #cwd(input: TerminalInput, call: RiskContext): string {
    const here = this.#opened.get(call.taskId)?.cwd ?? call.cwd;
    if (input.workdir === undefined) return here;
    if (input.workdir.includes("\0")) throw new ToolFailure("bad_arguments", "workdir holds a zero byte.");
    return input.workdir === "~" || input.workdir.startsWith("~/") ? call.home + input.workdir.slice(1) : input.workdir.startsWith("/") ? input.workdir : `${here}/${input.workdir}`;
  }
}
