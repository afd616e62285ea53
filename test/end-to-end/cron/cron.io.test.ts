import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Job, JobRun } from "../../../src/contract/services/job.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import type { RecordedRequest } from "../../servers/script.ts";
import { ended, NewUser } from "../support/test-user.ts";
import { waitFor } from "../../../src/testing/wait-for.ts";

const json = async <T>(user: NewUser, ...args: string[]): Promise<T> => {
  const { out, err } = await user.run(["cron", ...args, "--json"]);
  return JSON.parse(out === "" ? `"${err}"` : out) as T;
};
const jobs = (user: NewUser) => json<readonly Job[]>(user, "list", "--all");
const runs = (user: NewUser) => json<readonly JobRun[]>(user, "runs");

// req: cron.create-positional
test("creates a job from positional arguments, lists its next run, and answers the old flag form with the usage", async () => {
  using user = new NewUser();
  const made = await user.run(["cron", "create", "every 30m", "check", "mail", "--name", "mail"]);
  assert.equal(made.status, 0, made.err);
  assert.match(made.out, /^[0-9a-f]{12} {2}mail {2}\[active\]\n {2}Schedule +every 30m\n/);
  assert.match(made.err, /No scheduler is running, so jobs will not start\. .*`hermes cron serve`.*`hermes cron tick`/);
  assert.equal((await user.run(["cron", "add", "0 9 * * *", "morning"])).status, 0);
  assert.deepEqual(
    (await jobs(user)).map(({ name, prompt }) => [name, prompt]),
    [
      ["mail", "check mail"],
      ["morning", "morning"],
    ],
  );
  assert.match(
    (await user.run(["cron", "list"])).out,
    /^ID +SCHEDULE +NEXT +STATE .*\n[0-9a-f]{12} +every 30m +\d{4}-\d\d-\d\d \d\d:\d\d +active +forever +local +mail\n/,
  );
  const old = await user.run(["cron", "create", "--schedule", "every 30m", "--prompt", "check mail"]);
  assert.deepEqual(
    [old.status, old.err],
    [
      2,
      "Error: `hermes cron create` takes <schedule> as an argument, not as an option.\nUsage: hermes cron create [options] <schedule> [prompt...]\n",
    ],
  );
  const wrong = await user.run(["cron", "create", "bogus", "x"]);
  assert.deepEqual(
    [wrong.status, /^Error: "bogus" is not a schedule\.\nOnce: .*every 30m/.test(wrong.err)],
    [2, true],
    wrong.err,
  );
  assert.match(
    (await user.run(["cron", "edit", "mail", "--deliver", "pigeon:loft"])).err,
    /There is no chat platform "pigeon" yet/,
  );
  assert.deepEqual(await user.run(["cron", "runs", "nobody"]).then(({ status, err }) => [status, err]), [
    2,
    'Error: There is no job "nobody".\nhermes cron list shows all jobs.\n',
  ]);
  assert.equal((await user.run(["cron", "runs", "mail"])).err, '"mail" has not run yet.\n');
  assert.equal((await user.run(["cron", "remove", "mail"])).status, 0);
  assert.deepEqual(
    (await jobs(user)).map(({ name }) => name),
    ["morning"],
  );
});

/** The parts of a model request that the tests check. */
function asked({ body }: RecordedRequest): {
  readonly tools: readonly string[];
  readonly text: string;
  readonly model: string;
} {
  const {
    messages,
    tools = [],
    model,
  } = JSON.parse(body) as {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: unknown }[];
    readonly tools?: readonly { readonly function: { readonly name: string } }[];
  };
  return {
    model,
    tools: tools.map((tool) => tool.function.name),
    text: messages
      .filter(({ role }) => role !== "system")
      .map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content)))
      .join("\n"),
  };
}

