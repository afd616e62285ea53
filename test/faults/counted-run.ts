/**
 * A process to kill: one session over the real store, engine and dispatch. In each answer, a scripted model calls two
 * counted writes and some
 * reads. The process prints every fact to stdout after it is durable. Every run of a counted tool appends a line to a
 * file, and a hook appends
 * the notifications that are not stored.
 * node counted-run.ts HOME SESSION TURNS
 */
import { appendFileSync, closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Recorded } from "../../src/contract/conversation/fact.ts";
import type { Message, ModelRequest } from "../../src/contract/providers/model.ts";
import { defineTool } from "../../src/contract/tools/tool.ts";
import { createDispatch } from "../../src/engine/dispatch/dispatch.ts";
import { Hooks } from "../../src/engine/hooks/hooks.ts";
import { createJudgeEffect } from "../../src/engine/approval/judge-effect.ts";
import { Middlewares } from "../../src/engine/hooks/middleware.ts";
import type { DispatchPorts, ToolEntry } from "../../src/engine/ports.ts";
import { buildPrefix } from "../../src/engine/transcript/prompt.ts";
import { Registry } from "../../src/engine/tools/registry.ts";
import { createSession } from "../../src/engine/session/session.ts";
import { entryOf } from "../../src/engine/tools/tool-declaration.ts";
import { openSqliteStore } from "../../src/host/store/facts/open-store.ts";
import { chance, randomIds, systemClock } from "../../src/host/app/system-clock.ts";
import { turnConfig } from "../../src/host/sessions/turn-config.ts";
import { quietLog, scriptedModel } from "../../src/testing/index.ts";

const [home = "", sessionId = "", turnsText = "1"] = process.argv.slice(2);
const turns = Number(turnsText);
const log = quietLog();
const tools = new Registry<ToolEntry>("tool", log);
const input = { type: "object", properties: { key: { type: "string" } }, required: ["key"] } as const;

tools.add(
  "count",
  entryOf(
    defineTool({
      name: "count",
      toolset: "test",
      description: "Counts.",
      effect: "write",
      input,
      execute: async ({ key }, call) => (leave("count", `${call.callId} ${key}`), { counted: key }),
    }),
  ),
  "test",
);
tools.add(
  "look",
  entryOf(
    defineTool({
      name: "look",
      toolset: "test",
      description: "Looks.",
      effect: "read",
      input,
      execute: async ({ key }) => ({ seen: key }),
    }),
  ),
  "test",
);

const unused = (): never => {
  throw new Error("not part of this run");
};
const dispatchPorts: DispatchPorts = {
  tools,
  hooks: new Hooks({ log, clock: systemClock }),
  middlewares: new Middlewares({ log }),
  approvers: [],
  clock: systemClock,
  ids: randomIds,
  log,
  home,
  agentHome: home,
  redact: (text) => text,
  spill: unused,
  scratch: unused,
  use: unused,
  env: () => undefined,
  config: () => undefined,
  fetch: unused,
  secret: unused,
  probe: unused,
};
dispatchPorts.hooks.add(
  "pre_llm_call",
  ({ conversation_history }) => leave("heard", JSON.stringify(unstored(conversation_history))),
  "test",
);
const model = scriptedModel((request) => answer(request));
const openedAt = performance.now();
await using store = await openSqliteStore({ home, leaseMs: 400 });
const openMs = performance.now() - openedAt;
const lease = await take();
const facts: Recorded[] = await Array.fromAsync(store.read(sessionId));
const settled = new Set<string>();
const settle = ({ fact }: Recorded) => fact.type === "tool.settled" && settled.add(fact.callId);
facts.forEach(settle);
const offers = tools.list().map(({ value: { declaration } }) => ({
  name: declaration.name,
  description: declaration.description,
  parameters: declaration.input,
}));
await using session = createSession(
  {
    store,
    dispatch: createDispatch(dispatchPorts),
    judgeEffect: createJudgeEffect(dispatchPorts),
    hooks: dispatchPorts.hooks,
    middlewares: dispatchPorts.middlewares,
    clock: systemClock,
    ids: randomIds,
    chance,
    log,
    config: turnConfig(() => undefined),
    redact: (text) => text,
    model: async () => ({
      client: model,
      provider: "scripted",
      model: "scripted",
      contextTokens: 100_000,
      fallbacks: [],
    }),
    prefix: async () => buildPrefix({ offers, surface: "test", date: new Date(0) }),
  },
  { sessionId, surface: "test", cwd: home, prompter: undefined, yolo: false, lease, facts },
);
session.subscribe((event) => {
  if (event.kind !== "fact") return;
  announce({ ack: event.recorded });
  settle(event.recorded);
});
announce({ openMs });
await session.resume();
while (session.view().turns < turns) await session.send(`turn ${session.view().turns}`);
announce({ done: true });

/**
 * Four answers with calls in every turn, then text. The script reads from the request which calls are answered, as a
 * model would.
 */
function answer(request: ModelRequest) {
  leave("requests", JSON.stringify(check(request)));
  const lastUser = request.messages.findLastIndex((message) => message.role === "user");
  const rounds = request.messages.slice(lastUser).filter((message) => message.role === "assistant").length;
  const turn = request.messages.filter((message) => message.role === "user").length;
  if (rounds >= 4) return { text: `turn ${turn} is done` };
  return {
    calls: [
      { tool: "count", args: { key: `${turn}.${rounds}.a` } },
      { tool: "look", args: { key: `${turn}.${rounds}` } },
      { tool: "look", args: { key: `${turn}.${rounds}+` } },
      { tool: "count", args: { key: `${turn}.${rounds}.b` } },
      { tool: "look", args: { key: `${turn}.${rounds}.last` } },
    ].map((call, index) => ({ ...call, callId: `c${turn}_${rounds}_${index}` })),
  };
}

/**
 * Checks that every call has one result, in order, and that no message is empty. @returns the first violation, if any.
 */
function check(request: ModelRequest): readonly string[] {
  return request.messages.flatMap((message, index) => {
    if (message.role !== "assistant")
      return message.role === "user" && message.parts.length === 0 ? [`message ${index} is empty`] : [];
    const calls = message.parts.flatMap((part) => (part.type === "tool-call" ? [part.callId] : []));
    const next = request.messages[index + 1];
    const results = next?.role === "tool" ? next.results.map(({ callId }) => callId) : [];
    return JSON.stringify(calls) === JSON.stringify(results)
      ? []
      : [`message ${index}: calls ${calls.join()} and results ${results.join()}`];
  });
}

/** Calls whose results were announced before their facts were durable. */
function unstored(messages: readonly Message[]): readonly string[] {
  return messages
    .flatMap((message) => (message.role === "tool" ? message.results.map(({ callId }) => callId) : []))
    .filter((callId) => !settled.has(callId));
}

async function take() {
  for (;;) {
    const lease = await store.lease(sessionId, `run ${process.pid}`);
    if ("fence" in lease) return lease;
    await systemClock.sleep(20);
  }
}

/** A listener that throws receives no further events, so a full pipe must block until its reader catches up. */
function announce(line: object): void {
  for (let rest = Buffer.from(`${JSON.stringify(line)}\n`); rest.length > 0;) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

/** Synced, so that the record survives however this process ends. */
function leave(file: string, line: string): void {
  const path = join(home, file);
  appendFileSync(path, `${line}\n`);
  const open = openSync(path, "r");
  fsyncSync(open);
  closeSync(open);
}
