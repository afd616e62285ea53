import { randomUUID } from "node:crypto";
import {
  judgeCommand,
  riskOfCommand,
  untrustedSource,
  TerminalUnavailable,
  ToolFailure,
  type Assessment,
  type AwayContext,
  type CommandJudgement,
  type UntrustedSource,
  type Notice,
  type PluginContext,
  type Risk,
  type RiskContext,
  type ToolContext,
} from "hermes-agent/plugin";
import { CommandAssessor, type CommandAssessment } from "./command-assessment.ts";
import { reachThrough } from "../processes/detached-elsewhere.ts";
import { environmentPorts } from "../processes/listening-ports.ts";
import { endNotice } from "../processes/notice.ts";
import { processAction, type ProcessInput } from "../processes/process-action.ts";
import { ForegroundCommands, type ForegroundCommand } from "./foreground-commands.ts";
import { ProcessRegistry } from "../processes/process-registry.ts";
import type { TrackedProcess } from "../processes/tracked-process.ts";
import { ProcessTable } from "../processes/process-table.ts";
import { runForeground } from "./run-foreground.ts";
import { shapeOf } from "./command-shape.ts";
import { Sudo } from "./sudo.ts";
import { stopGraceMs } from "../processes/stop-grace.ts";
import { startBackground } from "../processes/start-background.ts";
import { reachOf } from "./network-access.ts";
import { hasSecrets } from "./secret-environment.ts";
import { secretInputRisk } from "./secret-input.ts";
import { refuseInLostFolder } from "./lost-folder.ts";
import { leavingRisk, mayHaveBeenStopped, sandboxHint } from "./leave-sandbox.ts";
import { TaskEnvironments, type Place } from "./task-terminals.ts";
import type { TerminalInput } from "./terminal-input.ts";

/** Implements the two tools: commands in the terminal of their task, and background processes. */
export class TerminalService {
  readonly commands: CommandAssessor;
  readonly #places: TaskEnvironments;
  readonly #processes: ProcessRegistry;
  readonly #foreground: ForegroundCommands;
  /** Background processes that run outside the sandbox. */
  readonly #outside = new WeakSet<TrackedProcess>();
  readonly #sudo = new Sudo();
  readonly #context: PluginContext;