// req: tool-clarify.interactive-only
test("a due job runs in a separate unattended session: it cannot schedule or ask, and risky calls are refused", async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer([
    { calls: [{ tool: "terminal", args: { command: "rm -rf keep" } }] },
    { text: "Swept." },
  ]);
  user.connect("custom", server.url);
  user.write("keep/a.txt", "a");
  const { id } = await json<Job>(user, "create", "every 1h", "sweep up");
  assert.match((await user.run(["cron", "run", id])).out, /is due now/);
  const { status, out, err } = await user.run(["cron", "tick"]);
  assert.deepEqual([status, out], [0, `✓ sweep up (${id}): done\n`], err);
  const first = asked(server.requests[0]!);
  assert.match(first.text, /\[SILENT\][^]*sweep up/);
  assert.ok(first.tools.includes("terminal"));
  assert.deepEqual(
    first.tools.filter((name) => /cron|clarify|send_message/.test(name)),
    [],
  );
  assert.match(asked(server.requests[1]!).text, /needs approval|approvals\.cron_mode/);
  assert.ok(existsSync(join(user.folder, "keep/a.txt")));
  const [run] = await runs(user);
  assert.match(run?.sessionId ?? "", new RegExp(`^cron_${id}_\\d{8}_\\d{6}$`));
  assert.match(readFileSync(run?.output ?? "", "utf8"), /## Response\n\nSwept\.\n$/);
  const listed = await user.run(["sessions", "list", "--source", "cron"]);
  assert.match(listed.out, /sweep up · \d{4}-/);
  assert.equal((await user.run(["cron", "tick"])).err, "No job is due.\n");
});

// req: cron.cross-process-lock
test("one of two concurrent schedulers runs a job; a killed run blocks nothing, is reported, and is not repeated", async () => {
  using user = new NewUser();
  user.write(
    "~/.hermes/scripts/count.sh",
    `echo run >> "${join(user.folder, "count")}"; test -e "${join(user.folder, "go")}" || sleep 600\n`,
  );
  const { id } = await json<Job>(user, "create", "every 1h", "--script", "count.sh", "--no-agent", "--name", "count");
  await user.run(["cron", "run", id]);
  const [one, two] = [user.start(["cron", "tick"]), user.start(["cron", "tick"])];
  const ends = [ended(one), ended(two)];
  const first = await Promise.race(ends);
  assert.deepEqual([first.status, first.out], [0, ""], "the second process exits without running a job");
  const count = join(user.folder, "count");
  await waitFor(() => existsSync(count));
  assert.deepEqual(
    (await runs(user)).map(({ state }) => state),
    ["running"],
  );
  one.kill("SIGKILL");
  two.kill("SIGKILL");
  await Promise.all(ends);
  user.write("go", "");
  const after = await user.run(["cron", "tick"]);
  assert.match(after.out, /count .* was interrupted because its process ended\. .*hermes cron run/);
  assert.deepEqual(
    (await runs(user)).map(({ state }) => state),
    ["interrupted"],
  );
  assert.equal(readFileSync(count, "utf8"), "run\n");
  await user.run(["cron", "run", id]);
  assert.equal((await user.run(["cron", "tick"])).status, 0);
  assert.equal(readFileSync(count, "utf8"), "run\nrun\n");
});

test("hermes cron serve runs due jobs, waits while another scheduler runs, and ends in order", async () => {
  using user = new NewUser();
  user.write("~/.hermes/scripts/mark.sh", `echo run >> "${join(user.folder, "mark")}"\n`);
  const mark = join(user.folder, "mark");
  const first = user.start(["cron", "serve"]);
  const firstEnd = ended(first);
  let message = "";
  first.stderr?.on("data", (text: Buffer) => (message += text.toString()));
  await waitFor(() => message.includes("Running due jobs here"));
  assert.match((await user.run(["cron", "status"])).out, /^Scheduler: scheduler \(process \d+ on /);
  const second = user.start(["cron", "serve"]);
  const secondEnd = ended(second);
  const { id } = await json<Job>(user, "create", "every 1h", "--script", "mark.sh", "--no-agent");
  await user.run(["cron", "run", id]);
  await waitFor(() => existsSync(mark));
  assert.equal(readFileSync(mark, "utf8"), "run\n");
  second.kill("SIGTERM");
  assert.match((await secondEnd).err, /Another process runs due jobs: scheduler/);
  first.kill("SIGTERM");
  assert.equal((await firstEnd).status, 0);
  assert.match((await user.run(["cron", "status"])).out, /^No scheduler is running/);
});
