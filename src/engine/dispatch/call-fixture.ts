import type { Approver } from "../../contract/tools/approval.ts";
import type { Fact, Live, Origin } from "../../contract/conversation/fact.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { Part } from "../../contract/conversation/part.ts";
import type { Answer, Prompter, Question } from "../../contract/conversation/question.ts";
import type { AnyTool } from "../../contract/tools/tool.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { quietLog } from "../../testing/quiet-log.ts";
import { sequentialIds } from "../../testing/sequential-ids.ts";
import { createDispatch } from "./dispatch.ts";
import { Hooks } from "../hooks/hooks.ts";
import { Middlewares } from "../hooks/middleware.ts";
import type { CallRequest, CallSession, DispatchPorts, ToolEntry } from "../ports.ts";
import { Registry } from "../tools/registry.ts";
import { entryOf } from "../tools/tool-declaration.ts";

/** For tests: the real dispatch over an in-memory session, a fixed clock and a scripted user. */
export function callFixture(
  options: {
    readonly config?: { readonly [path: string]: Json };
    readonly approvers?: readonly Approver[];
    readonly prompter?: ((question: Question, signal: AbortSignal) => Promise<Answer>) | undefined;
    readonly yolo?: boolean;
    readonly untrusted?: CallSession["untrusted"];
    readonly ports?: Partial<DispatchPorts>;
  } = {},
) {
  const log = quietLog();
  const clock = fakeClock();
  const tools = new Registry<ToolEntry>("tool", log);
  const hooks = new Hooks({ log, clock });
  const middlewares = new Middlewares({ log });
  const spilled: string[] = [];
  const ports: DispatchPorts = {
    tools,
    hooks,
    middlewares,
    approvers: options.approvers ?? [],
    clock,
    ids: sequentialIds(),
    log,
    home: "/home/me",
    agentHome: "/home/me/.hermes",
    redact: (text) => text.replaceAll("hunter2", "***"),
    spill: async (sessionId, callId, text) => {
      spilled.push(text);
      return `/scratch/${sessionId}/${callId}.txt`;
    },
    scratch: async (sessionId) => `/scratch/${sessionId}`,
    use: async () => Promise.reject(new Error("There is no provider.")),
    env: (owner, name) => (owner === "plugin" && name === "KEY" ? "value" : undefined),
    config: (path) => options.config?.[path],
    fetch: () => () => Promise.reject(new Error("There is no network here.")),
    secret: () => undefined,
    probe: (_, { name, prompter }) => ({
      env: () => undefined,
      config: () => undefined,
      which: async () => undefined,
      prompter,
      surface: name,
    }),
    ...options.ports,
  };
  const batches: (readonly Fact[])[] = [];
  const live: Live[] = [];
  const queued: { parts: readonly Part[]; origin: Origin }[] = [];
  const state = new Map<string, Json>();
  const prompter: Prompter | undefined = options.prompter === undefined ? undefined : { ask: options.prompter };
  const session: CallSession = {
    sessionId: "s1",
    taskId: "t1",
    surface: "cli",
    cwd: "/work",
    yolo: options.yolo ?? false,
    prompter,
    get offered() {
      return new Set(tools.list().map(({ name }) => name));
    },
    record: async (facts) => {
      batches.push(facts);
      for (const fact of facts) if (fact.type === "state.set") state.set(fact.key, fact.value);
    },
    live: (one) => void live.push(one),
    state: (key) => state.get(key),
    untrusted: options.untrusted,
    queue: async (parts, origin) => void queued.push({ parts, origin }),
  };
  const dispatch = createDispatch(ports);
  let calls = 0;
  return {
    ports,
    log,
    clock,
    tools,
    hooks,
    middlewares,
    session,
    batches,
    live,
    queued,
    spilled,
    state,
    dispatch,
    /** Facts in order, batches joined. */
    facts: () => batches.flat(),
    types: () => batches.map((batch) => batch.map(({ type }) => type)),
    add: (tool: Partial<AnyTool> & { readonly name: string }, owner = "plugin") =>
      tools.add(
        tool.name,
        entryOf({
          toolset: "test",
          description: "A tool.",
          input: { type: "object", properties: {} },
          effect: "read",
          execute: async () => null,
          ...tool,
        }),
        owner,
      ),
    call: (
      tool: string,
      args: string | JsonObject = {},
      more: Partial<CallRequest> & { readonly signal?: AbortSignal } = {},
    ) => {
      const { signal = new AbortController().signal, ...request } = more;
      return dispatch(
        { turnId: "turn_1", callId: `c${++calls}`, tool, args, by: "model", ...request },
        session,
        signal,
      );
    },
  };
}
