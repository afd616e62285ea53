import assert from "node:assert/strict";
import { test } from "node:test";
import { TUI_KEYBINDINGS } from "@earendil-works/pi-tui";
import { ACTIONS, isKey } from "./actions.ts";
import { bindKeys } from "./bindings.ts";
import { keyTitle } from "./key-help.ts";
import { userKeysOf } from "./user-keys.ts";

const FILE = "/home/me/.hermes/keybindings.json";

function read(value: unknown): { readonly keys: object; readonly problems: readonly string[] } {
  const { keys, notices } = userKeysOf(typeof value === "string" ? value : JSON.stringify(value), FILE);
  return {
    keys: Object.fromEntries(keys),
    problems: notices.map(({ text }) => text.replace(`Cannot use a part of ${FILE}: `, "")),
  };
}

test("an action takes one key, several, or none", () => {
  const { keys, problems } = read({
    "app.searchHistory": "alt+r",
    "app.toggleCards": ["Alt+T", "f2"],
    "app.suspend": [],
  });
  assert.deepEqual(problems, []);
  assert.deepEqual(keys, { "app.searchHistory": ["alt+r"], "app.toggleCards": ["alt+t", "f2"], "app.suspend": [] });
});

test("reports each mistake by name, and applies the rest", () => {
  const { keys, problems } = read({
    "app.serchHistory": "f1",
    "app.suspend": "ctrl+nothing",
    "app.repaint": 3,
    "editor.undo": "f2",
  });
  assert.deepEqual(keys, { "editor.undo": ["f2"] });
  assert.deepEqual(problems, [
    'there is no action "app.serchHistory"; did you mean "app.searchHistory"?.',
    '"app.suspend" names a key that does not exist: "ctrl+nothing".',
    '"app.repaint" must be a key or a list of keys.',
  ]);
  assert.match(read("{").problems[0]!, /^it is not valid JSON \(/);
  assert.deepEqual(read([]).problems, ["it is not a JSON object."]);
});

test("reports one key for two actions; a key that is a default elsewhere moves", () => {
  const two = read({ "app.repaint": "f3", "app.suspend": "f3" });
  assert.deepEqual(two.problems, ['"f3" has 2 actions: app.repaint, app.suspend.']);
  const moved = read({ "editor.undo": "ctrl+r" });
  assert.deepEqual(moved.problems, []);
  assert.deepEqual(moved.keys, { "editor.undo": ["ctrl+r"], "app.searchHistory": [] });
  const bound = bindKeys(userKeysOf('{"editor.undo": "ctrl+r"}', FILE).keys);
  assert.deepEqual(bound.getKeys("tui.editor.undo"), ["ctrl+r"]);
  assert.ok(bound.matches("\x12", "tui.editor.undo"));
  assert.ok(!bound.matches("\x12", "app.searchHistory"));
});

test("every action of the editor and of lists in the library has a name here", () => {
  const known = new Set(Object.keys(bindKeys().getResolvedBindings()));
  const named = new Set(ACTIONS.map(({ name }) => name.split(".")[1]));
  const ours = Object.keys(TUI_KEYBINDINGS).filter((name) => /^tui\.(?:editor|select)\./.test(name));
  assert.deepEqual(
    ours.filter((name) => !known.has(name) || !named.has(name.split(".")[2])),
    [],
  );
  assert.deepEqual(
    ACTIONS.flatMap(({ keys }) => keys.filter((key) => !isKey(key))),
    [],
  );
});

test("keys have titles", () => {
  assert.deepEqual(["ctrl+r", "alt+up", "ctrl++", "escape", "pageUp"].map(keyTitle), [
    "Ctrl-R",
    "Alt-Up",
    "Ctrl-+",
    "Esc",
    "PgUp",
  ]);
});
