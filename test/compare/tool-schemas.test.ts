import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { takenBy, witnessedSchemas, type Taken } from "./tool-schemas.ts";

/** Intended differences, and why. */
const ON_PURPOSE: { readonly [argument: string]: readonly [ours: string | undefined, why: string] } = {
  "cronjob.attach_to_session": [undefined, "8.8: the original accepts and ignores it."],
  "delegate_task.background": [undefined, "The original accepts and ignores it."],
  "delegate_task.tasks[].role": ["string", "An unknown role counts as leaf instead of failing the call."],
  "delegate_task.toolsets": ["string[]", "The original's documents have it."],
  "ha_call_service.data": ["object|string", "An object need not be serialized as text."],
  "memory.operations[].action": ["string", "An unknown action is reported with the valid ones."],
  "memory.target": ["memory|user", "The default is the notes, as in the original."],
  "patch.cross_profile": [undefined, "It disables a guard that does not exist here."],
  "patch.mode": ["patch|replace", "The other arguments determine the mode."],
  "process.timeout": ["number", "Fractions of a second are valid."],
  "read_file.column": ["integer", "Reads the rest of a line that was cut."],
  "search_files.target": ["string", "`grep` and `find` are accepted too."],
  "session_search.profile": [undefined, "8.8: the original accepts and ignores it."],
  "terminal.env": ["object", "Stored secrets by name, for one command."],
  "terminal.outside": ["boolean", "Runs outside the sandbox, with approval each time."],
  "terminal.timeout": ["number", "Fractions of a second are valid."],
  "todo.todos[].content": ["string", "merge changes only the given fields of an item."],
  "todo.todos[].id": ["string", "8.10: items without an id stay separate."],
  "todo.todos[].status": ["cancelled|completed|in_progress|pending", "merge changes only the given fields of an item."],
  "write_file.cross_profile": [undefined, "It disables a guard that does not exist here."],
};

interface Snapshot {
  readonly plugins: readonly {
    readonly registered: { readonly tools: readonly { readonly name: string; readonly input: object }[] };
  }[];
}

test("a tool of the same name takes the same parameters as in hermes-agent 0.19.0, except for improvements", () => {
  const { plugins } = JSON.parse(
    readFileSync(join(import.meta.dirname, "../../plugins/snapshot.json"), "utf8"),
  ) as Snapshot;
  const ours = new Map(
    plugins.flatMap(({ registered }) => registered.tools).map(({ name, input }) => [name, takenBy(input)]),
  );
  const found = Object.entries(witnessedSchemas()).flatMap(([tool, theirs]) => {
    const mine: Taken = ours.get(tool) ?? {};
    return [...new Set([...Object.keys(theirs), ...Object.keys(mine)])].flatMap((argument) =>
      theirs[argument] === mine[argument] ? [] : [[`${tool}.${argument}`, mine[argument]] as const],
    );
  });
  assert.deepEqual(
    Object.fromEntries(found),
    Object.fromEntries(Object.entries(ON_PURPOSE).map(([argument, [taken]]) => [argument, taken])),
  );
});
