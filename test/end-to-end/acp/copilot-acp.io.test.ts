import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { lacksProgram } from "../../../src/testing/lacks-program.ts";
import type { AgentScene } from "../../servers/acp-agent.ts";
import { NO_TMUX, UserTerminal } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";

const AGENT = join(import.meta.dirname, "../../servers/acp-agent.ts");
const usage = { inputTokens: 10, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
const LABELS = [
  "GitHub Copilot",
  "GitHub Copilot ACP",
  "Google Gemini",
  "Alibaba Cloud Model Studio",
  "DeepSeek",
  "Kilo Code",
  "Hugging Face",
  "OpenCode Zen",
  "OpenCode Go",
];
const IDS = [
  "copilot",
  "copilot-acp",
  "gemini",
  "alibaba",
  "deepseek",
  "kilocode",
  "huggingface",
  "opencode-zen",
  "opencode-go",
];

/** A user whose Copilot is a scripted agent. */
function prompterWith(scenes: readonly AgentScene[]): NewUser {
  const user = new NewUser();
  user.write("scenes.json", JSON.stringify(scenes));
  user.write("~/.hermes/config.yaml", "model:\n  provider: copilot-acp\n");
  user.write(
    "~/.hermes/.env",
    `HERMES_COPILOT_ACP_COMMAND=${process.execPath}\nHERMES_COPILOT_ACP_ARGS="--conditions=hermes-source '${AGENT}' '${user.folder}'"\nOPENAI_API_KEY=sk-of-the-person-0123456789\n`,
  );
  return user;
}

const lines = <T>(user: NewUser, name: string): readonly T[] =>
  (existsSync(join(user.folder, name)) ? readFileSync(join(user.folder, name), "utf8") : "")
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [JSON.parse(line) as T]));

// req: models.runtime-providers
test(
  "an agent as a model: its calls pass the dispatch pipeline, it starts once, and it ends with the run",
  { skip: lacksProgram("ps") },
  async () => {
    const call = (text: string, tool: string, args: object) =>
      ({
        kind: "answer",
        text,
        calls: [{ callId: "1", tool, args: JSON.stringify(args) }],
        finish: "tool-calls",
        usage,
      }) as const;
    using user = prompterWith([
      call("I look.", "read_file", { path: "note.txt" }),
      call("I tidy.", "terminal", { command: "rm -rf build" }),
      { kind: "answer", text: "It says forty-two.", finish: "stop", usage },
    ]);
    user.write("note.txt", "the word is forty-two");
    user.write("build/a.txt", "keep");
    const { status, out, err } = await user.run(["chat", "-q", "what does note.txt say?"]);
    assert.equal(status, 0, err);
    assert.equal(out, "I look.\nI tidy.\nIt says forty-two.\n");
    const [, second = "", third = ""] = lines<{ readonly prompt: readonly { readonly text: string }[] }>(
      user,
      "prompts.jsonl",
    ).map(({ prompt }) => prompt.map(({ text }) => text).join(""));
    assert.match(second, /result of 1, read_file\]\n[^]*the word is forty-two/);
    // Without a prompter, a destructive call is denied.
    assert.match(third, /failure of \S+, terminal\]\n/);
    assert.ok(existsSync(join(user.folder, "build/a.txt")));
    const starts = lines<{ readonly pids: readonly number[]; readonly env: { readonly [name: string]: string } }>(
      user,
      "starts.jsonl",
    );
    assert.equal(starts.length, 1);
    assert.doesNotMatch(JSON.stringify(starts), /sk-of-the-person/);
    for (const pid of starts[0]!.pids)
      assert.match(spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim(), /^(Z.*)?$/);
  },
);

test("`hermes doctor` contacts the agent, and reports what is missing", async () => {
  using user = prompterWith([{ kind: "stranger" }, { kind: "stranger" }]);
  assert.match(
    (await user.run(["doctor"])).out,
    /✗ model +copilot-acp of copilot-acp .*Authentication required\.\s+To\s+sign\s+in,\s+run\s+`copilot\s+login`/,
  );
  user.write("scenes.json", "[]");
  assert.match((await user.run(["doctor"])).out, /copilot-acp of copilot-acp \(.*\); the service answers/);
  user.write("~/.hermes/.env", "HERMES_COPILOT_ACP_COMMAND=no-such-copilot\n");
  assert.match((await user.run(["doctor"])).out, /there is no program "no-such-copilot"[^]*HERMES_COPILOT_ACP_COMMAND/);
});

// req: models.runtime-providers
test("`hermes model` accepts each of the seven families by id", async () => {
  using user = new NewUser();
  for (const id of IDS) {
    const { status, out, err } = await user.run(["model", `${id}/some-model`, "--no-check"]);
    assert.deepEqual([status, out], [0, `Hermes uses some-model by ${id} from the next turn on.\n`], err);
    if (id === "copilot-acp")
      assert.match(
        err,
        /^GitHub Copilot ACP needs the program "copilot", which is not installed\. .*HERMES_COPILOT_ACP_COMMAND\.\s*$/,
      );
  }
  assert.match((await user.run(["model", "--list", "copilot-acp"])).err, /there is no program "copilot"/);
});

// req: models.runtime-providers
test("`hermes model` lists the seven families in a terminal", { skip: NO_TMUX }, async () => {
  using user = prompterWith([]);
  await using terminal = await UserTerminal.open(user, ["model"], { rows: 80 });
  await terminal.until(/Model provider[^]*type to filter/);
  const listed = (await terminal.screen())
    .split("\n")
    .flatMap((line) => /^\W*\d+\. (.*?)(?: \(([^)]*)\))?\s*$/.exec(line)?.slice(1, 3).join("|") ?? []);
  assert.deepEqual(
    LABELS.filter((label) => !listed.some((one) => one.startsWith(`${label}|`))),
    [],
  );
  assert.ok(listed.includes("GitHub Copilot ACP|a local program"), listed.join("\n"));
});
