import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ended, NewUser, type Ended } from "../test/end-to-end/support/test-user.ts";
import { startOpenAiServer } from "../test/servers/openai.ts";

const PAGE =
  "# Tides\n\n[简体中文](zh-Hans/tides.md)\n\nSee [models](models.md#caching), [the house](architecture.md) and [below](#high-water).\n\n## High water\n\n```sh\nhermes chat -q hello\n```\n\nThat is all.\n";
const RIGHT =
  "# 潮汐\n\n[English](zh-Hans/tides.md)\n\n参见[模型](models.md#caching)、[结构](architecture.md)和[下文](#high-water)。\n\n## 高潮\n\n```sh\nhermes chat -q hello\n```\n\n就这些。\n";
const WITHOUT_FENCE = RIGHT.replace(/```[^]*```\n\n/, "");
const CUT = RIGHT.slice(0, RIGHT.indexOf("## "));

async function translated(
  answers: readonly string[],
): Promise<{ readonly ran: Ended; readonly asked: readonly string[]; readonly saved: string | undefined }> {
  await using server = await startOpenAiServer(answers.map((text) => ({ text, deltaChars: 400 })));
  using user = new NewUser();
  user.connect("custom", server.url);
  const page = user.write("tides.md", PAGE);
  const child = spawn(
    process.execPath,
    ["--conditions=hermes-source", join(import.meta.dirname, "translate.ts"), page, "--to", user.home],
    {
      cwd: user.folder,
      env: { PATH: process.env["PATH"], HOME: user.home, LANG: "C.UTF-8" },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const ran = await ended(child);
  const file = join(user.home, "tides.md");
  return {
    ran,
    asked: server.requests.map(({ body }) => body),
    saved: existsSync(file) ? readFileSync(file, "utf8") : undefined,
  };
}

// req: i18n.structure-check
test("asks again for a translation without a fence, names the loss, and saves the good one with its links", async () => {
  const { ran, asked, saved } = await translated([WITHOUT_FENCE, RIGHT]);
  assert.equal(ran.status, 0, ran.err);
  assert.equal(asked.length, 2);
  assert.match(ran.err, /Attempt 1 of 3 lost part of .*tides\.md:\n {2}It has 0 fenced blocks, the page has 1/);
  assert.match(asked[1]!, /An earlier translation was refused:\\nIt has 0 fenced blocks/);
  assert.equal(
    saved,
    RIGHT.replace("(zh-Hans/tides.md)", "(../tides.md)")
      .replace("(models.md#caching)", "(models.md#缓存)")
      .replace("(architecture.md)", "(../architecture.md)")
      .replace("(#high-water)", "(#高潮)"),
  );
});

// req: i18n.structure-check
test("reports a translation that stays incomplete, and does not save it", async () => {
  const { ran, asked, saved } = await translated([CUT]);
  assert.deepEqual([ran.status, asked.length, saved], [1, 3, undefined]);
  assert.match(
    ran.err,
    /Its 1 headings do not have the levels of the page's 2[^]*could not be translated; nothing was saved\./,
  );
});
