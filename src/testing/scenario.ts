import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Fact } from "../contract/conversation/fact.ts";
import { ToolFailure } from "../contract/common/failure.ts";
import type { Json, JsonObject } from "../contract/common/json.ts";
import type { Answer } from "../contract/conversation/question.ts";
import type { Effect } from "../contract/tools/effect.ts";
import { defineTool, type AnyTool } from "../contract/tools/tool.ts";
import type { TurnConfig } from "../engine/ports.ts";
import { fakeClock } from "./fake-clock.ts";
import { memoryStore } from "./memory-store.ts";
import { scriptedModel, type ScriptedAnswer } from "./scripted-model.ts";
import { scriptedPrompter, testSession } from "./test-session.ts";

/** `script.json` of a scenario: everything that comes from outside. */
export interface Scenario {
  /** The behaviour, used as the test's name. */
  readonly shows: string;
  /** Sent one after the other. `{ "restart": n }` cuts the log after fact n, as a crash would, and resumes. */
  readonly inputs: readonly (string | { readonly restart: number })[];
  readonly answers: readonly ScriptedAnswer[];
  readonly tools?: readonly ScenarioTool[];
  /** The user's answers, in order. */
  readonly prompter?: readonly Answer[];
  readonly config?: Partial<TurnConfig>;
}

export interface ScenarioTool {
  readonly name: string;
  readonly effect: Effect;
  readonly idempotent?: boolean;
  /** The approval question before each call. */
  readonly risk?: string;
  /** In order; the last one stays. */
  readonly results: readonly (
    | { readonly gives: Json }
    | { readonly fails: { readonly code: string; readonly message: string; readonly hint?: string } }
  )[];
}

/**
 * Plays `script.json` of a folder over the real turn, dispatch and hooks and holds the facts to `facts.json`.
 * @param options.update Writes `facts.json` instead; its diff is what is reviewed.
 */
export async function runScenario(folder: string, options: { readonly update?: boolean } = {}): Promise<void> {
  const scenario = JSON.parse(readFileSync(join(folder, "script.json"), "utf8")) as Scenario;
  const message = await play(scenario);
  const text = `[\n${message.map((one) => `  ${JSON.stringify(one)}`).join(",\n")}\n]\n`;
  const file = join(folder, "facts.json");
  if (options.update === true) return writeFileSync(file, text);
  assert.ok(existsSync(file), `${file} is missing; run with --update to write it`);
  assert.deepEqual(message, JSON.parse(readFileSync(file, "utf8")));
}

async function play(scenario: Scenario): Promise<readonly Json[]> {
  const clock = fakeClock({ autoAdvance: true });
  const model = scriptedModel(scenario.answers);
  const tools = (scenario.tools ?? []).map(toolOf);
  const prompter = scriptedPrompter(scenario.prompter ?? []);
  let count = 0;
  const open = (store: ReturnType<typeof memoryStore>) =>
    testSession({
      model,
      tools,
      store,
      clock,
      prompter,
      ids: (kind) => `${kind}_${++count}`,
      chance: () => 0,
      config: scenario.config,
    });
  let agent = await open(memoryStore({ clock }));
  for (const input of scenario.inputs) {
    if (typeof input === "string") {
      await agent.session.send(input);
      continue;
    }
    const facts = agent.recorded().slice(0, input.restart);
    await agent[Symbol.asyncDispose]();
    agent = await open(memoryStore({ clock, facts: { session_1: facts } }));
    await agent.session.resume();
  }
  const facts = agent.facts();
  await agent[Symbol.asyncDispose]();
  return facts.map(short);
}

function toolOf(scenario: ScenarioTool): AnyTool {
  let next = 0;
  return defineTool({
    name: scenario.name,
    toolset: "scenario",
    description: `The ${scenario.name} tool.`,
    effect: scenario.effect,
    idempotent: scenario.idempotent,
    input: { type: "object" },
    risk:
      scenario.risk === undefined
        ? undefined
        : () => ({
            answer: "ask" as const,
            key: scenario.risk!,
            reasons: [`It is a ${scenario.risk}.`],
            effects: [],
          }),
    async execute(): Promise<Json> {
      const result = scenario.results[Math.min(next++, scenario.results.length - 1)];
      if (result === undefined) return null;
      if ("gives" in result) return result.gives;
      throw new ToolFailure(
        result.fails.code,
        result.fails.message,
        result.fails.hint === undefined ? {} : { hint: result.fails.hint },
      );
    },
  });
}

/** The prompt has a separate test; its text in the golden files would change all of them with every edit. */
function short(fact: Fact): Json {
  if (fact.type === "prefix.fixed")
    return { type: fact.type, tools: fact.tools.map((tool) => tool.name), reason: fact.reason };
  if (fact.type === "model.asked") return { ...(fact as unknown as JsonObject), prefixHash: "" };
  if (fact.type === "approval.asked") return { ...(fact as unknown as JsonObject), digest: "" };
  return fact as unknown as JsonObject;
}