  constructor(context: PluginContext) {
    this.#context = context;
    this.#places = new TaskEnvironments(context);
    this.commands = new CommandAssessor(context, this.#places);
    this.#processes = new ProcessRegistry({
      log: context.log,
      table: new ProcessTable(context.home),
      mask: (text) => context.redact(text),
      graceMs: () => stopGraceMs((path) => context.setting(path)),
      reach: reachThrough((id) => context.use("terminal", id), context.signal),
    });
    this.#foreground = new ForegroundCommands(new ProcessTable(context.home), context.log, (text) =>
      context.redact(text),
    );
  }

  /** Input for a background shell is assessed like a command. */
  async assessInput(input: ProcessInput, call: RiskContext): Promise<Assessment> {
    const untrusted = (await this.#outputSource(input, call)) ?? false;
    if (["list", "poll", "log", "wait"].includes(input.action)) return { effect: "read", egress: [], untrusted };
    const entry = this.#processes.get(input.session_id ?? "", call);
    if ((input.action !== "write" && input.action !== "submit") || entry === undefined)
      return { effect: "execute", egress: [], untrusted };
    const { data = "" } = input;
    const { cwd } = entry;
    const typed = (await shapeOf(entry.command)).runsShell
      ? await judgeCommand(data, { cwd, home: call.home, agentHome: call.agentHome })
      : undefined;
    return {
      effect: "execute",
      risk: input.action === "write" && input.data === undefined ? undefined : this.#inputRisk(entry, typed, data),
      egress:
        typed === undefined ? [{ kind: "send", what: `the running command ${entry.command}` }] : reachOf(typed, call),
      untrusted,
    };
  }

  #inputRisk(entry: TrackedProcess, typed: CommandJudgement | undefined, data: string): Risk | undefined {
    const risk = typed === undefined ? undefined : secretInputRisk(riskOfCommand(typed), data, entry.command);
    // The approval was for starting it, not for what it is sent later.
    return this.#outside.has(entry) && risk?.answer !== "block" ? leavingRisk(risk) : risk;
  }

  /** A background command's output is as untrusted as the command's own would have been. */
  async #outputSource(input: ProcessInput, call: RiskContext): Promise<UntrustedSource | undefined> {
    const entries =
      input.action === "list" ? this.#processes.list(call) : [this.#processes.get(input.session_id ?? "", call)];
    for (const entry of entries) {
      if (entry === undefined) continue;
      const { command, cwd } = entry;
      const source = untrustedSource(
        await judgeCommand(command, { cwd, home: call.home, agentHome: call.agentHome }),
        call,
      );
      if (source !== undefined) return source;
    }
    return undefined;
  }

  async run(input: TerminalInput, call: ToolContext) {
    const began = Date.now();
    try {
      const place = await this.#places.of(call, call);
      if (place.here) refuseInLostFolder(place.terminal, call.cwd, input.workdir);
      const outside = await this.commands.leaves(input);
      const assessment = await this.commands.assessmentOf(input, call);
      if (outside || (hasSecrets(input.env) && place.here))
        return await this.#runApart(input, call, place, outside, assessment);
      if (input.background === true)
        return await startBackground(input, call, place, this.#processes, this.#sudo, assessment);
      // One command runs in the shell itself, which is faster; several run in subshells, so that none waits for a
      // second shell.
      const beside = (place.running > 0 || call.besideOthers === true) && assessment.effect === "read";
      place.running += 1;
      using shown = this.#shown(input, call, place);
      try {
        const result = await runForeground(input, call, place.terminal, {
          beside,
          shape: assessment.shape,
          backend: place.backend,
          sudo: this.#sudo,
          redact: this.#context.redact,
          shown,
        });
        return !mayHaveBeenStopped(result)
          ? result
          : { ...result, ...sandboxHint(result, await (await this.#context.use("terminal")).sandbox?.(), began) };
      } finally {
        place.running -= 1;
      }
    } catch (error) {
      throw failedStart(error);
    }
  }

  /** Runs in a new shell for this call, without functions and traps of the task's shell. */
  async #runApart(
    input: TerminalInput,
    call: ToolContext,
    { terminal: inside, backend, here, sessionId }: Place,
    outside: boolean,
    assessment: CommandAssessment,
  ) {
    const key = `${call.taskId} ${outside ? "outside" : "apart"} ${randomUUID()}`;
    const terminal = await (
      await call.use("terminal")
    ).open({ key, cwd: inside.cwd, outside, onProgress: (words) => call.progress(words) }, call.signal);
    if (input.background === true) {
      const apart = { terminal, backend, here, sessionId, running: 0 };
      const starting = startBackground(input, call, apart, this.#processes, this.#sudo, assessment);
      const entry = starting.then(({ session_id }) => this.#processes.get(session_id, call));
      this.#places.add(key, apart, entry);
      const running = await entry;
      if (outside && running !== undefined) this.#outside.add(running);
      return await starting;
    }
    await using _ = terminal;
    using shown = this.#shown(input, call, { backend, here, terminal });
    return await runForeground(input, call, terminal, {
      beside: false,
      shape: assessment.shape,
      backend,
      sudo: this.#sudo,
      redact: this.#context.redact,
      shown,
    });
  }

  /** Local commands that /proc shows need no row. */
  #shown(
    input: TerminalInput,
    call: ToolContext,
    { backend, here, terminal }: Pick<Place, "backend" | "here" | "terminal">,
  ): ForegroundCommand | undefined {
    if (here && process.platform === "linux") return undefined;
    return this.#foreground.begin(
      {
        command: input.command,
        cwd: input.workdir ?? terminal.cwd,
        backend,
        taskId: call.taskId,
        sessionId: call.sessionId,
      },
      (pids) => environmentPorts(terminal, pids),
    );
  }

  /** Notices of background processes that ended while their session was closed. */
  whileAway(call: AwayContext): readonly Notice[] {
    const message = (entry: TrackedProcess) => (entry.untrusted === null ? {} : { foreign: entry.untrusted });
    const ended = this.#processes.untold(call, (entry) => call.notify(endNotice(entry), entry.untrusted ?? undefined));
    return ended.map((entry) => ({ text: endNotice(entry, true), ...message(entry) }));
  }

  async process(input: ProcessInput, call: ToolContext) {
    return processAction(input, call, this.#processes);
  }

  /** `null` is every session. */
  async endSession(sessionId: string | null): Promise<void> {
    this.#sudo.forget(sessionId);
    if (sessionId === null) return this.endAll();
    await this.#processes.endSession(sessionId);
    await this.#places.close(sessionId);
  }

  async endAll(): Promise<void> {
    await this.#processes.endAll();
    this.#foreground[Symbol.dispose]();
    await this.#places.close();
  }
}

/**
 * Reports an unreachable backend in the shape of this tool's results. Never retries, because the command may have had
 * effects.
 */
function failedStart(error: unknown): unknown {
  if (!(error instanceof TerminalUnavailable)) return error;
  return new ToolFailure("unavailable", error.message, {
    data: { output: "", exit_code: -1, status: "disabled" },
    cause: error,
    hint: error.hint,
  });
}
