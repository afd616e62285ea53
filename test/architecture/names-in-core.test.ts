import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SOURCES } from "./sources.ts";

const root = join(import.meta.dirname, "../..");

/** Files of the core that may name tools, surfaces or platforms, and why. */
const ALLOWED: { readonly [file: string]: string } = {
  "src/engine/tools/toolset-table.ts": "data: the toolsets and presets of the original",
  "src/engine/tools/deferred-tools.ts": "data: which core tools of the original are deferred first",
  "src/engine/transcript/prompt.ts": "data: one line of the prompt for each tool that is offered",
  "src/host/compat/compat-registry.ts": "data: the tools that the original runs inside its loop",
  "src/host/plugins/registry/built-in-tasks.ts": "data: names of settings below auxiliary",
  "src/host/plugins/registry/offers.ts": "data: the tools whose grant opens a member of the context",
  "src/surfaces/batch/run-item.ts": "data: toolsets that a batch run goes without",
  "src/surfaces/gateway/chats/chat-conversation.ts": "data: toolsets that users other than the owner go without",
  "src/surfaces/shared/jobs/run-job.ts": "data: toolsets that a scheduled run goes without",
  "src/surfaces/acp/session-updates.ts": "tool_call is a word of the Agent Client Protocol",
};

const SNAPSHOT = JSON.parse(readFileSync(join(root, "plugins/snapshot.json"), "utf8")) as unknown;
/** Tools whose names are also ordinary words of the code: only a comparison with them counts. */
const WORDS: ReadonlySet<string> = new Set(["memory", "process", "patch", "terminal", "discord"]);
const TOOLS = toolNames(SNAPSHOT);
const PLATFORMS = [
  "telegram",
  "irc",
  "discord",
  "slack",
  "whatsapp",
  "matrix",
  "mattermost",
  "feishu",
  "yuanbao",
  "weixin",
];
const SURFACES = ["cron", "cli", "gateway", "api_server", "acp"];

test("finds the names of the bundled tools", () => {
  for (const name of ["terminal", "skill_view", "read_file", "execute_code"]) assert.ok(TOOLS.includes(name), name);
});

test("the core compares nothing with the name of a tool, a surface or a platform", () => {
  const core = SOURCES.filter((file) => /^src\/(engine|host|safety|surfaces)\//.test(file));
  const found = core.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    // A surface may keep its own name.
    return namesIn(text, !file.startsWith("src/surfaces/")).map((name) => `${file} names ${name}`);
  });
  assert.deepEqual(
    found.filter((one) => ALLOWED[one.split(" ", 1)[0]!] === undefined),
    [],
    "Declare a property (a tool's role, a platform's capability, an option of the session) and ask for that.",
  );
  assert.deepEqual(
    Object.keys(ALLOWED).filter((file) => !found.some((one) => one.startsWith(`${file} `))),
    [],
    "These files no longer name a tool, surface or platform. Remove them from the list.",
  );
});

test("reports a quoted tool, a comparison with a surface and one with a platform", () => {
  assert.deepEqual(namesIn('session.call("skill_view", {})'), ["skill_view"]);
  assert.deepEqual(namesIn('if (tool.name === "terminal") x();'), ["terminal"]);
  assert.deepEqual(namesIn('const surface = open.surface === "cron";'), ["cron"]);
  assert.deepEqual(namesIn('const SCHEDULED = "cron";'), ["cron"]);
  assert.deepEqual(namesIn('const is = platform !== "telegram";'), ["telegram"]);
  assert.deepEqual(namesIn('const schedule = kind === "cron"; const from = use("terminal");'), []);
  assert.deepEqual(namesIn('// not "skill_view"\nconst x = 1;'), []);
});

/** @param constants Also constants that hold the name of a surface. */
function namesIn(source: string, constants = true): readonly string[] {
  const text = source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  const has = (pattern: string): boolean => new RegExp(pattern).test(text);
  return [
    ...TOOLS.filter((name) =>
      WORDS.has(name) ? has(`\\b(?:tool|name|tool_name)(?:\\.name)? ?[!=]== ?"${name}"`) : has(`"${name}"`),
    ),
    ...SURFACES.filter(
      (name) =>
        has(`\\b(?:surface|platform)(?:\\.name)? ?[!=]== ?"${name}"`) ||
        (constants && has(`\\bconst \\w+ = "${name}"`)),
    ),
    ...PLATFORMS.filter((name) => has(`\\b(?:surface|platform|service)(?:\\.name)? ?[!=]== ?"${name}"`)),
  ];
}

function toolNames(value: unknown): readonly string[] {
  const names = new Set<string>();
  JSON.stringify(value, (key, inner: unknown) => {
    if (key === "declaration" && typeof inner === "object" && inner !== null && "toolset" in inner)
      names.add((inner as unknown as { readonly name: string }).name);
    if (key === "tools" && Array.isArray(inner))
      for (const tool of inner as readonly { readonly name?: unknown }[])
        if (typeof tool.name === "string") names.add(tool.name);
    return inner;
  });
  return [...names].sort();
}
