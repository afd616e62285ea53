import {
  untrustedSource,
  judgeCommand,
  ToolFailure,
  type Effect,
  type UntrustedSource,
  type PluginContext,
  type Reach,
  type Risk,
  type RiskContext,
  type SandboxState,
  type Terminal,
  type TerminalBackend,
} from "hermes-agent/plugin";
import { whereLine } from "hermes-agent/terminal";
import { boundTo } from "./bound-to.ts";
import { shapeOf } from "./command-shape.ts";
import { countDeletes } from "./count-deletes.ts";
import { judge, judgedRisk } from "./judge-command.ts";
import { leavingRisk } from "./leave-sandbox.ts";
import { reachOf } from "./network-access.ts";
import { mayRunScripts, scriptRisk, withScripts } from "./script-content.ts";
import { hasSecrets, secretEnvironmentRisk } from "./secret-environment.ts";
import type { TaskEnvironments } from "./task-terminals.ts";
import type { TerminalInput } from "./terminal-input.ts";
import { isPlain, riskWithin } from "./inside-sandbox.ts";

/** What a command would do where its task's terminal is at that moment: asked before it runs. */
export class CommandJudgement {
  readonly #context: PluginContext;
  readonly #places: TaskEnvironments;

  constructor(context: PluginContext, places: TaskEnvironments) {
    this.#context = context;
    this.#places = places;
  }

  /** What judges a command is the largest part of the first call. */
  async prepare(): Promise<void> {
    await Promise.all([judge(":", "/", { home: "/", agentHome: "/" }), shapeOf(":")]);
  }

  /** `read` for a command that changes neither the machine nor its own shell: such commands run side by side. */
  async effect(input: TerminalInput, call: RiskContext): Promise<Effect> {
    await this.#places.foresee(call);
    if (input.background === true || input.outside === true || hasSecrets(input.env)) return "execute";
    const [judged, shape] = await Promise.all([
      judge(input.command, this.#cwd(input, call), call),
      shapeOf(input.command),
    ]);
    if (!judged.readOnly) return judged.effect === "none" || judged.effect === "read" ? "execute" : judged.effect;
    return shape.changesShell ? "execute" : "read";
  }

  async risk(input: TerminalInput, call: RiskContext): Promise<Risk | undefined> {
    const cwd = this.#cwd(input, call);
    const message = await judgedRisk(input.command, cwd, call);
    const leaves = message?.answer !== "block" && (await this.leaves(input));
    const judgedAs =
      leaves || message?.answer !== "ask" ? message : await this.#held(input.command, cwd, call, message);
    const within = leaves ? leavingRisk(judgedAs) : judgedAs;
    const called =
      hasSecrets(input.env) && within?.answer !== "block"
        ? secretEnvironmentRisk(within, {
            command: input.command,
            variables: input.env,
            judged: await judge(input.command, cwd, call),
            handles: call.config("security.secret_handles"),
          })
        : within;
    if (called?.answer === "block") return called;
    const [backend, judged] = await Promise.all([this.#context.use("terminal"), judge(input.command, cwd, call)]);
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
    const where = whereLine(backend, around);
    return { ...risk, commands: judged.lines, where, bound: await boundTo(judged, cwd, backend, where, terminal) };
  }

  /** What is around this task's commands: its shell may be older than the configuration. */
  async #around(backend: TerminalBackend, terminal: Terminal | undefined): Promise<SandboxState | undefined> {
    const state = await backend.sandbox?.();
    if (state?.kind !== "on" || terminal?.sandbox === undefined) return state;
    try {
      return (await terminal.sandbox()) === undefined
        ? { kind: "off", words: "this task's shell is older than that setting" }
        : state;
    } catch {
      return state; // No shell starts: then no command runs either.
    }
  }

  /** Whether the call asks to run outside a sandbox that there is. */
  async leaves(input: TerminalInput): Promise<boolean> {
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
    const terminal = await this.#places.looking(backend, call);
    const sandbox = await terminal?.sandbox?.().catch(() => undefined);
    return terminal === undefined || sandbox === undefined
      ? risk
      : riskWithin(sandbox, judged, terminal.files, (held) =>
          judgeCommand(command, { cwd, home: call.home, agentHome: call.agentHome, held }),
        );
  }

  async reach(input: TerminalInput, call: RiskContext): Promise<readonly Reach[]> {
    return reachOf(await judge(input.command, this.#cwd(input, call), call), call);
  }

  async provenance(input: TerminalInput, call: RiskContext): Promise<UntrustedSource | undefined> {
    const backend = await this.#context.use("terminal");
    // Of a place elsewhere, what lies around its commands is the workspace.
    const cwd = backend.elsewhere === true ? (this.#places.cwd(call.taskId) ?? call.cwd) : call.cwd;
    return untrustedSource(await judge(input.command, this.#cwd(input, call), call), { ...call, cwd });
  }

  /** How much a delete would take, as far as the place can be looked at without starting it. */
  async survey(input: TerminalInput, call: RiskContext, signal: AbortSignal): Promise<readonly string[]> {
    const [judged, backend] = await Promise.all([
      judge(input.command, this.#cwd(input, call), call),
      this.#context.use("terminal"),
    ]);
    const terminal = await this.#places.looking(backend, call);
    return terminal === undefined ? [] : countDeletes(judged.effects, terminal.files, signal);
  }

  /** What the command names, and its directory when it runs what may change anything there. */
  async touches(input: TerminalInput, call: RiskContext): Promise<readonly string[]> {
    const cwd = this.#cwd(input, call);
    const { effects } = await judge(input.command, cwd, call);
    const paths = effects.flatMap((effect) => {
      if (effect.kind === "write" || effect.kind === "delete" || effect.kind === "mode" || effect.kind === "owner")
        return [effect.path ?? cwd];
      return effect.kind === "read" || effect.kind === "network" || effect.kind === "signal" ? [] : [cwd];
    });
    return [...new Set(paths)];
  }

  #cwd(input: TerminalInput, call: RiskContext): string {
    const here = this.#places.cwd(call.taskId) ?? call.cwd;
    if (input.workdir === undefined) return here;
    if (input.workdir.includes("\0")) throw new ToolFailure("bad_arguments", "workdir holds a zero byte.");
    return input.workdir === "~" || input.workdir.startsWith("~/")
      ? call.home + input.workdir.slice(1)
      : input.workdir.startsWith("/")
        ? input.workdir
        : `${here}/${input.workdir}`;
  }
}
