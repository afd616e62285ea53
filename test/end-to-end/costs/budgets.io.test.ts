import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer, Prompter, Question } from "../../../src/contract/conversation/question.ts";
import type { Fact } from "../../../src/contract/conversation/fact.ts";
import type { OpenSession } from "../../../src/contract/services/app.ts";
import { openApp } from "../../../src/host/app/open-app.ts";
import { startBilledModels, type BilledModels } from "../../servers/billed-models.ts";
import { NewUser } from "../support/test-user.ts";

/** Each answer of this service costs a little more. */
const ONE = 0.0028;

function startModels(
  callFor: (text: string) => { readonly tool: string; readonly args: object } | undefined = () => undefined,
) {
  return startBilledModels({ chance: () => 1, failing: 0, callFor, delayMs: 20 });
}

function settle(user: NewUser, models: BilledModels, budgets: string): void {
  user.write(
    "~/.hermes/config.yaml",
    `model: { provider: anthropic, default: claude-sonnet-4-5, base_url: "${models.url}" }\nbudgets: ${budgets}\nplatform_toolsets: { cli: [delegation, file] }\napprovals: { mode: off }\n`,
  );
  user.write("~/.hermes/.env", "ANTHROPIC_API_KEY=key-of-claude\n");
}

function open(user: NewUser) {
  return openApp({
    version: "0",
    env: { HOME: user.home, PATH: process.env["PATH"] },
    signal: new AbortController().signal,
  });
}

/** A user who gives these answers in order, by the number of the choice. */
function prompterOf(...choices: readonly (0 | 1 | "none")[]): Prompter & { readonly questions: Question[] } {
  const left = [...choices];
  const questions: Question[] = [];
  return {
    questions,
    async ask(question): Promise<Answer> {
      questions.push(question);
      const choice = left.shift() ?? "none";
      assert.equal(question.kind, "choice");
      return choice === "none" ? { kind: "none", reason: "nobody" } : { kind: "text", text: question.choices[choice]! };
    },
  };
}

// field: M19
test("without a user a turn ends with `budget` at the limit, and continues after the budget is raised", async () => {
  using user = new NewUser();
  await using models = await startModels();
  settle(user, models, "{ session: 0.005 }");
  const ask = (...args: readonly string[]) => user.run(["chat", ...args, "--json"]);
  const resultOf = (out: string) =>
    JSON.parse(out.trim().split("\n").at(-1)!) as { readonly reason: string; readonly detail?: string };
  for (const args of [
    ["-q", "one"],
    ["-c", "-q", "two"],
  ])
    assert.equal(resultOf((await ask(...args)).out).reason, "done");
  const third = await ask("-c", "-q", "three");
  const { reason, detail } = resultOf(third.out);
  assert.equal(reason, "budget", third.err);
  assert.match(detail!, /^The budget for this session \(budgets\.session\) is spent: \$0\.00\d+ of \$0\.0050\.$/);
  assert.equal(models.count, 2);
  const again = await ask("-c", "-q", "four");
  assert.deepEqual([resultOf(again.out).reason, again.status, models.count], ["budget", third.status, 2]);
  settle(user, models, "{ session: 1 }");
  assert.equal(resultOf((await ask("-c", "-q", "five")).out).reason, "done");
  assert.equal(models.count, 3);
});

test("a connected user is asked at the limit: agreement lets the same turn continue, a denial or no answer ends it", async () => {
  using user = new NewUser();
  await using models = await startModels();
  settle(user, models, `{ session: ${ONE} }`);
  await using app = await open(user);
  const prompter = prompterOf(0, 1, "none");
  await using session = await app.openSession({ surface: "cli", cwd: user.folder, prompter });
  const facts: Fact[] = [];
  const notices: string[] = [];
  using _ = session.subscribe((event) => {
    if (event.kind === "fact") facts.push(event.recorded.fact);
    else if (event.live.type === "model.waiting") notices.push(event.live.text);
  });
  assert.equal((await session.send("one")).reason, "done");
  assert.equal((await session.send("two")).reason, "done");
  assert.deepEqual(
    prompter.questions.map((question) => (question.kind === "choice" ? [question.text, ...question.choices] : [])),
    [
      [
        "The budget for this session (budgets.session) is spent: $0.0028 of $0.0028.",
        "Continue with $0.0100 more",
        "Stop",
      ],
    ],
  );
  assert.ok(facts.some((fact) => fact.type === "model.failed" && fact.failure.code === "budget"));
  // Raised to 0.0128: five answers fit, and a notice comes before the last.
  assert.equal((await session.send("three")).reason, "done");
  assert.equal((await session.send("four")).reason, "done");
  assert.equal((await session.send("and five")).reason, "done");
  const { length } = models.bill;
  const stopped = await session.send("five");
  assert.deepEqual([stopped.reason, models.bill.length], ["budget", length]);
  assert.equal((await session.send("six")).reason, "budget");
  assert.equal(prompter.questions.length, 3);
  assert.ok(
    notices.some((text) => /^\d\d % of the budget for this session \(budgets\.session\) is spent: /.test(text)),
    notices.join("\n"),
  );
});

