/**
 * Measures the tool runtime's own cost: `node --conditions=hermes-source src/engine/dispatch/dispatch.bench.ts`. Prints
 * one JSON line.
 */
import { callFixture } from "./call-fixture.ts";
import { definitions } from "../tools/definitions.ts";
import type { ToolEntry } from "../ports.ts";
import { realClock } from "../../testing/real-clock.ts";
import { Registry } from "../tools/registry.ts";
import { entryOf } from "../tools/tool-declaration.ts";

const clock = realClock();
const { add, session, dispatch, hooks, log } = callFixture({ ports: { clock } });
Object.assign(session, { record: async () => undefined });
Object.defineProperty(session, "offered", { value: new Set(["noop"]) });
const input = {
  type: "object",
  properties: { path: { type: "string" }, limit: { type: "integer", minimum: 1 } },
  required: ["path"],
};
add({ name: "noop", input, execute: async () => null });

interface Cost {
  readonly wall_us: number;
  readonly cpu_us: number;
}

async function cost(calls: number, args: string | { path: string }): Promise<Cost> {
  const { signal } = new AbortController();
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  for (let n = 0; n < calls; n++)
    await dispatch({ turnId: "t", callId: "c", tool: "noop", args, by: "model" }, session, signal);
  const wall = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpu);
  return { wall_us: (wall * 1000) / calls, cpu_us: (user + system) / calls };
}

/** The minimum of many short runs: the figure with the least interference from other processes. */
async function best(args: string | { path: string }): Promise<Cost> {
  await cost(20_000, args);
  const runs: Cost[] = [];
  for (let n = 0; n < 40; n++) runs.push(await cost(2_000, args));
  const least = (key: keyof Cost) => Math.round(Math.min(...runs.map((run) => run[key])) * 10) / 10;
  return { wall_us: least("wall_us"), cpu_us: least("cpu_us") };
}

const text = await best('{"path":"a.txt","limit":5}');
const object = await best({ path: "a.txt" });
hooks.add("pre_tool_call", () => undefined, "p");
hooks.add("post_tool_call", () => undefined, "p");
const hooked = await best('{"path":"a.txt","limit":5}');

const tools = new Registry<ToolEntry>("tool", log);
for (let n = 0; n < 1_000; n++) {
  const properties = Object.fromEntries(
    ["path", "query", "limit", "mode", "verbose"].map((name) => [
      name,
      { type: "string", description: `The ${name} of tool ${n}`, default: "x" },
    ]),
  );
  tools.add(
    `tool_${n}`,
    entryOf({
      name: `tool_${n}`,
      toolset: "t",
      description: "Does a thing.",
      input: { type: "object", properties, required: ["path"] },
      effect: "read",
      execute: async () => null,
    }),
    "p",
  );
}
const names = tools.list().map(({ name }) => name);
const ports = {
  tools,
  clock,
  log,
  probe: () => {
    throw new Error("unused");
  },
};
const build = async () => {
  const startedAt = performance.now();
  await definitions(ports, { names, surface: "cli", prompter: true });
  return Math.round((performance.now() - startedAt) * 100) / 100;
};
const first = await build();
const later = Math.min(await build(), await build(), await build());
console.log(
  JSON.stringify({
    dispatch: text,
    dispatch_object: object,
    dispatch_with_two_hooks: hooked,
    definitions_1000_first_ms: first,
    definitions_1000_later_ms: later,
  }),
);
