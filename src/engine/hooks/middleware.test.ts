import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../../contract/common/json.ts";
import { quietLog } from "../../testing/quiet-log.ts";
import { Middlewares } from "./middleware.ts";

const INFO = {
  tool_name: "t",
  args: { n: 1 },
  task_id: "t",
  session_id: "s",
  tool_call_id: "c",
  turn_id: "u",
  effect: "write" as const,
  touches: [],
  cwd: "/work",
};

function parts() {
  const log = quietLog();
  return { log, middlewares: new Middlewares({ log }) };
}

test("nests middleware: the first registered is outermost, and each receives what the previous one passed on", async () => {
  const { middlewares } = parts();
  const trace: string[] = [];
  for (const owner of ["a", "b"]) {
    middlewares.add(
      "tool_execution",
      async ({ args }, next) => {
        trace.push(`${owner} in ${JSON.stringify(args)}`);
        const result = await next({ args: { n: (args.n as number) + 1 } });
        trace.push(`${owner} out`);
        return `${owner}(${String(result)})`;
      },
      owner,
    );
  }
  const result = await middlewares.run(
    "tool_execution",
    INFO,
    async ({ args }) => (trace.push("tool"), args.n as Json),
  );
  assert.equal(result, "a(b(3))");
  assert.deepEqual(trace, ['a in {"n":1}', 'b in {"n":2}', "tool", "b out", "a out"]);
});

test("calls the last step directly without middleware", async () => {
  const { middlewares } = parts();
  assert.equal(await middlewares.run("tool_execution", INFO, async (input) => input === INFO), true);
  assert.equal(middlewares.has("tool_execution"), false);
});

test("skips a middleware that throws before next, and logs it", async () => {
  const { log, middlewares } = parts();
  middlewares.add(
    "tool_execution",
    async () => {
      throw new Error("early");
    },
    "a",
  );
  middlewares.add("tool_execution", async (_, next) => `b(${String(await next())})`, "b");
  assert.equal(await middlewares.run("tool_execution", INFO, async () => "x"), "b(x)");
  assert.deepEqual(
    log.lines.map(({ message }) => message),
    ['The tool_execution middleware of "a" threw and is skipped.'],
  );
});

test("a middleware that throws after next loses only its own result, and the tool does not run twice", async () => {
  const { middlewares } = parts();
  let runs = 0;
  middlewares.add(
    "tool_execution",
    async (_, next) => {
      await next();
      throw new Error("late");
    },
    "a",
  );
  assert.equal(await middlewares.run("tool_execution", INFO, async () => ++runs), 1);
  assert.equal(runs, 1);
});

test("keeps the result if a middleware returns undefined, with or without next; an inner undefined passes", async () => {
  const { log, middlewares } = parts();
  let runs = 0;
  middlewares.add(
    "tool_execution",
    (async (_: object, next: () => Promise<unknown>) => void (await next())) as never,
    "forgetful",
  );
  middlewares.add("tool_execution", (async () => undefined) as never, "watcher");
  assert.equal(await middlewares.run("tool_execution", INFO, async () => ++runs), 1);
  assert.equal(runs, 1);
  assert.deepEqual(
    log.lines.map(({ level, message }) => [level, message]),
    [
      ["error", 'The tool_execution middleware of "watcher" returned nothing and is skipped.'],
      [
        "error",
        'The tool_execution middleware of "forgetful" returned nothing after the call had succeeded; the call\'s result is used.',
      ],
    ],
  );
  const honest = parts();
  honest.middlewares.add("tool_execution", (_, next) => next(), "honest");
  assert.equal(await honest.middlewares.run("tool_execution", INFO, (async () => undefined) as never), undefined);
  assert.deepEqual(honest.log.lines, []);
});

test("an inner failure reaches the caller", async () => {
  const { middlewares } = parts();
  middlewares.add("tool_execution", (_, next) => next(), "a");
  await assert.rejects(
    middlewares.run("tool_execution", INFO, async () => {
      throw new Error("inner");
    }),
    /^Error: inner$/,
  );
});

test("next works once; a second call fails and the first result remains", async () => {
  const { log, middlewares } = parts();
  let runs = 0;
  middlewares.add(
    "tool_execution",
    async (_, next) => {
      await next();
      return next();
    },
    "greedy",
  );
  assert.equal(await middlewares.run("tool_execution", INFO, async () => ++runs), 1);
  assert.match(String((log.lines[0]!.detail as { cause: Error }).cause.message), /"greedy" called next\(\) twice/);
});

test("does not call a disposed middleware, and freezes the input of each", async () => {
  const { middlewares } = parts();
  let frozen = false;
  const handle = middlewares.add(
    "tool_request",
    async (input, next) => {
      frozen = Object.isFrozen(input.args);
      return next();
    },
    "a",
  );
  assert.deepEqual(middlewares.list(), [{ kind: "tool_request", owner: "a" }]);
  await middlewares.run("tool_request", { ...INFO, original_args: INFO.args }, async ({ args }) => args);
  handle[Symbol.dispose]();
  assert.deepEqual([frozen, middlewares.has("tool_request"), middlewares.list()], [true, false, []]);
});
