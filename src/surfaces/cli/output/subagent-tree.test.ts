import assert from "node:assert/strict";
import { test } from "node:test";
import { SubagentTree } from "./subagent-tree.ts";

const shown = (tree: SubagentTree, nested: boolean): readonly string[] =>
  tree.branches(nested).map(({ lines, subagent }) => `${lines}${subagent.goal} ${subagent.doing}`.trimEnd());

test("nests subagents below their parent, and an empty update keeps the known values", () => {
  const tree = new SubagentTree();
  tree.update("a", { goal: "count" });
  tree.update("b", { goal: "write" });
  tree.update("a1", { goal: "read", parentId: "a" });
  tree.update("a1", { parentId: "a", doing: "terminal wc" });
  tree.update("a1", { parentId: "a", doing: "" });
  tree.update("a2", { parentId: "a", goal: "sum" });
  assert.deepEqual(shown(tree, true), ["├ count", "│ ├ read terminal wc", "│ └ sum", "└ write"]);
  assert.deepEqual(shown(tree, false), ["├ count", "└ write"]);
});
