import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer, Question } from "../src/contract/conversation/question.ts";
import { defineTool, ToolFailure, type ToolContext } from "../src/plugin.ts";
import { callFixture } from "../src/engine/dispatch/call-fixture.ts";
import { declare } from "../src/engine/tools/tool-declaration.ts";
import { toolsPage } from "../scripts/generate/tools-page.ts";
import { withoutUndefined } from "../src/testing/without-undefined.ts";

/** A complete tool as an author writes it. */
const carve = defineTool({
  name: "carve",
  toolset: "wood",
  description: "Carves a figure. The wood has to be dry.",
  input: {
    type: "object",
    properties: {
      figure: { type: "string", description: "what it shows" },
      cuts: { type: "integer", minimum: 1 },
      wood: { type: "string", enum: ["oak", "lime"] },
    },
    required: ["figure"],
  },
  effect: "write",
  timeoutMs: 60_000,
  risk: ({ wood }) =>
    wood === "oak" ? { answer: "ask", key: "hard wood", reasons: ["It blunts the knife."], effects: [] } : undefined,
  async execute({ figure, cuts = 3, wood }, call: ToolContext) {
    // The schema gives the types: these lines would not compile with others.
    const words: string = figure;
    const count: number = cuts;
    const kind: "oak" | "lime" | undefined = wood;
    // @ts-expect-error -- no argument of this name is declared
    type _None = Parameters<NonNullable<typeof carve.execute>>[0]["blade"];
    if (words === "nothing")
      throw new ToolFailure("not_found", "There is no such figure.", {
        hint: "A bear is easy.",
        data: { known: ["bear"] },
      });
    call.signal.throwIfAborted();
    return { figure: words, cuts: count, wood: kind ?? null, at: new Date(0), parts: ["head"] };
  },
});

// req: R-58
test("one definition sets a tool's schema, checks, argument types, approval question, timeout and manual", async () => {
  const asked: Question[] = [];
  const { add, call, clock } = callFixture({
    prompter: async (question): Promise<Answer> => (asked.push(question), { kind: "refused" }),
  });
  add(carve as never);
  const { name, description, input, effect, timeoutMs } = declare(carve);
  assert.deepEqual(
    { name, description, effect, timeoutMs },
    { name: "carve", description: "Carves a figure. The wood has to be dry.", effect: "write", timeoutMs: 60_000 },
  );
  assert.deepEqual(input, carve.input);

  assert.deepEqual(withoutUndefined(await call("carve", "{}")), {
    kind: "failed",
    code: "bad_arguments",
    message: 'Invalid arguments: "figure" is missing. Nothing was run.',
    hint: "carve needs figure and may take cuts and wood.",
  });
  const elm = await call("carve", '{"figure":"bear","wood":"elm"}');
  assert.ok(elm.kind === "failed" && elm.code === "bad_arguments", JSON.stringify(elm));
  const done = await call("carve", '{"figure":"bear","cuts":"2"}');
  assert.ok(done.kind === "ok");
  assert.deepEqual(JSON.parse(JSON.stringify(done.value)), {
    figure: "bear",
    cuts: 2,
    wood: null,
    at: "1970-01-01T00:00:00.000Z",
    parts: ["head"],
  });
  assert.deepEqual(withoutUndefined(await call("carve", '{"figure":"nothing"}')), {
    kind: "failed",
    code: "not_found",
    message: "There is no such figure.",
    hint: "A bear is easy.",
    data: { known: ["bear"] },
  });

  assert.equal((await call("carve", '{"figure":"bear","wood":"oak"}')).kind, "denied");
  assert.deepEqual(
    asked.map((question) => question.kind === "approval" && question.request.risk.key),
    ["hard wood"],
  );

  add({ ...carve, name: "slow", execute: () => new Promise(() => undefined) } as never);
  const sleeping = clock.nextSleep();
  const late = call("slow", '{"figure":"bear"}');
  assert.equal(await sleeping, 60_000);
  await clock.advance(60_000);
  await clock.advance(5_000);
  const ended = await late;
  assert.ok(ended.kind === "failed" && ended.code === "timeout", JSON.stringify(ended));

  const { text } = toolsPage([{ key: "wood", registered: { tools: [declare(carve)] } } as never]);
  assert.match(
    text,
    /## carve\n[^]*Carves a figure\.[^]*- effect: `write`\n- time limit: 60 s[^]*\| `cuts` \| integer \|[^\n]*\n\| `figure` \| string \| yes \| what it shows \|\n\| `wood` \| `oak`, `lime` \|/,
  );
});
