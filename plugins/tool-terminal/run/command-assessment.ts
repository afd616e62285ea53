import {
  untrustedSource,
  judgeCommand,
  riskOfCommand,
  ToolFailure,
  type Assessment,
  type CommandJudgement,
  type Effect,
  type UntrustedSource,
  type PluginContext,
  type Risk,
  type RiskContext,
  type SandboxState,
  type Terminal,
  type TerminalBackend,
  type ToolContext,
} from "hermes-agent/plugin";
import { whereLine } from "hermes-agent/terminal";
import { boundTo } from "./bound-to.ts";
import { shapeOf, type CommandShape } from "./command-shape.ts";
import { countDeletes } from "./count-deletes.ts";
import { leavingRisk } from "./leave-sandbox.ts";
import { reachOf } from "./network-access.ts";
import { mayRunScripts, scriptRisk, withScripts } from "./script-content.ts";
import { hasSecrets, secretEnvironmentRisk } from "./secret-environment.ts";
import type { TaskEnvironments } from "./task-terminals.ts";
import type { TerminalInput } from "./terminal-input.ts";
import { isPlain, riskWithin } from "./inside-sandbox.ts";

/** The assessment of a call, with the analysis that its execution needs again. */
export interface CommandAssessment extends Assessment {
  readonly effect: Effect;
  readonly command: string;
  readonly shape: CommandShape;
}

/** Assesses what a command would do in the current state of its task's terminal. */
export class CommandAssessor {
  readonly #context: PluginContext;
  readonly #places: TaskEnvironments;

  constructor(context: PluginContext, places: TaskEnvironments) {
    this.#context = context;
    this.#places = places;
  }

  /** Loads the analysis, which is the largest part of the first call. */
  async prepare(): Promise<void> {
    await Promise.all([judgeCommand(":", { cwd: "/", home: "/", agentHome: "/" }), shapeOf(":")]);
  }

  /** Analyses the command once. */
  async assess(input: TerminalInput, call: RiskContext): Promise<CommandAssessment> {
    await this.#places.foresee(call);
    const { command } = input;
    const cwd = this.#cwd(input, call);
    const [judged, shape] = await Promise.all([
      judgeCommand(command, { cwd, home: call.home, agentHome: call.agentHome }),
      shapeOf(command),
    ]);
    const [risk, untrusted] = await Promise.all([this.#risk(input, cwd, judged, call), this.#untrusted(judged, call)]);
    return {
      command,
      shape,
      effect: effectOf(input, judged, shape),
      risk,
      egress: reachOf(judged, call),
      untrusted: untrusted ?? false,
      touches: touchedBy(judged, cwd),
      survey: (signal) => this.#survey(judged, call, signal),
    };
  }

  /** The assessment that dispatch made of this very call; made here where there is none, as in a test. */
  async assessmentOf(input: TerminalInput, call: ToolContext): Promise<CommandAssessment> {
    const known = call.assessment as CommandAssessment | undefined;
    return known?.command === input.command ? known : this.assess(input, call);
  }

  async #risk(
    input: TerminalInput,
    cwd: string,
    judged: CommandJudgement,
    call: RiskContext,
  ): Promise<Risk | undefined> {
    const ofCommand = riskOfCommand(judged);
    const leaves = ofCommand?.answer !== "block" && (await this.leaves(input));
    const judgedAs = leaves || ofCommand?.answer !== "ask" ? ofCommand : await this.#held(cwd, judged, input, call);
    const within = leaves ? leavingRisk(judgedAs) : judgedAs;
    const called =
      hasSecrets(input.env) && within?.answer !== "block"
        ? secretEnvironmentRisk(within, {
            command: input.command,
            variables: input.env,
            judged,
            handles: call.config("security.secret_handles"),
          })
        : within;
    if (called?.answer === "block") return called;
    const backend = await this.#context.use("terminal");
    const runsFiles = mayRunScripts(judged);
    if (called === undefined && !runsFiles) return undefined;
    const terminal = await this.#places.looking(backend, call);
    const around = leaves ? "left" : await this.#around(backend, terminal);
    const held = typeof around === "object" && around.kind === "on";
    const risk =
      runsFiles && terminal !== undefined && !held
        ? withScripts(called, await scriptRisk(judged, cwd, terminal.files, call, performance.timeOrigin))
        : called;
    if (risk === undefined || risk.answer === "block") return risk;
    const where = whereLine(backend, around, judged.runsAs);
    return { ...risk, commands: judged.lines, where, bound: await boundTo(judged, cwd, backend, where, terminal) };
  }

  /** The sandbox of this task's commands; its shell may be older than the configuration. */
  async #around(backend: TerminalBackend, terminal: Terminal | undefined): Promise<SandboxState | undefined> {
    const state = await backend.sandbox?.();
    if (state?.kind !== "on" || terminal?.sandbox === undefined) return state;
    try {
      return (await terminal.sandbox()) === undefined
        ? { kind: "off", words: "this task's shell was started before that setting" }
        : state;
    } catch {
      return state; // If no shell starts, no command runs either.
    }
  }

