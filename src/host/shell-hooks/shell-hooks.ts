import type { Notice } from "../../contract/common/notice.ts";
import type { HookHandler, HookName } from "../../contract/plugins/hook.ts";
import type { ShellHookInfo, ShellHookTest } from "../../contract/services/hook-service.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { Logger } from "../../contract/common/logger.ts";
import type { Hooks } from "../../engine/hooks/hooks.ts";
import type { Home } from "../environment/home.ts";
import { payloadForPython } from "../compat/python-payloads.ts";
import { openConsents, type Consents } from "./consents.ts";
import { fillToolName } from "./fill-tool-name.ts";
import { readShellHooks, type ShellHook } from "./read-shell-hooks.ts";
import { runCommand, type CommandRun } from "./run-command.ts";
import { answerOf, GUARDS } from "./shell-answer.ts";
import { splitCommand } from "./split-command.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

export interface ShellHooksPorts {
  readonly hooks: Hooks;
  readonly config: { get(path: string): Json | undefined };
  readonly home: Home;
  readonly userHome: string;
  readonly log: Logger;
  now(): number;
  childEnvironment(): { readonly [name: string]: string };
}

/** The commands in `hooks` of config.yaml, as handlers of hooks, after those of plugins. */
export class ShellHooks implements Disposable {
  readonly #ports: ShellHooksPorts;
  readonly #consents: Consents;
  readonly #all: readonly ShellHook[];
  readonly #problems: readonly string[];
  readonly #registered = new Map<ShellHook, Disposable>();
  readonly #stop = new AbortController();
  /** Hooks that the user declined; they cause no more notices. */
  readonly #declined = new Set<ShellHook>();

