import { defineTool } from "../src/contract/tools/tool.ts";
import type { DispatchPorts, CallSession } from "../src/engine/ports.ts";
import { definitions } from "../src/engine/tools/definitions.ts";
import { createDispatch } from "../src/engine/dispatch/dispatch.ts";
import { Hooks } from "../src/engine/hooks/hooks.ts";
import { Middlewares } from "../src/engine/hooks/middleware.ts";
import { Registry } from "../src/engine/tools/registry.ts";
import { entryOf } from "../src/engine/tools/tool-declaration.ts";
import type { ToolEntry } from "../src/engine/ports.ts";
import { fakeClock, quietLog, sequentialIds } from "../src/testing/index.ts";
import { atMost, type Figure } from "./figures.ts";

/** The engine alone: the cost of a call and of a tool list without store, model and terminal. */
export async function engineFigures(): Promise<readonly Figure[]> {
  const us = (value: number): string => `${value.toFixed(1)} µs`;
  const list = await toolList();
  // The minimum excludes pauses of the garbage collector.
  for (let round = 1; round < LISTS; round += 1) {
    const next = await toolList();
    list.first = Math.min(list.first, next.first);
    list.after = Math.min(list.after, next.after);
  }
  return [
    atMost("dispatch of an empty tool, including checks and hooks", await noop(20_000), 10, us),
    atMost("definitions of 1,000 tools, first", list.first, 5, (value) => `${value.toFixed(2)} ms`),
    atMost("definitions of 1,000 tools, after", list.after, 1, (value) => `${value.toFixed(3)} ms`),
  ];
}

/** Calls in one measured run. */
const RUN = 500;
/** Tool lists that are measured. */
const LISTS = 20;

async function noop(calls: number): Promise<number> {
  const { ports, session, tools } = makePorts();
  tools.add(
    "noop",
    entryOf(
      defineTool({
        name: "noop",
        toolset: "bench",
        description: "Does nothing.",
        effect: "none",
        input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
        execute: async () => ({ ok: true }),
      }),
    ),
    "bench",
  );
  ports.hooks.add("pre_tool_call", () => {}, "bench");
  ports.hooks.add("post_tool_call", () => {}, "bench");
  const dispatch = createDispatch(ports);
  const { signal } = new AbortController();
  const call = (index: number) =>
    dispatch({ turnId: "t", callId: `c${index}`, tool: "noop", args: '{"text":"x"}', by: "model" }, session, signal);
  for (let index = 0; index < 2000; index += 1) await call(index);
  // The minimum of many short runs excludes the load of other processes.
  let least = Infinity;
  for (let done = 0; done < calls; done += RUN) {
    const started = performance.now();
    for (let index = 0; index < RUN; index += 1) await call(index);
    least = Math.min(least, ((performance.now() - started) / RUN) * 1000);
  }
  return least;
}

async function toolList(): Promise<{ first: number; after: number }> {
  const { ports, tools } = makePorts();
  const names = Array.from({ length: 1000 }, (_, index) => `tool_${index}`);
  for (const name of names)
    tools.add(
      name,
      entryOf(
        defineTool({
          name,
          toolset: "bench",
          description: `Does ${name}.`,
          effect: "none",
          input: { type: "object", properties: { text: { type: "string", description: "what" } } },
          execute: async () => "",
        }),
      ),
      "bench",
    );
  const time = async (): Promise<number> => {
    const started = performance.now();
    await definitions(ports, { names, surface: "cli", prompter: true });
    return performance.now() - started;
  };
  const first = await time();
  await time();
  return { first, after: await time() };
}

function makePorts(): {
  readonly ports: DispatchPorts;
  readonly session: CallSession;
  readonly tools: Registry<ToolEntry>;
} {
  const log = quietLog();
  const clock = fakeClock();
  const tools = new Registry<ToolEntry>("tool", log);
  const unreachable = (): never => {
    throw new Error("not used here");
  };
  const ports: DispatchPorts = {
    tools,
    hooks: new Hooks({ log, clock }),
    middlewares: new Middlewares({ log }),
    approvers: [],
    clock,
    ids: sequentialIds(),
    log,
    home: "/home/bench",
    agentHome: "/home/bench/.hermes",
    redact: (text) => text,
    spill: unreachable,
    scratch: unreachable,
    use: unreachable,
    env: () => undefined,
    config: () => undefined,
    fetch: unreachable,
    secret: unreachable,
    probe: () => ({
      env: () => undefined,
      config: () => undefined,
      which: async () => undefined,
      prompter: true,
      surface: "cli",
    }),
  };
  const session: CallSession = {
    sessionId: "s",
    taskId: "s",
    surface: "cli",
    cwd: "/",
    yolo: false,
    prompter: undefined,
    offered: new Set(["noop"]),
    record: async () => {},
    live: () => {},
    state: () => undefined,
    untrusted: undefined,
    queue: async () => {},
  };
  return { ports, session, tools };
}
