import assert from "node:assert/strict";
import { test } from "node:test";
import type { SavedEntry } from "../entry.ts";
import { planRollback } from "./plan-rollback.ts";

const file = (content: string | undefined, mode = 0o100644): SavedEntry => ({
  kind: "file",
  mode,
  bytes: 1,
  modifiedMs: 1,
  changedMs: 1,
  inode: 1,
  content,
});

// req: R-71
test("undoes what a turn changed, created or removed, and does not list unchanged files", () => {
  const steps = planRollback([
    { path: "changed", turns: [{ before: file("a"), after: file("b") }], now: file("b") },
    { path: "made", turns: [{ before: undefined, after: file("b") }], now: file("b") },
    { path: "removed", turns: [{ before: file("a"), after: undefined }], now: undefined },
    { path: "same", turns: [{ before: file("a"), after: file("a") }], now: file("c") },
  ]);
  assert.deepEqual(steps, [
    { kind: "restore", path: "made", to: undefined, from: file("b") },
    { kind: "restore", path: "changed", to: file("a"), from: file("b") },
    { kind: "restore", path: "removed", to: file("a"), from: undefined },
  ]);
});

// req: R-71
test("keeps the user's changes after the turn, restores those made during or between the turns, and names each", () => {
  const steps = planRollback([
    { path: "since", turns: [{ before: file("a"), after: file("b") }], now: file("mine") },
    {
      path: "between",
      turns: [
        { before: file("a"), after: file("b") },
        { before: file("mine"), after: file("c") },
      ],
      now: file("c"),
    },
    { path: "during", turns: [{ before: file("a"), after: file("mine"), byOthers: true }], now: file("mine") },
    {
      path: "during the first",
      turns: [
        { before: file("a"), after: file("mine"), byOthers: true },
        { before: file("mine"), after: file("b") },
      ],
      now: file("b"),
    },
  ]);
  assert.deepEqual(steps, [
    { kind: "restore", path: "between", to: file("mine"), from: file("c") },
    { kind: "keep", path: "between", why: "it was changed outside the agent's calls between the turns" },
    { kind: "keep", path: "during", why: "it was changed outside the agent's calls during a turn" },
    { kind: "restore", path: "during the first", to: file("mine"), from: file("b") },
    { kind: "keep", path: "during the first", why: "it was changed outside the agent's calls during a turn" },
    { kind: "keep", path: "since", why: "it was changed outside the agent's turns since" },
  ]);
});

test("undoes several turns back to the start of the first, and skips files already restored", () => {
  const turns = [
    { before: file("a"), after: file("b") },
    { before: file("b"), after: file("c") },
  ];
  assert.deepEqual(planRollback([{ path: "f", turns, now: file("c") }]), [
    { kind: "restore", path: "f", to: file("a"), from: file("c") },
  ]);
  assert.deepEqual(planRollback([{ path: "f", turns, now: file("a") }]), []);
});

test("names unsaved content as lost", () => {
  assert.deepEqual(
    planRollback([{ path: "huge", turns: [{ before: file(undefined), after: undefined }], now: undefined }]),
    [{ kind: "lost", path: "huge", why: "its content was too large to save or could not be read" }],
  );
});

test("creates folders before their content and removes them after it", () => {
  const folder: SavedEntry = { ...file(undefined, 0o40755), kind: "folder" };
  const paths = planRollback([
    { path: "new", turns: [{ before: undefined, after: folder }], now: folder },
    { path: "new/a", turns: [{ before: undefined, after: file("x") }], now: file("x") },
    { path: "old/a", turns: [{ before: file("x"), after: undefined }], now: undefined },
    { path: "old", turns: [{ before: folder, after: undefined }], now: undefined },
  ]).map(({ path }) => path);
  assert.deepEqual(paths, ["new/a", "new", "old", "old/a"]);
});

// field: F13
test("lists new files with invalid names as lost, with the folders around them", () => {
  const nameless: SavedEntry = { ...file(undefined), kind: "other", mode: 0 };
  const folder: SavedEntry = { ...file(undefined), kind: "folder" };
  const made = (path: string, now: SavedEntry) => ({ path, turns: [{ before: undefined, after: now }], now });
  assert.deepEqual(
    planRollback([
      made("caf\ufffd", nameless),
      made("d", folder),
      made("d/x\ufffd", nameless),
      made("e\ufffd", file("a")),
    ]).map((step) => [step.kind, step.path]),
    [
      ["restore", "e\ufffd"],
      ["keep", "d"],
      ["lost", "caf\ufffd"],
      ["lost", "d/x\ufffd"],
    ],
  );
});