  constructor(ports: ShellHooksPorts) {
    this.#ports = ports;
    this.#consents = openConsents(ports.home, ports.userHome, ports.now);
    ({ hooks: this.#all, problems: this.#problems } = readShellHooks(ports.config.get("hooks")));
    for (const problem of this.#problems) ports.log.warning(problem);
    for (const hook of this.#all) this.#open(hook);
    for (const { text } of this.notices.slice(this.#problems.length)) ports.log.warning(text);
  }

  get notices(): readonly Notice[] {
    const problems = this.#problems.map((text): Notice => ({ level: "warning", text }));
    const waiting = this.#all.flatMap((hook): readonly Notice[] => {
      const { consent } = this.#stateOf(hook);
      if (consent === "given" || this.#declined.has(hook)) return [];
      const meanwhile = refuses(hook) ? ", so Hermes refuses the calls that it guards" : ", so it does not run";
      const missing = refuses(hook) ? `has no consent yet${meanwhile}` : "does not run: it has no consent yet";
      const why = consent === "changed" ? `changed after you consented${meanwhile}` : missing;
      return [
        { level: "warning", text: `The shell hook "${hook.command}" (${hook.event}) ${why}.`, hint: HOW_TO_AGREE },
      ];
    });
    return [...problems, ...waiting];
  }

  /** Entries of config.yaml that are left out, or not as they were meant. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  list(): readonly ShellHookInfo[] {
    return this.#all.map((hook) => this.#infoOf(hook));
  }

  waiting(): readonly ShellHookInfo[] {
    return this.list().filter(({ consent }) => consent !== "given");
  }

  /**
   * @param agreed Those of {@link waiting} that may run.
   * @param declined Those that the user does not want: they neither run nor refuse calls until the next start. A guard
   * that changed after its consent still refuses them.
   */
  accept(agreed: readonly ShellHookInfo[], declined: readonly ShellHookInfo[] = []): void {
    const among = (some: readonly ShellHookInfo[]) => (hook: ShellHook) =>
      some.some(({ event, command }) => event === hook.event && command === hook.command);
    const yes = this.#all.filter(among(agreed));
    if (yes.length > 0) this.#consents.give(yes);
    for (const hook of yes) this.#register(hook);
    for (const hook of this.#all.filter(among(declined))) {
      this.#declined.add(hook);
      if (this.#stateOf(hook).consent === "changed") continue;
      this.#registered.get(hook)?.[Symbol.dispose]();
      this.#registered.delete(hook);
    }
  }

  revoke(command: string): number {
    return this.#consents.revoke(command);
  }

  /** Runs each hook of that event for that tool, even without consent: the user requests it. */
  async test(
    event: HookName,
    payload: JsonObject,
    wanted?: (command: string) => boolean,
  ): Promise<readonly ShellHookTest[]> {
    const tests: ShellHookTest[] = [];
    for (const hook of this.#all.filter(
      (one) => one.event === event && (wanted?.(one.command) ?? one.wants(toolOf(payload))),
    ))
      tests.push(testOf(hook, await this.#run(hook, payload)));
    return tests;
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
    for (const handler of this.#registered.values()) handler[Symbol.dispose]();
    this.#registered.clear();
  }

  #open(hook: ShellHook): void {
    const { consent, unbound, agreedAt } = this.#consents.of(hook.event, hook.command);
    const accepted = consent !== "given" && this.#ports.config.get("hooks_auto_accept") === true;
    if (accepted || unbound)
      this.#consents.give([{ ...hook, agreedAt: unbound && agreedAt !== undefined ? agreedAt : undefined }]);
    // A guard without consent, or one that changed since, is a failing guard, not a missing one.
    if (accepted || consent === "given" || refuses(hook)) this.#register(hook);
  }

  #register(hook: ShellHook): void {
    if (this.#registered.has(hook)) return;
    const handler = ((payload: JsonObject) =>
      hook.wants(toolOf(payload)) ? this.#asked(hook, payload) : undefined) as unknown as HookHandler<HookName>;
    // The hook's own timeout ends it first.
    this.#registered.set(
      hook,
      this.#ports.hooks.add(hook.event, handler, "config.yaml", { timeoutMs: hook.timeoutMs + 2_000 }),
    );
  }

  async #asked(hook: ShellHook, payload: JsonObject): Promise<unknown> {
    const { log } = this.#ports;
    const { consent } = this.#stateOf(hook);
    if (consent !== "given") {
      const why = `${consent === "changed" ? "changed after you consented" : "has no consent yet"}, so it did not run`;
      log.warning(`The shell hook "${hook.command}" (${hook.event}) ${why}.`);
      return refuses(hook) ? refusal(hook, why, HOW_TO_AGREE) : undefined;
    }
    const run = await this.#run(hook, payload);
    if (run.stderr !== "")
      log.debug(`The shell hook "${hook.command}" wrote to stderr.`, { text: run.stderr.slice(0, 400) });
    const { answer, warning, broken } = answerOf(hook.event, run);
    if (broken !== undefined || warning !== undefined)
      log.warning(`The shell hook "${hook.command}" (${hook.event}) ${broken ?? warning}.`);
    return broken !== undefined && refuses(hook) ? refusal(hook, broken) : answer;
  }

  async #run(hook: ShellHook, payload: JsonObject): Promise<CommandRun> {
    const { home, childEnvironment } = this.#ports;
    const input = JSON.stringify(tellingOf(hook.event, payload, home.profile));
    const options = {
      env: { ...childEnvironment(), HERMES_HOME: home.path },
      input,
      timeoutMs: hook.timeoutMs,
      signal: this.#stop.signal,
    };
    try {
      if (hook.form === "shell")
        return await runCommand("/bin/sh", ["-c", fillToolName(hook.command, toolOf(payload))], options);
      const [program = "", ...args] = splitCommand(hook.command).map((word) =>
        word.startsWith("~/") ? `${this.#ports.userHome}${word.slice(1)}` : word,
      );
      return await runCommand(program, args, options);
    } catch (cause) {
      return {
        endedBy: "failed",
        reason: `cannot be run: ${(cause as Error).message}`,
        exitCode: null,
        stdout: "",
        stderr: "",
        durationMs: 0,
      };
    }
  }

  #stateOf(hook: ShellHook): ReturnType<Consents["of"]> {
    return this.#consents.of(hook.event, hook.command);
  }

  #infoOf(hook: ShellHook): ShellHookInfo {
    const { consent, agreedAt } = this.#stateOf(hook);
    return {
      event: hook.event,
      command: hook.command,
      tools: hook.tools,
      timeoutMs: hook.timeoutMs,
      consent,
      agreedAt,
    };
  }
}

/** Said wherever one waits. */
export const HOW_TO_AGREE =
  "Start hermes in a terminal to be asked, agree with --accept-hooks, or delete the hook from config.yaml.";

/** The command's input: the original's keys, and all others of the payload in `extra`. */
function tellingOf(event: HookName, payload: JsonObject, profile: string): JsonObject {
  const { tool_name = null, args = null, session_id, parent_session_id, ...extra } = payloadForPython(event, payload);
  const aboutTool = tool_name !== null;
  return {
    hook_event_name: event,
    tool_name,
    tool_input: aboutTool ? args : null,
    session_id: session_id ?? parent_session_id ?? "",
    cwd: process.cwd(),
    profile,
    extra: {
      ...extra,
      ...definedFields({ args: aboutTool || args === null ? undefined : args }),
      telemetry_schema_version: "hermes.observer.v1",
    },
  };
}

function refuses(hook: ShellHook): boolean {
  return GUARDS.includes(hook.event) && hook.failClosed;
}

function refusal(
  hook: ShellHook,
  why: string,
  next = "`hermes hooks doctor` shows details.",
): { readonly action: "block"; readonly message: string } {
  return {
    action: "block",
    message: `The shell hook "${hook.command}" guards this call and failed: it ${why}. ${next}`,
  };
}

function toolOf(payload: JsonObject): string {
  return typeof payload["tool_name"] === "string" ? payload["tool_name"] : "";
}

function testOf(hook: ShellHook, run: CommandRun): ShellHookTest {
  const { answer, warning, broken } = answerOf(hook.event, run);
  const message =
    answer === undefined
      ? "nothing"
      : "action" in answer
        ? `${answer.action}: ${answer.message}`
        : `context: ${answer.context}`;
  const verdict =
    broken !== undefined ? `broken: it ${broken}` : warning !== undefined ? `warning: it ${warning}` : message;
  return {
    command: hook.command,
    exitCode: run.exitCode,
    durationMs: run.durationMs,
    stdout: run.stdout,
    stderr: run.stderr,
    verdict,
    ok: broken === undefined && warning === undefined,
  };
}
