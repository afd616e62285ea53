import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { quietLog } from "hermes-agent/testing";
import { fitPage } from "./fit-page.ts";

function fit(t: TestContext, content: string, charLimit?: number) {
  const agentHome = mkdtempSync(join(tmpdir(), "hermes-page-"));
  t.after(() => rmSync(agentHome, { recursive: true, force: true }));
  return fitPage({ url: "https://tea.example/long", title: "Tea", content, error: null }, charLimit, {
    config: () => undefined,
    agentHome,
    log: quietLog(),
  });
}

test("shows the beginning and end of a long page and saves the complete text", async (t) => {
  const whole = `begin${"x".repeat(5_000)}end`;
  const { content } = await fit(t, whole, 2_000);
  const [, left, file] = /\n\[\.\.\. (\d+) characters omitted; the complete text is in (\S+): use/.exec(content) ?? [];
  assert.deepEqual(
    [content.startsWith("beginx"), content.endsWith("xend"), left],
    [true, true, String(whole.length - 2_000)],
  );
  assert.equal(readFileSync(file!, "utf8"), whole);
});

test("pictures that are written into the page are named, not shown", async (t) => {
  const { content } = await fit(
    t,
    "a ![a leaf](data:image/png;base64,AAAA) b data:image/gif;base64,BBBB= c ![far](https://tea.example/leaf.png)",
  );
  assert.equal(content, "a [IMAGE: a leaf] b [IMAGE: ] c ![far](https://tea.example/leaf.png)");
});

test("a page that is built to be slow to parse does not block", async (t) => {
  for (const piece of ["![", "![](data:", "data:image/", "data:image/x;base64,"])
    assert.match((await fit(t, piece.repeat(4_000_000 / piece.length))).content, /characters omitted/, piece);
});
