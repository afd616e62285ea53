import type { Clock } from "../../contract/common/clock.ts";
import type { Logger } from "../../contract/common/logger.ts";
import { Hooks } from "../../engine/hooks/hooks.ts";
import { Middlewares } from "../../engine/hooks/middleware.ts";
import type { CallSession, DispatchPorts, ToolEntry } from "../../engine/ports.ts";
import type { Registry } from "../../engine/tools/registry.ts";

/** A session that lasts one call and stores nothing. */
export function directSession(taskId: string, tools: Registry<ToolEntry>): CallSession {
  return {
    sessionId: taskId,
    taskId,
    surface: "direct",
    cwd: process.cwd(),
    yolo: false,
    prompter: undefined,
    offered: new Set(tools.list().map(({ name }) => name)),
    record: async () => undefined,
    live: () => undefined,
    state: () => undefined,
    untrusted: undefined,
    queue: async () => undefined,
  };
}

/** The ports of a runtime without an agent: what needs a session fails. */
export function emptyPorts(log: Logger, clock: Clock): Omit<DispatchPorts, "tools" | "log" | "clock"> {
  let calls = 0;
  const nothing = (what: string) => Promise.reject(new Error(`${what} is not available outside a session.`));
  return {
    hooks: new Hooks({ log, clock }),
    middlewares: new Middlewares({ log }),
    approvers: [],
    ids: (kind) => `${kind}_${++calls}`,
    home: process.env.HOME ?? "",
    agentHome: process.env.HERMES_HOME ?? "",
    redact: (text) => text,
    spill: () => nothing("storage for long results"),
    scratch: () => nothing("scratch directory"),
    use: (slot) => nothing(`provider of ${slot}`),
    fetch: () => () => nothing("guarded network access"),
    secret: () => undefined,
    env: (_, name) => process.env[name],
    config: () => undefined,
    probe: (_, { name, prompter }) => ({
      env: (variable) => process.env[variable] || undefined,
      config: () => undefined,
      which: async () => undefined,
      prompter,
      surface: name,
    }),
  };
}

export const consoleLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warning: (message) => console.warn(message),
  error: (message) => console.error(message),
  child: () => consoleLogger,
};
