import { mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import type { Clock } from "../../../contract/common/clock.ts";
import { ToolFailure } from "../../../contract/common/failure.ts";
import type { Json, JsonObject } from "../../../contract/common/json.ts";
import type { LogDetail, Logger } from "../../../contract/common/logger.ts";
import type { ToolOutcome } from "../../../contract/tools/outcome.ts";
import type { AnyTool } from "../../../contract/tools/tool.ts";
import { createDispatch } from "../../../engine/dispatch/dispatch.ts";
import { Hooks } from "../../../engine/hooks/hooks.ts";
import { Middlewares } from "../../../engine/hooks/middleware.ts";
import type { CallSession, DispatchPorts, ToolEntry } from "../../../engine/ports.ts";
import { Registry } from "../../../engine/tools/registry.ts";
import { GRACE_MS } from "../../../engine/dispatch/run-tool.ts";
import type { SlotRegistry } from "../../tools/slots.ts";

export interface TryPorts {
  readonly slots: Pick<SlotRegistry, "use">;
  readonly environment: { get(name: string): string | undefined };
  readonly config: { get(path: string): Json | undefined };
  readonly clock: Clock;
  readonly fetch?: DispatchPorts["fetch"];
  readonly signal: AbortSignal;
  declared(variable: string): boolean;
}

/** How long a handler may continue after its call was cancelled: as long as in a real call. */
export const STOP_MS = GRACE_MS;

export interface Scene {
  /** Variables, slots and other tools are gone. */
  readonly broken?: boolean;
  /** Every call asks the user, who denies. */
  readonly refuse?: boolean;
  /** Cancelled as soon as the handler has begun. */
  readonly cancel?: boolean;
}

export interface Ran {
  readonly outcome: ToolOutcome;
  /** The handler was called. */
  readonly started: boolean;
  /** The handler had ended at the cancel, or soon after it. */
  readonly stopped: boolean;
  /** Logged warnings: a result that is not JSON, a variable that was not declared. */
  readonly warnings: readonly string[];
}

/** Runs one call through the dispatch pipeline, in a session that stores nothing. */
export async function tryTool(entry: ToolEntry, args: JsonObject, ports: TryPorts, scene: Scene): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), "hermes-plugin-test-"));
  const output: string[] = [];
  const log = listening(output);
  const hooks = new Hooks({ log, clock: ports.clock });
  const tools = new Registry<ToolEntry>("tool", log);
  const stop = new AbortController();
  let started = false;
  let handler: Promise<unknown> | undefined;
  let ended = false;
  const { name } = entry.declaration;
  const wrap = (tool: AnyTool): AnyTool => ({
    ...tool,
    execute: (input: never, call: never) => {
      started = true;
      handler = Promise.resolve(tool.execute(input, call)).finally(() => (ended = true));
      return handler as Promise<never>;
    },
  });
  tools.add(name, { declaration: entry.declaration, load: async () => wrap(await entry.load()) }, "test");
  if (scene.refuse)
    hooks.add(
      "pre_tool_call",
      () => ({ action: "approve" as const, message: "The test asks the user about every call." }),
      "test",
    );
  const dispatch = createDispatch({
    tools,
    hooks,
    middlewares: new Middlewares({ log }),
    approvers: [],
    clock: ports.clock,
    ids: (kind) => `${kind}_test`,
    log,
    home: homedir(),
    agentHome: join(folder, ".hermes"),
    redact: (text) => text,
    spill: async (_, callId) => join(folder, `${callId}.txt`),
    scratch: async () => folder,
    use: (slot, id) =>
      scene.broken
        ? Promise.reject(new ToolFailure("unavailable", `This test has no ${slot}.`))
        : ports.slots.use(slot, id),
    fetch:
      ports.fetch === undefined || scene.broken
        ? () => () => Promise.reject(new ToolFailure("unavailable", "This test has no network."))
        : ports.fetch,
    secret: () => undefined,
    env: (_, variable) => (!scene.broken && ports.declared(variable) ? ports.environment.get(variable) : undefined),
    config: (path) => ports.config.get(path),
    probe: (_, surface) => ({
      env: (variable) => (!scene.broken && ports.declared(variable) ? ports.environment.get(variable) : undefined),
      config: (path) => ports.config.get(path),
      which: async () => undefined,
      prompter: surface.prompter,
      surface: surface.name,
    }),
  });
  const session = sessionIn(folder, name, scene);
  try {
    const calling = dispatch(
      { turnId: "turn_test", callId: "call_test", tool: name, args, by: "model" },
      session,
      AbortSignal.any([stop.signal, ports.signal]),
    );
    let stopped = true;
    if (scene.cancel) {
      await Promise.race([calling, until(() => started)]);
      stop.abort(new Error("The test cancelled the call."));
      await Promise.race([(handler ?? Promise.resolve()).catch(() => undefined), pause(STOP_MS)]);
      stopped = ended || !started;
    }
    return { outcome: await calling, started, stopped, warnings: output };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sessionIn(cwd: string, tool: string, { refuse }: Scene): CallSession {
  const state = new Map<string, Json>();
  return {
    sessionId: "session_test",
    taskId: "task_test",
    surface: "cli",
    cwd,
    // A recorded call was allowed once; only the refusal asks.
    yolo: refuse !== true,
    prompter: { ask: async () => ({ kind: "refused", reason: "The test denies every call." }) },
    offered: new Set([tool]),
    untrusted: undefined,
    record: async () => undefined,
    live: () => undefined,
    state: (key) => state.get(key),
    queue: async () => undefined,
  };
}

function listening(output: string[]): Logger {
  const serious = (message: string, _detail?: LogDetail): void => void output.push(message);
  const log: Logger = {
    debug: () => undefined,
    info: () => undefined,
    warning: serious,
    error: () => undefined,
    child: () => log,
  };
  return log;
}

/** Polls for something that emits no event: a handler that begins inside dispatch. */
async function until(there: () => boolean): Promise<void> {
  for (let rounds = 0; rounds < 5000 && !there(); rounds++) await new Promise((resolve) => setImmediate(resolve));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
