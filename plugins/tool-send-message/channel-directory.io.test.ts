import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { ChatPost } from "hermes-agent/plugin";
import { directoryIn } from "./channel-directory.ts";
import { listTargets } from "./send-message.ts";

test("lists the chats of the directory for the owner only, each once and on one line", async (t) => {
  const home = mkdtempSync(join(tmpdir(), "hermes-directory-"));
  t.after(() => rmSync(home, { recursive: true }));
  assert.deepEqual(await directoryIn(home), []);
  const slack = [
    { id: "C1", name: "general" },
    { id: "C2", name: "two\nlines (x)", thread_id: "7" },
    { name: "no id" },
  ];
  writeFileSync(join(home, "channel_directory.json"), JSON.stringify({ platforms: { slack, odd: "x" } }));
  const chats = {
    destinations: () => [{ platform: "slack", chatId: "C1" }],
    heard: async () => [],
  } as unknown as ChatPost;
  const directory = await directoryIn(home);
  assert.deepEqual(await listTargets(chats, {}, directory), {
    targets: "slack (home channel, slack:C1)\nslack:C2:7 (two lines  x)",
  });
  const other = await listTargets(chats, { whose: "slack:U1" }, directory);
  assert.equal(other["targets"], "slack (home channel of my owner)");
});