test("subagents in parallel share their parent's budget: together they spend at most one request more", async () => {
  using user = new NewUser();
  const tasks = ["a", "b", "c"].map((goal) => ({ goal }));
  await using models = await startModels((text) =>
    text.endsWith("share it") ? { tool: "delegate_task", args: { tasks } } : undefined,
  );
  settle(user, models, `{ turn: ${2.5 * ONE} }`);
  await using app = await open(user);
  await using session = await app.openSession({ surface: "cli", cwd: user.folder });
  const end = await session.send("share it");
  assert.equal(end.reason, "budget", end.detail);
  const spent = models.bill.reduce((sum, { usd }) => sum + usd, 0);
  assert.ok(spent <= 3.6 * ONE, `spent ${spent}`);
  assert.ok(models.bill.length === 3, "every request within the budget is sent");
  const sum = await app.costs.ofTurn(session.id, end.turnId);
  assert.ok(Math.abs(sum.costUsd - spent) < 1e-9, "the turn's sum has its subagents");
});

test("another user's chat has its own daily budget, which that user cannot raise", async () => {
  using user = new NewUser();
  await using models = await startModels();
  settle(user, models, `{ user: ${ONE} }`);
  await using app = await open(user);
  const prompter = prompterOf(0, 0, 0);
  const openFor = (whose: string | undefined): Promise<Awaited<ReturnType<typeof app.openSession>>> =>
    app.openSession({ surface: "telegram", cwd: user.folder, prompter, whose } satisfies OpenSession);
  const reasons: string[] = [];
  for (const whose of ["telegram:7", "telegram:7", "telegram:8", undefined, undefined]) {
    await using session = await openFor(whose);
    reasons.push((await session.send("hello")).reason);
  }
  assert.deepEqual(reasons, ["done", "budget", "done", "done", "done"]);
  assert.deepEqual(prompter.questions, []);
  const users = (await app.costs.by("user")).map(({ name, requests }) => [name, requests]);
  assert.deepEqual(users.toSorted(), [
    ["", 2],
    ["telegram:7", 1],
    ["telegram:8", 1],
  ]);
});

test("the budget of one request cuts its answer, and refuses a request whose input alone costs more", async () => {
  using user = new NewUser();
  await using models = await startModels();
  settle(user, models, "{ request: 0.2 }");
  await using app = await open(user);
  await using session = await app.openSession({ surface: "cli", cwd: user.folder });
  assert.equal((await session.send("hello")).reason, "done");
  const [tokens] = models.limits;
  assert.ok(tokens! < 0.2 / 15e-6 && tokens! > 1_000, `max_tokens is ${tokens}`);
  const long = await session.send("word ".repeat(80_000));
  assert.equal(long.reason, "budget");
  assert.match(long.detail!, /^Its input alone costs about \$0\.\d\d, but the budget for one request .* is \$0\.20\.$/);
  assert.equal(models.bill.length, 1);
});

test("a budget reports an unknown model price once, and counts the provider's own charges", async () => {
  using user = new NewUser();
  await using models = await startModels();
  user.write(
    "~/.hermes/config.yaml",
    `model: { provider: openrouter, default: lab/main, base_url: "${models.url}/v1" }\nbudgets: { session: 0.015 }\n`,
  );
  user.write("~/.hermes/.env", "OPENROUTER_API_KEY=key-of-router\n");
  await using app = await open(user);
  await using session = await app.openSession({ surface: "cli", cwd: user.folder });
  const notices: string[] = [];
  using _ = session.subscribe((event) => {
    if (event.kind === "live" && event.live.type === "model.waiting") notices.push(event.live.text);
  });
  const reasons: string[] = [];
  for (const text of ["one", "two", "three"]) reasons.push((await session.send(text)).reason);
  assert.deepEqual(reasons, ["done", "done", "budget"]);
  assert.deepEqual(notices, [
    "The price of lab/main is not known, so budgets count only what its provider says it charges.",
  ]);
});

test("the items of a batch run share one budget; those that it stops run again after it is raised", async () => {
  using user = new NewUser();
  await using models = await startModels();
  settle(user, models, `{ job: ${1.5 * ONE} }`);
  user.write("prompts.jsonl", ["a", "b", "c", "d"].map((prompt) => `${JSON.stringify({ prompt })}\n`).join(""));
  const run = () =>
    user.run([
      "batch",
      "run",
      "prompts.jsonl",
      "--workers",
      "2",
      "--model",
      "claude-sonnet-4-5",
      "--distribution",
      "terminal_only",
    ]);
  const stopped = await run();
  assert.match(stopped.out, /^2 of 4 prompts are done, 2 failed/, stopped.err);
  assert.match(stopped.err, /The budget for this run of the job \(budgets\.job\) is spent/);
  assert.equal(models.bill.length, 2);
  settle(user, models, "{ job: 1 }");
  const resumed = await run();
  assert.match(resumed.out, /^4 of 4 prompts are done/, resumed.err);
  assert.equal(models.bill.length, 4);
  const jobs = JSON.parse((await user.run(["cost", "--by", "job", "--json"])).out) as {
    readonly groups: readonly { readonly name: string; readonly requests: number }[];
  };
  assert.deepEqual(
    jobs.groups.map(({ name, requests }) => [name.split(":")[0], requests]),
    [["batch", 4]],
  );
});
