import assert from "node:assert/strict";
import { test } from "node:test";
import type { CompatTool } from "../../contract/plugins/compat-context.ts";
import { fakeClock } from "../../testing/fake-clock.ts";
import { quietLog } from "../../testing/quiet-log.ts";
import { Hooks } from "../../engine/hooks/hooks.ts";
import { createCompatRuntime } from "./compat-runtime.ts";

function world(options: Parameters<typeof createCompatRuntime>[0] = {}) {
  const log = quietLog();
  const notices: string[] = [];
  const runtime = createCompatRuntime({
    log,
    clock: fakeClock(),
    notice: (text) => void notices.push(text),
    ...options,
  });
  const register = (name: string, toolset: string, more: Partial<CompatTool> = {}) =>
    runtime.registry.register({
      name,
      toolset,
      schema: { name, description: `About ${name}.`, parameters: { type: "object", properties: {} } },
      handler: () => JSON.stringify({ from: toolset }),
      ...more,
    });
  return { ...runtime, log, notices, register };
}

const definition = (name: string) => ({
  type: "function",
  function: { name, description: `About ${name}.`, parameters: { type: "object", properties: {} } },
});

// req: registry.register-signature
test("an entry has exactly the fields it was registered with, plus defaults", () => {
  const { registry } = world();
  const schema = { name: "a", description: "In the schema.", parameters: { type: "object", properties: {} } };
  const handler = () => "1";
  const check_fn = () => true;
  registry.register({ name: "a", toolset: "t", schema, handler });
  assert.deepEqual(registry.get_entry("a"), {
    name: "a",
    toolset: "t",
    schema,
    handler,
    check_fn: undefined,
    requires_env: [],
    is_async: false,
    description: "In the schema.",
    emoji: "",
  });
  const all = {
    name: "b",
    toolset: "t",
    schema,
    handler,
    check_fn,
    requires_env: ["X"],
    is_async: true,
    description: "For people.",
    emoji: "🔧",
  };
  registry.register(all);
  assert.deepEqual(registry.get_entry("b"), all);
});

// req: registry.tool-definition, registry.get-definitions, registry.check-fn-excludes, registry.check-fn-exception
test("lists the definitions of known and available names, wrapped once", async () => {
  const { registry, register, notices, log } = world();
  register("good", "t");
  register("no", "t", { check_fn: () => false });
  register("odd", "t", {
    check_fn: () => {
      throw new Error("x");
    },
  });
  assert.deepEqual(await registry.get_definitions(["odd", "no", "unknown", "good"]), [definition("good")]);
  assert.deepEqual([notices, log.lines.filter(({ level }) => level === "error")], [[], []]);
});

// req: registry.collision
test("when two toolsets register one name, the later wins with one warning that names both", async () => {
  const { registry, register, log } = world();
  register("x", "alpha");
  register("x", "beta");
  assert.equal(await registry.dispatch("x", {}), '{"from":"beta"}');
  assert.deepEqual(
    log.lines.map(({ level, message }) => [level, message]),
    [["warning", 'The tool "x" of "alpha" is replaced by the one of "beta".']],
  );
});

// req: registry.is-toolset-available
test("a toolset is available when one of its tools can be used", async () => {
  const { registry, register } = world();
  let key = false;
  register("a", "t", { check_fn: () => key });
  assert.equal(await registry.is_toolset_available("t"), false);
  key = true;
  assert.equal(await registry.is_toolset_available("t"), true);
  assert.equal(await registry.is_toolset_available("nothing"), false);
});

// req: toolsets.get-tool-definitions
test("an unknown toolset logs a notice, except in quiet mode, and the list stays the same", async () => {
  const { getToolDefinitions, register, notices } = world();
  register("web_search", "web");
  register("terminal", "terminal");
  assert.deepEqual(await getToolDefinitions({ enabled_toolsets: ["web", "nope"] }), [definition("web_search")]);
  assert.deepEqual(notices, ["Unknown toolset: nope"]);
  assert.deepEqual(await getToolDefinitions({ enabled_toolsets: ["web", "nope"], quiet_mode: true }), [
    definition("web_search"),
  ]);
  assert.equal(notices.length, 1);
  assert.deepEqual(await getToolDefinitions({ disabled_toolsets: ["terminal"] }), [definition("web_search")]);
  assert.deepEqual(await getToolDefinitions(), [definition("terminal"), definition("web_search")]);
});

// req: dispatch.handle-function-call, registry.handler-arguments
test("the loop passes task_id and user_task to a handler, a direct dispatch passes neither", async () => {
  const { registry, handleFunctionCall, register } = world();
  const seen: unknown[] = [];
  register("t", "t", { handler: (args, { task_id, user_task }) => (seen.push([args, task_id, user_task]), "1") });
  assert.equal(await handleFunctionCall("t", { a: 1 }, { task_id: "T7", user_task: "tidy up" }), "1");
  assert.equal(await registry.dispatch("t", { a: 1 }), "1");
  assert.deepEqual(seen, [
    [{ a: 1 }, "T7", "tidy up"],
    [{ a: 1 }, undefined, undefined],
  ]);
});

// req: dispatch.unknown-tool, dispatch.inner-error-wrap
test("unknown names and handlers that throw return JSON errors from both dispatch functions", async () => {
  const { registry, handleFunctionCall, register } = world();
  register("t", "t", {
    handler: () => {
      throw new TypeError("x");
    },
  });
  for (const call of [registry.dispatch, handleFunctionCall]) {
    assert.deepEqual(JSON.parse(await call("t", {})), { error: "Tool execution failed: TypeError: x" });
    assert.equal(JSON.parse(await call("no_such_tool", {})).error, "Unknown tool: no_such_tool");
  }
});

// req: dispatch.outer-error-wrap
test("an error in the hook runner is caught around the whole call", async () => {
  const hooks = new Hooks({ log: quietLog(), clock: fakeClock() });
  hooks.add("pre_tool_call", () => undefined, "p");
  hooks.each = () => {
    throw new Error("broken");
  };
  const { handleFunctionCall, register } = world({ hooks });
  register("t", "t");
  assert.equal(await handleFunctionCall("t", {}), '{"error":"Error executing t: broken"}');
});

// req: dispatch.agent-loop-stub-error
test("tools that need a session's state return an error when called without one", async () => {
  const { registry, handleFunctionCall } = world();
  for (const name of ["todo", "memory", "session_search", "delegate_task"]) {
    const expected = JSON.stringify({
      error: `${name} must be handled by the agent loop: it works on the state of a session.`,
    });
    assert.equal(await registry.dispatch(name, {}), expected);
    assert.equal(await handleFunctionCall(name, {}), expected);
  }
});

// req: dispatch.thin-orchestration
test("offers and dispatches a tool of any name without a change elsewhere", async () => {
  const { getToolDefinitions, handleFunctionCall, register } = world();
  register("zzz_foreign-Tool9", "anything");
  assert.deepEqual(await getToolDefinitions({ enabled_toolsets: ["anything"] }), [definition("zzz_foreign-Tool9")]);
  assert.equal(await handleFunctionCall("zzz_foreign-Tool9", {}), '{"from":"anything"}');
});
