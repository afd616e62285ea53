import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { PlatformChat } from "../../../contract/providers/platform.ts";
import { quietLog } from "../../../testing/quiet-log.ts";
import { ChannelDirectory } from "./channel-directory.ts";
import type { PlatformLine } from "./platform-connection.ts";

test("writes the chats that platforms list, and keeps the last list of a platform that fails", async (t) => {
  const home = mkdtempSync(join(tmpdir(), "hermes-directory-"));
  t.after(() => rmSync(home, { recursive: true }));
  const line = (name: string, chats: () => Promise<readonly PlatformChat[] | undefined>) => ({
    plan: { name, label: name } as PlatformLine["plan"],
    chats,
  });
  const directory = new ChannelDirectory(home, quietLog());
  const file = join(home, "channel_directory.json");
  await directory.refresh([line("irc", async () => undefined)]);
  assert.equal(existsSync(file), false);
  const chat = { id: "C1", name: "general", type: "channel" } as const;
  await directory.refresh([line("slack", async () => [chat]), line("irc", async () => undefined)]);
  await directory.refresh([line("slack", () => Promise.reject(new Error("busy"))), line("sms", async () => [])]);
  const { platforms } = JSON.parse(readFileSync(file, "utf8")) as { readonly platforms: object };
  assert.deepEqual(platforms, { slack: [chat], sms: [] });
});
