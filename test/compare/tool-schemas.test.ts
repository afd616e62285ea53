import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { takenBy, witnessedSchemas, type Taken } from "./tool-schemas.ts";

/** Intended differences, and why. */
const ON_PURPOSE: { readonly [argument: string]: readonly [ours: string | undefined, why: string] } = {
  "cronjob.attach_to_session": [undefined, "8.8: the original takes it and forgets it."],
  "delegate_task.background": [undefined, "The original takes it and forgets it."],
  "delegate_task.tasks[].role": ["string", "A role that is none is a leaf, not a refused call."],
  "delegate_task.toolsets": ["string[]", "The seeds have it."],
  "ha_call_service.data": ["object|string", "An object need not be written as text."],
  "memory.operations[].action": ["string", "What is no action is told with what the others are."],
  "memory.target": ["memory|user", "Without it the notes are meant, as in the original."],
  "patch.cross_profile": [undefined, "It lifts a guard that is not here."],
  "patch.mode": ["patch|replace", "What is sent tells the mode."],
  "process.timeout": ["number", "Half a second is a time."],
  "search_files.target": ["string", "`grep` and `find` are understood, too."],
  "session_search.profile": [undefined, "8.8: the original takes it and forgets it."],
  "terminal.env": ["object", "Stored secrets by name, for one command."],
  "terminal.outside": ["boolean", "Out of the sandbox, asked about each time."],
  "terminal.timeout": ["number", "Half a second is a time."],
  "todo.todos[].content": ["string", "merge changes what is given of an item."],
  "todo.todos[].id": ["string", "8.10: items without an id stay apart."],
  "todo.todos[].status": ["cancelled|completed|in_progress|pending", "merge changes what is given of an item."],
  "write_file.cross_profile": [undefined, "It lifts a guard that is not here."],
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
