import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolFailure, type Json, type StateCell, type StateKey, type ToolContext } from "hermes-agent/plugin";
import type { Todo } from "./todo-list.ts";
import { useTodos } from "./use-todos.ts";

/** State cells that outlive a call, as a session's facts do; setting takes a while, as a disk does. */
function session(sessionId: string, facts = new Map<string, Json>()): Pick<ToolContext, "state" | "sessionId"> {
  return {
    sessionId,
    state: <T extends Json>({ key, initial }: StateKey<T>): StateCell<T> => ({
      get: () => (facts.get(key) as T | undefined) ?? initial,
      set: async (next) => {
        await new Promise(setImmediate);
        facts.set(key, JSON.parse(JSON.stringify(next)));
      },
    }),
  };
}

const todo = (id: string, content: string, status: Todo["status"] = "pending"): Todo => ({ id, content, status });

/**
 * Calls one after the other in one session, and the list after each; witnessed on hermes-agent 0.19.0 unless said
 * otherwise.
 */
const STEPS: readonly (readonly [why: string, input: Parameters<typeof useTodos>[0], todos: readonly Todo[]])[] = [
  ["a list that was never written is empty", {}, []],
  [
    "of equal ids the last counts, at its place; an unknown status is pending",
    { todos: [todo("1", "a"), todo("2", "b", "in_progress"), { id: "1", content: "c", status: "bogus" }] },
    [todo("2", "b", "in_progress"), todo("1", "c")],
  ],
  [
    "merging changes given fields only, adds what is new and ignores what has no id",
    { todos: [{ id: "2", status: "completed" }, { id: "3", content: "new" }, { content: "noid" }], merge: true },
    [todo("2", "b", "completed"), todo("1", "c"), todo("3", "new")],
  ],
  [
    "blank fields in a merge change nothing",
    { todos: [{ id: "3", content: "  ", status: "" }], merge: true },
    [todo("2", "b", "completed"), todo("1", "c"), todo("3", "new")],
  ],
  // The original calls every item without an id "?", so that they become one.
  [
    "items without an id stay apart",
    { todos: [{ id: " ", content: " " }, "text", { id: 5, content: "n", status: "cancelled" }] },
    [todo("1", "(no description)"), todo("2", "(invalid item)"), todo("5", "n", "cancelled")],
  ],
  ["a list may come as JSON text", { todos: '[{"id":"9","content":"s","status":"pending"}]' }, [todo("9", "s")]],
  ["reading changes nothing", {}, [todo("9", "s")]],
  ["an empty list clears", { todos: [] }, []],
];

// req: tool-todo.list
test("reads, replaces and merges the list", async () => {
  const call = session("s");
  for (const [why, input, todos] of STEPS) {
    const count = (status: string): number => todos.filter((item) => item.status === status).length;
    const summary = {
      total: todos.length,
      pending: count("pending"),
      in_progress: count("in_progress"),
      completed: count("completed"),
      cancelled: count("cancelled"),
    };
    assert.deepEqual(await useTodos(input, call), { todos, summary }, why);
  }
});

// req: tool-todo.list
test("leaves another session's list unchanged, and keeps the list over a restart", async () => {
  const facts = new Map<string, Json>();
  await useTodos({ todos: [todo("1", "mine")] }, session("a", facts));
  assert.equal((await useTodos({}, session("b"))).summary.total, 0);
  assert.deepEqual((await useTodos({}, session("a", facts))).todos, [todo("1", "mine")]);
});

test("saves all of several parallel changes", async () => {
  const call = session("s");
  await Promise.all(
    Array.from({ length: 10 }, (_, index) => useTodos({ todos: [todo(String(index), "x")], merge: true }, call)),
  );
  assert.equal((await useTodos({}, call)).summary.total, 10);
});

test("limits the number of items and their length", async () => {
  const call = session("s");
  const many = await useTodos(
    { todos: Array.from({ length: 300 }, (_, index) => todo(String(index), "x".repeat(index === 0 ? 5_000 : 1))) },
    call,
  );
  assert.equal(many.summary.total, 256);
  assert.equal(many.todos[0]!.content.length, 4_000);
  assert.ok(many.todos[0]!.content.endsWith("x… [truncated]"));
  assert.ok(
    (await useTodos({ todos: [todo("1", "🦀".repeat(2_500)), todo("2", `x${"🦀".repeat(2_500)}`)] }, call)).todos.every(
      ({ content }) => content.isWellFormed(),
    ),
  );
});

test("refuses a value that is not a list, and keeps the old list", async () => {
  const call = session("s");
  await useTodos({ todos: [todo("1", "kept")] }, call);
  for (const todos of ["nojson", ["nojson"], { id: "1" }, 7]) {
    await assert.rejects(
      useTodos({ todos }, call),
      (error) => error instanceof ToolFailure && error.code === "bad_arguments",
    );
  }
  assert.deepEqual((await useTodos({}, call)).todos, [todo("1", "kept")]);
});
