import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import type { RecordedRequest } from "../../servers/script.ts";
import { ended, NewUser } from "../support/test-user.ts";
import { openToolHome } from "../support/tool-home.ts";

interface Body {
  readonly model: string;
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

interface Entry {
  readonly prompt_index: number;
  readonly conversations: readonly { readonly from: string; readonly value: string }[];
  readonly metadata: { readonly batch_num: number; readonly model: string; readonly session_id: string };
  readonly completed: boolean;
  readonly partial: boolean;
  readonly api_calls: number;
  readonly toolsets_used: readonly string[];
  readonly tool_stats: {
    readonly [tool: string]: { readonly count: number; readonly success: number; readonly failure: number };
  };
}

const bodyOf = ({ body }: Pick<RecordedRequest, "body">): Body => JSON.parse(body) as Body;
/** The item's prompt. */
const promptOf = (request: Pick<RecordedRequest, "body">): string =>
  String(bodyOf(request).messages.find(({ role }) => role === "user")!.content)
    .split("\n")
    .at(-1)!;
const lines = <T>(text: string): readonly T[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
const prompts = (...texts: readonly string[]): string =>
  texts.map((prompt) => `${JSON.stringify({ prompt })}\n`).join("");
const DISTRIBUTION = ["--distribution", "terminal_only"];

// req: rl-batch.batch-runner
test("runs three prompts as three conversations with statistics; a second start reruns only the failed one", async () => {
  let refuses = true;
  await using server = await startOpenAiServer((request) => {
    const { messages } = bodyOf(request);
    if (promptOf(request).includes("third") && refuses) return { status: 400, message: "not now" };
    if (messages.at(-1)!.role === "tool") return { thinking: "It lists it.", text: "one file" };
    return promptOf(request).includes("first")
      ? {
          thinking: "I look.",
          text: "Looking.",
          calls: [
            { tool: "terminal", args: { command: "printf a.txt" } },
            { tool: "read_file", args: { path: "nowhere.txt" } },
          ],
        }
      : { text: "done" };
  });
  using user = new NewUser();
  user.connect("custom", server.url);
  user.write("prompts.jsonl", prompts("the first", "the second", "the third"));
  const run = await user.run(["batch", "run", "prompts.jsonl", "--batch-size", "2", "--workers", "3", ...DISTRIBUTION]);
  assert.deepEqual([run.status, run.out.split(";")[0]], [1, "2 of 3 prompts are done, 1 failed"], run.err);
  assert.match(run.err, /prompt 2: ✗ .*not now/);
  assert.ok(server.requests.every((request) => bodyOf(request).model === "anthropic/claude-sonnet-4.6"));

  refuses = false;
  const asked = server.requests.length;
  const again = await user.run(["batch", "run", "prompts.jsonl", "--json"]);
  assert.equal(again.status, 0, again.err);
  assert.deepEqual(server.requests.slice(asked).map(promptOf), ["the third"]);
  const folder = join(user.folder, "data/prompts");
  const all = lines<Entry>(readFileSync(join(folder, "trajectories.jsonl"), "utf8"));
  assert.deepEqual(
    all.map(({ prompt_index, completed, partial, api_calls, toolsets_used, metadata }) => [
      prompt_index,
      completed,
      partial,
      api_calls,
      toolsets_used,
      metadata.batch_num,
      metadata.model,
    ]),
    [
      [0, true, false, 2, ["terminal", "file"], 0, "anthropic/claude-sonnet-4.6"],
      [1, true, false, 1, ["terminal", "file"], 0, "anthropic/claude-sonnet-4.6"],
      [2, true, false, 1, ["terminal", "file"], 1, "anthropic/claude-sonnet-4.6"],
    ],
  );
  assert.deepEqual(
    ["batch_0.jsonl", "batch_1.jsonl"].map((name) => lines(readFileSync(join(folder, name), "utf8")).length),
    [2, 1],
  );
  const [system, human, first, tool, last] = all[0]!.conversations;
  assert.match(system!.value, /<tools>\n\[\{"name":"patch".*"required":null\}\]\n<\/tools>/);
  assert.deepEqual(
    [human, last],
    [
      { from: "human", value: "the first" },
      { from: "gpt", value: "<think>\nIt lists it.\n</think>\none file" },
    ],
  );
  assert.equal(
    first!.value,
    '<think>\nI look.\n</think>\nLooking.\n<tool_call>\n{"name":"terminal","arguments":{"command":"printf a.txt"}}\n</tool_call>\n<tool_call>\n{"name":"read_file","arguments":{"path":"nowhere.txt"}}\n</tool_call>',
  );
  assert.match(
    tool!.value,
    /^<tool_response>\n\{"tool_call_id":"call_\w+","name":"terminal","content":\{"output":"a\.txt".*\n<\/tool_response>\n<tool_response>\n\{"tool_call_id":"call_\w+","name":"read_file","content":\{.*"error":/,
  );
  assert.deepEqual(
    [all[0]!.tool_stats["terminal"], all[0]!.tool_stats["read_file"], all[1]!.tool_stats["web_search"]],
    [
      { count: 1, success: 1, failure: 0 },
      { count: 1, success: 0, failure: 1 },
      { count: 0, success: 0, failure: 0 },
    ],
  );
  assert.equal(new Set(all.map(({ tool_stats }) => Object.keys(tool_stats).join())).size, 1);
  const statistics = JSON.parse(readFileSync(join(folder, "statistics.json"), "utf8")) as {
    readonly [key: string]: unknown;
  };
  assert.deepEqual(
    [
      statistics["run_name"],
      statistics["total_prompts"],
      statistics["completed_prompts"],
      statistics["total_batches"],
      statistics["tool_statistics"],
      statistics["reasoning_statistics"],
    ],
    [
      "prompts",
      3,
      3,
      2,
      {
        read_file: { count: 1, success: 0, failure: 1, success_rate: 0, failure_rate: 100 },
        terminal: { count: 1, success: 1, failure: 0, success_rate: 100, failure_rate: 0 },
      },
      { total_assistant_turns: 4, turns_with_reasoning: 2, turns_without_reasoning: 2 },
    ],
  );
  assert.equal((JSON.parse(again.out) as { readonly trajectories: number }).trajectories, 3);
  assert.deepEqual(
    (JSON.parse(readFileSync(join(folder, "checkpoint.json"), "utf8")) as { readonly completed_prompts: unknown })
      .completed_prompts,
    [0, 1, 2],
  );
});

// req: rl-batch.batch-runner
test("a killed run resumes: it repeats no finished item, and no finished call of a partial one", async () => {
  let hangs = true;
  await using server = await startOpenAiServer((request) => {
    const answered = bodyOf(request).messages.at(-1)!.role === "tool";
    if (promptOf(request).includes("quick")) return { text: "quick" };
    if (!answered) return { calls: [{ tool: "terminal", args: { command: "echo once >> effects.txt" } }] };
    return hangs ? { headAfterMs: 600_000, text: "late" } : { text: "went on" };
  });
  using user = new NewUser();
  user.connect("custom", server.url);
  user.write("prompts.jsonl", prompts("quick 1", "slow", "quick 2"));
  const folder = join(user.folder, "data/prompts");
  const child = user.start(["batch", "run", "prompts.jsonl", "--workers", "3", "--yolo", ...DISTRIBUTION]);
  const over = ended(child);
  const batch = join(folder, "batch_0.jsonl");
  const isReady = (): boolean =>
    existsSync(batch) &&
    lines(readFileSync(batch, "utf8")).length === 2 &&
    server.requests.some((request) => promptOf(request) === "slow" && bodyOf(request).messages.at(-1)!.role === "tool");
  while (!isReady() && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 20));

  // No other process runs it in the meantime.
  const beside = await user.run(["batch", "run", "prompts.jsonl"]);
  assert.deepEqual([beside.status === 0, /is in use by/.test(beside.err)], [false, true], beside.err);
  child.kill("SIGKILL");
  await over;

  hangs = false;
  const asked = server.requests.length;
  const again = await user.run(["batch", "run", "prompts.jsonl", "--yolo"]);
  assert.equal(again.status, 0, again.err);
  assert.deepEqual(
    server.requests.slice(asked).map((request) => [promptOf(request), bodyOf(request).messages.at(-1)!.role]),
    [["slow", "tool"]],
  );
  assert.equal(readFileSync(join(user.folder, "effects.txt"), "utf8"), "once\n");
  const all = lines<Entry>(readFileSync(join(folder, "trajectories.jsonl"), "utf8"));
  assert.deepEqual(
    all.map(({ conversations }) => [conversations[1]!.value, conversations.at(-1)!.value]),
    [
      ["quick 1", "<think>\n</think>\nquick"],
      ["slow", "<think>\n</think>\nwent on"],
      ["quick 2", "<think>\n</think>\nquick"],
    ],
  );
});

// req: rl-batch.distributions
test("a fixed seed selects the same toolsets in every run; a distribution can offer an added tool", async () => {
  await using server = await startOpenAiServer(() => ({ text: "done" }));
  using user = new NewUser();
  user.connect(
    "custom",
    server.url,
    "batch: { distributions: { terminal_only: { toolsets: { todo: 100 } }, mine: { toolsets: { terminal: 50, file: 50, todo: 1 } } } }\n",
  );
  user.write("prompts.jsonl", prompts("a", "b", "c", "d", "e"));
  const drawn = async (name: string, distribution: string): Promise<readonly (readonly string[])[]> => {
    const run = await user.run([
      "batch",
      "run",
      "prompts.jsonl",
      "--name",
      name,
      "--distribution",
      distribution,
      "--seed",
      "7",
      "--workers",
      "2",
    ]);
    assert.equal(run.status, 0, run.err);
    return lines<Entry>(readFileSync(join(user.folder, `data/${name}/trajectories.jsonl`), "utf8")).map(
      ({ toolsets_used }) => toolsets_used,
    );
  };
  const EXPECTED = [["file"], ["terminal"], ["terminal"], ["terminal"], ["terminal", "file"]];
  assert.deepEqual(await drawn("one", "mine"), EXPECTED);
  assert.deepEqual(await drawn("two", "mine"), EXPECTED);
  const asked = server.requests.length;
  assert.deepEqual(
    await drawn("three", "terminal_only"),
    Array.from({ length: 5 }, () => ["terminal", "file", "todo"]),
  );
  const offered = bodyOf(server.requests[asked]!).tools!.map((tool) => tool.function.name);
  assert.deepEqual(offered, ["patch", "process", "read_file", "search_files", "terminal", "todo", "write_file"]);
});

// req: skills.availability
test("lists skills in the command line and in chats, but not in batch prompts or training", async () => {
  await using server = await startOpenAiServer(() => ({ text: "done" }));
  using user = new NewUser();
  user.connect(
    "custom",
    server.url,
    "batch: { distributions: { all_skills: { toolsets: { skills: 100, rl: 100 } } } }\n",
  );
  {
    await using home = await openToolHome(
      user,
      { OPENAI_API_KEY: "key-of-the-test" },
      readFileSync(join(user.agentHome, "config.yaml"), "utf8"),
    );
    for (const surface of ["cli", "telegram", "discord", "whatsapp", "slack"]) {
      const written = (await home.app.tools.list({ surface, prompter: true })).find(
        ({ declaration }) => declaration.name === "skill_manage",
      )!;
      assert.deepEqual([surface, written.enabled, written.availability], [surface, true, { ok: true }]);
    }
    const training = home.app.tools.toolsets().find(({ name }) => name === "rl")!;
    assert.deepEqual(
      training.resolved.filter((name) => !name.startsWith("rl_")),
      [],
    );
  }
  user.write("prompts.jsonl", prompts("a"));
  const run = await user.run(["batch", "run", "prompts.jsonl", "--name", "skilled", "--distribution", "all_skills"]);
  assert.equal(run.status, 0, run.err);
  assert.deepEqual(
    bodyOf(server.requests[0]!).tools!.map((tool) => tool.function.name),
    ["skill_view", "skills_categories", "skills_list"],
  );
});

test("rejects invalid prompt lines, an unknown distribution and a changed model before any request", async () => {
  await using server = await startOpenAiServer(() => ({ text: "done" }));
  using user = new NewUser();
  user.connect("custom", server.url);
  user.write(
    "bad.jsonl",
    `${prompts("fine")}{"text": "no prompt"}\nnonsense\n{"prompt": "x", "image": "debian:13"}\n\n{"prompt": " "}\n`,
  );
  const bad = await user.run(["batch", "run", "bad.jsonl"]);
  assert.equal(bad.status, 2);
  assert.match(
    bad.err,
    /line 2: it has no "prompt"\nline 3: it is not a JSON object\nline 4: "image" is not supported: all items[^\n]*\nline 6: it has no "prompt"\n/,
  );
  user.write("prompts.jsonl", prompts("a"));
  assert.match(
    (await user.run(["batch", "run", "prompts.jsonl", "--distribution", "defualt"])).err,
    /no distribution "defualt"\.[^]*Did you mean "default"/,
  );
  assert.match(
    (await user.run(["batch", "run", "prompts.jsonl", "--workers", "0"])).err,
    /--workers must be a whole number of at least 1/,
  );
  assert.match((await user.run(["batch", "run", "nowhere.jsonl"])).err, /Cannot read nowhere\.jsonl: /);
  assert.match((await user.run(["batch", "run", "prompts.jsonl", "--name", "../x"])).err, /Invalid run name/);
  assert.equal(server.requests.length, 0);
  assert.equal((await user.run(["batch", "run", "prompts.jsonl", ...DISTRIBUTION])).status, 0);
  const other = await user.run(["batch", "run", "prompts.jsonl", "--model", "another"]);
  assert.deepEqual(
    [other.status, /was started with model "anthropic\/claude-sonnet-4\.6", not "another"/.test(other.err)],
    [2, true],
    other.err,
  );
  assert.equal(server.requests.length, 1);
  assert.match((await user.run(["batch", "distributions"])).out, /terminal_only +terminal 100 · file 100/);
});