  /** Whether the call requests to run outside an existing sandbox. */
  async leaves(input: TerminalInput): Promise<boolean> {
    if (input.outside !== true) return false;
    const backend = await this.#context.use("terminal");
    return !backend.isolated && (await backend.sandbox?.())?.kind === "on";
  }

  /** The remaining risks of a command in a sandbox. */
  async #held(
    cwd: string,
    judged: CommandJudgement,
    { command }: TerminalInput,
    call: RiskContext,
  ): Promise<Risk | undefined> {
    const risk = riskOfCommand(judged);
    if (!isPlain(judged)) return risk;
    const backend = await this.#context.use("terminal");
    if (backend.isolated || (await backend.sandbox?.())?.kind !== "on") return risk;
    const terminal = await this.#places.looking(backend, call);
    const sandbox = await terminal?.sandbox?.().catch(() => undefined);
    return terminal === undefined || sandbox === undefined
      ? risk
      : riskWithin(sandbox, judged, terminal.files, (held) =>
          judgeCommand(command, { cwd, home: call.home, agentHome: call.agentHome, held }),
        );
  }

  async #untrusted(judged: CommandJudgement, call: RiskContext): Promise<UntrustedSource | undefined> {
    const backend = await this.#context.use("terminal");
    // In an environment elsewhere, the directory of its commands is the workspace.
    const cwd = backend.elsewhere === true ? (this.#places.cwd(call.taskId) ?? call.cwd) : call.cwd;
    return untrustedSource(judged, { ...call, cwd });
  }

  /** How much a delete would take, as far as the environment can be looked at without starting it. */
  async #survey(judged: CommandJudgement, call: RiskContext, signal: AbortSignal): Promise<readonly string[]> {
    const terminal = await this.#places.looking(await this.#context.use("terminal"), call);
    return terminal === undefined ? [] : countDeletes(judged.effects, terminal.files, signal);
  }

  #cwd(input: TerminalInput, call: RiskContext): string {
    const here = this.#places.cwd(call.taskId) ?? call.cwd;
    if (input.workdir === undefined) return here;
    if (input.workdir.includes("\0")) throw new ToolFailure("bad_arguments", "workdir contains a null byte.");
    return input.workdir === "~" || input.workdir.startsWith("~/")
      ? call.home + input.workdir.slice(1)
      : input.workdir.startsWith("/")
        ? input.workdir
        : `${here}/${input.workdir}`;
  }
}

/** `read` for a command that changes neither the system nor its own shell: such commands run side by side. */
function effectOf(input: TerminalInput, judged: CommandJudgement, shape: CommandShape): Effect {
  if (input.background === true || input.outside === true || hasSecrets(input.env)) return "execute";
  if (!judged.readOnly) return judged.effect === "none" || judged.effect === "read" ? "execute" : judged.effect;
  return shape.changesShell ? "execute" : "read";
}

/** The paths that the command names, and its directory if it runs what may change anything there. */
function touchedBy({ effects }: CommandJudgement, cwd: string): readonly string[] {
  const paths = effects.flatMap((effect) => {
    if (effect.kind === "write" || effect.kind === "delete" || effect.kind === "mode" || effect.kind === "owner")
      return [effect.path ?? cwd];
    return effect.kind === "read" || effect.kind === "network" || effect.kind === "signal" ? [] : [cwd];
  });
  return [...new Set(paths)];
}
