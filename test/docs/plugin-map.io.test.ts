import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { openApp } from "../../src/host/app/open-app.ts";
import { startOpenAiServer } from "../servers/openai.ts";
import { NewUser } from "../end-to-end/support/test-user.ts";
import { readPage, ROOT } from "./read-pages.ts";

/**
 * Every row of the original's plugin map, the page that it leads to, and the test that runs the sample there. `follow`:
 * the page's own `run` blocks.
 */
const MAP: readonly (readonly [request: string, link: string, runBy: string])[] = [
  ["tools, hooks, slash commands, skills", "#tools", "follow"],
  ["a model service", "#model-services", "provider-snippets.io.test.ts"],
  ["a chat platform", "platform-adapters.md#writing-one", "provider-snippets.io.test.ts"],
  ["a memory", "#memory", "provider-snippets.io.test.ts"],
  ["another way to shorten long conversations", "#context-engines", "provider-snippets.io.test.ts"],
  ["a service that makes pictures", "#pictures-and-videos", "provider-snippets.io.test.ts"],
  ["a service that makes videos", "#pictures-and-videos", "provider-snippets.io.test.ts"],
  ["a text-to-speech voice", "media.md#speaking", "plugin-map.io.test.ts"],
  ["speech recognition", "media.md#understanding-speech", "plugin-map.io.test.ts"],
  ["tools of an MCP server", "mcp.md#a-server-in-one-file", "follow"],
  ["to react to events of chats and sessions", "hooks.md#event-hooks", "follow"],
  ["to run a script at a tool call", "hooks.md#shell-hooks", "follow"],
  ["skills of a repository", "skills.md#installing-skills", "follow"],
  [
    "a model service that ships with the agent",
    "models.md#a-service-that-ships-with-the-agent",
    "core-provider.io.test.ts",
  ],
];

// req: docs.plugin-guides
test("the plugin guide opens with a map to interfaces, and each leads to a page whose sample is tested", () => {
  const { text } = readPage("docs/plugins.md");
  const rows = text
    .slice(0, text.indexOf("\n## "))
    .split("\n")
    .filter((line) => /^\| (?!you want|-)/.test(line));
  assert.equal(MAP.length, 14);
  for (const [request, link, runBy] of MAP) {
    const row = rows.find((line) => line.startsWith(`| ${request}`)) ?? "";
    assert.ok(row.includes(`](${link})`), `${request}: ${row}`);
    const [file = ""] = link.split("#");
    const page = file === "" ? "plugins.md" : file;
    const sampled =
      runBy === "follow"
        ? readPage(`docs/${page}`).fences.some(({ info }) => info === "run")
        : readFileSync(join(ROOT, "test/docs", runBy), "utf8").includes(page.replace(".md", ""));
    assert.ok(sampled, `${request}: nothing runs a sample of ${page}`);
  }
});

/** Speaks as the guide's `voxcpm` would be called: it turns the text into the sound. */
const VOXCPM = `#!/bin/sh
while [ $# -gt 0 ]; do
  case "$1" in --text-file) text=$2 ;; --out) out=$2 ;; --voice) voice=$2 ;; esac
  shift 2
done
{ printf '%s: ' "$voice"; cat "$text"; } > "$out"
`;

test("the text-to-speech command in docs/media.md works when pasted into config.yaml", async () => {
  const sample = readPage("docs/media.md").fences.find(
    ({ language, code }) => language === "yaml" && code.includes("type: command"),
  )!.code;
  await using server = await startOpenAiServer([{ text: "done" }]);
  using place = new NewUser();
  chmodSync(place.write("bin/voxcpm", VOXCPM), 0o755);
  using user = new NewUser({ PATH: `${join(place.folder, "bin")}${delimiter}${process.env["PATH"]}` });
  user.connect("custom", server.url, sample);
  const result = JSON.parse((await user.run(["tools", "call", "text_to_speech", '{"text":"Good day."}'])).out) as {
    readonly file_path: string;
    readonly provider: string;
  };
  assert.deepEqual(
    [result.provider, existsSync(result.file_path) && readFileSync(result.file_path, "utf8")],
    ["voxcpm", "calm: Good day."],
  );
});

/** Transcribes as the guide's `whisper` would be called. */
const WHISPER = `#!/bin/sh
sound=$1
shift
while [ $# -gt 0 ]; do
  case "$1" in --model) model=$2 ;; --language) language=$2 ;; --output_dir) folder=$2 ;; esac
  shift 2
done
{ printf '%s, %s: ' "$language" "$model"; cat "$sound"; } > "$folder/sound.txt"
`;

test("the transcription command in docs/media.md works when pasted into .env", async () => {
  const { fences } = readPage("docs/media.md");
  const [settings, variable] = [
    fences.find(({ language, code }) => language === "yaml" && code.startsWith("stt:")),
    fences.find(({ code }) => code.startsWith("HERMES_LOCAL_STT_COMMAND=")),
  ];
  using user = new NewUser();
  const program = user.write("whisper", WHISPER);
  chmodSync(program, 0o755);
  user.write("~/.hermes/config.yaml", `${settings!.code}  local_command:\n    model: tiny\n`);
  user.write("~/.hermes/.env", variable!.code.replace("'whisper ", `'${program} `));
  const voice = user.write("note.oga", "Good day.");
  await using app = await openApp({
    version: "0",
    env: { HOME: user.home, PATH: process.env["PATH"] },
    signal: new AbortController().signal,
  });
  assert.deepEqual(await app.media.transcribe(voice), { ok: true, text: "en, tiny: Good day." });
});
