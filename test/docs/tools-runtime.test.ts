import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { readPage, ROOT } from "./read-pages.ts";

/**
 * The four pages that the original names beside the tool runtime: toolsets, built-in tools, the agent loop, the
 * internals of ACP.
 */
const RELATED = {
  "docs/tools-runtime.md": ["reference/toolsets.md", "reference/tools.md", "architecture.md#a-turn", "acp.md#inside"],
  "docs/zh-Hans/tools-runtime.md": [
    "../reference/toolsets.md",
    "../reference/tools.md",
    "../architecture.md#a-turn",
    "acp.md#内部",
  ],
};

// req: docs.tools-runtime
test("in both languages, the tool runtime page links to toolsets, built-in tools, the loop and ACP", () => {
  for (const [file, related] of Object.entries(RELATED)) {
    const { links } = readPage(file);
    assert.deepEqual(
      related.filter((link) => !links.includes(link)),
      [],
      file,
    );
    for (const link of related) {
      const [path = "", anchor] = link.split("#");
      const target = normalize(join(dirname(file), path));
      assert.ok(existsSync(join(ROOT, target)), `${file}: ${link}`);
      assert.ok(anchor === undefined || readPage(target).anchors.has(anchor), `${file}: ${link}`);
    }
  }
});
