import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { asked } from "../support/dashboard-lines.ts";
import { DashboardScene } from "../support/dashboard-scene.ts";
import { operate } from "../support/operate.ts";
import { ended, NewUser } from "../support/test-user.ts";
import { reachedFromHereOnly } from "../support/own-machine.ts";
import { withTimeout } from "../../../src/testing/wait-for.ts";

// req: dashboard.serves, R-41
test("serves its page only on the loopback address", async () => {
  await using scene = await DashboardScene.open();
  const page = await scene.ask("GET", "/", undefined, {});
  assert.equal(page.status, 200);
  assert.match(page.text, /<script type="module" src="\/page\/main\.js">/);
  assert.match(page.headers.get("content-security-policy") ?? "", /^default-src 'none'; script-src 'self';/);
  assert.equal(page.text.includes(scene.token), false);
  await reachedFromHereOnly(Number(new URL(scene.url).port));
});

// req: R-41
test("refuses requests without the token, with another host name or from another origin", async () => {
  await using scene = await DashboardScene.open();
  for (const path of [
    "/api/status",
    "/api/sessions",
    "/api/settings",
    "/api/keys",
    "/api/plugins",
    "/api/skills",
    "/api/jobs",
    "/api/logs",
    "/api/parts",
    "/api/nothing",
  ]) {
    assert.equal((await scene.ask("GET", path, undefined, {})).status, 401, path);
    assert.equal((await scene.ask("GET", path, undefined, { "x-hermes-session-token": "another" })).status, 401, path);
    assert.equal(
      (
        await scene.ask("GET", path, undefined, {
          "x-hermes-session-token": scene.token,
          origin: "http://evil.example",
        })
      ).status,
      403,
      path,
    );
    assert.equal(await statusAs("evil.example", scene, path), 403, path);
  }
  const refused = await scene.ask("PUT", "/api/settings/agent.max_turns", { value: "3" }, {});
  assert.equal(refused.status, 401);
  assert.match(refused.text, /Open the link that hermes dashboard printed/);
  assert.equal(scene.app.config.explain("agent.max_turns").source, "default");
});

test("serves no files outside the page's folder", async () => {
  await using scene = await DashboardScene.open();
  for (const path of [
    "/page/../guard.ts",
    "/page/%2e%2e/guard.ts",
    "/page/..%2fguard.ts",
    "/page/pages/../../guard.ts",
    "/etc/passwd",
    "/parts/x/y",
    "/page/tsconfig",
    "/page/pages/",
  ])
    assert.equal(await statusAs("127.0.0.1", scene, path), 404, path);
  assert.match((await scene.ask("GET", "/page/main.js", undefined, {})).type, /^text\/javascript/);
});

test("lists, searches, shows, renames, exports and deletes sessions", async () => {
  await using scene = await DashboardScene.open((user) => user.write("notes.txt", "the weasel sleeps\n"));
  await using session = await scene.app.openSession({ surface: "cli", cwd: scene.prompter.folder });
  await session.send("read notes.txt");
  const [first] = await scene.get<readonly { readonly id: string; readonly name: string }[]>("/api/sessions");
  assert.deepEqual([first?.id, first?.name], [session.id, "read notes.txt"]);
  const { entries } = await scene.get<{
    readonly entries: readonly {
      readonly kind: string;
      readonly tool?: string;
      readonly ok?: boolean;
      readonly outcome?: string;
    }[];
  }>(`/api/sessions/${session.id}`);
  assert.deepEqual(
    entries.map(({ kind }) => kind),
    ["user", "tool", "assistant"],
  );
  assert.deepEqual([entries[1]?.tool, entries[1]?.ok], ["read_file", true]);
  assert.match(entries[1]?.outcome ?? "", /the weasel sleeps/);
  const hits = await scene.get<readonly { readonly session: { readonly id: string }; readonly snippet: string }[]>(
    "/api/sessions/search?words=weasel",
  );
  assert.equal(hits[0]?.session.id, session.id);
  assert.match(hits[0]?.snippet ?? "", />>>weasel<<</i);
  assert.equal((await scene.ask("PUT", `/api/sessions/${session.id}/title`, { title: "A weasel" })).status, 200);
  const exported = await scene.ask("GET", `/api/sessions/${session.id}/export?format=md`);
  assert.match(exported.text, /^# A weasel\n/);
  assert.equal(exported.headers.get("content-disposition"), `attachment; filename="${session.id}.md"`);
  await session[Symbol.asyncDispose]();
  assert.equal((await scene.ask("DELETE", `/api/sessions/${session.id}`)).status, 200);
  assert.deepEqual(await scene.get("/api/sessions"), []);
  assert.deepEqual(
    (await scene.ask("GET", "/api/sessions/nosuch")).json<{ readonly error: string }>().error.includes("nosuch"),
    true,
  );
});

test("changes a setting and keeps comments, and refuses an invalid value with the command line's message", async () => {
  await using scene = await DashboardScene.open((user) =>
    user.write("~/.hermes/config.yaml", "# mine\nagent:\n  max_turns: 7 # enough\n"),
  );
  const { settings } = await scene.get<{
    readonly settings: readonly {
      readonly path: string;
      readonly value: unknown;
      readonly source: string;
      readonly description: string;
    }[];
  }>("/api/settings");
  const turns = settings.find(({ path }) => path === "agent.max_turns");
  assert.deepEqual([turns?.value, turns?.source], [7, "file"]);
  assert.notEqual(turns?.description, "");
  const message = await scene.ask("PUT", "/api/settings/agent.max_turns", { value: "9" });
  assert.deepEqual([message.status, message.json<{ readonly value: number }>().value], [200, 9]);
  assert.equal(scene.file("config.yaml"), "# mine\nagent:\n  max_turns: 9 # enough\n");
  const wrong = await scene.ask("PUT", "/api/settings/agent.max_turns", { value: "many" });
  assert.equal(wrong.status, 400);
  const cli = await scene.prompter.run(["config", "set", "agent.max_turns", "many"]);
  const { error, hint } = wrong.json<{ readonly error: string; readonly hint: string }>();
  assert.equal(cli.err, `Error: ${error}\n${hint}\n`);
  assert.equal((await scene.ask("PUT", "/api/settings/agent.max_turn", { value: "3" })).status, 400);
  await scene.ask("DELETE", "/api/settings/agent.max_turns");
  assert.equal(scene.app.config.explain("agent.max_turns").source, "default");
});

test("masks a secret in a setting and does not store the mask", async () => {
  const text =
    "custom_providers:\n  - name: mine\n    base_url: http://127.0.0.1:9/v1\n    api_key: a-key-of-mine-0123456789\n";
  await using scene = await DashboardScene.open((user) => user.write("~/.hermes/config.yaml", text));
  const { settings } = await scene.get<{
    readonly settings: readonly { readonly path: string; readonly value: unknown; readonly masked: boolean }[];
  }>("/api/settings");
  const shown = settings.find(({ path }) => path === "custom_providers");
  assert.deepEqual([shown?.masked, JSON.stringify(shown?.value).includes("***")], [true, true]);
  assert.deepEqual(
    settings.filter(({ masked }) => masked).map(({ path }) => path),
    ["custom_providers"],
  );
  for (const value of [
    JSON.stringify(shown?.value),
    '[{"name":"other","base_url":"http://127.0.0.1:9/v1","api_key":"***"}]',
  ]) {
    const refused = await scene.ask("PUT", "/api/settings/custom_providers", { value });
    assert.equal(refused.status, 400);
    assert.match(refused.json<{ readonly error: string }>().error, /^"custom_providers" contains a secret/);
    assert.equal(scene.file("config.yaml"), text);
  }
  const whole = await scene.ask("PUT", "/api/settings/custom_providers", {
    value: '[{"name":"mine","base_url":"http://127.0.0.1:9/v1","api_key":"another-key-of-mine-0123"}]',
  });
  assert.deepEqual([whole.status, whole.text.includes("another-key-of-mine-0123")], [200, false], whole.text);
  assert.match(scene.file("config.yaml"), /another-key-of-mine-0123/);
});

test("sets and removes a key, and never returns it", async () => {
  await using scene = await DashboardScene.open();
  const secret = "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";
  // Another text that only looks like a key. Both occur in a session before one of them is stored.
  const stray = `ghp_${"0Aa1Bb2Cc3".repeat(4).slice(0, 36)}`;
  await using session = await scene.app.openSession({ surface: "cli", cwd: scene.prompter.folder });
  await session.send(`remember ${secret} and ${stray}`);
  const set = await scene.ask("PUT", "/api/keys/TAVILY_API_KEY", { value: secret });
  assert.deepEqual([set.status, set.text], [200, "{}"]);
  assert.match(scene.file(".env"), new RegExp(`^TAVILY_API_KEY=.*${secret}`, "m"));
  scene.app.log.warning(`the key ${secret} slipped out`);
  for (const path of [
    "/api/keys",
    "/api/settings",
    "/api/status",
    "/api/plugins",
    "/api/sessions",
    `/api/sessions/${session.id}`,
    `/api/sessions/${session.id}/export?format=md`,
    `/api/sessions/${session.id}/export?format=jsonl`,
    "/api/logs",
    "/api/doctor",
  ]) {
    const answer = await scene.ask("GET", path);
    assert.equal(answer.status, 200, path);
    assert.deepEqual([answer.text.includes(secret), answer.text.includes(stray)], [false, false], path);
    if (path.includes("/export")) assert.match(answer.text, /remember /, path);
  }
  for (const format of ["md", "jsonl"]) {
    const exported = await scene.prompter.run(["sessions", "export", session.id, "--format", format]);
    assert.deepEqual(
      [
        exported.status,
        exported.out.includes("remember "),
        exported.out.includes(secret),
        exported.out.includes(stray),
      ],
      [0, true, false, false],
      format,
    );
    if (format === "jsonl")
      for (const line of exported.out.trimEnd().split("\n")) assert.equal(typeof JSON.parse(line), "object");
  }
  const { keys } = await scene.get<{ readonly keys: readonly { readonly name: string; readonly set: boolean }[] }>(
    "/api/keys",
  );
  assert.deepEqual(keys.find(({ name }) => name === "TAVILY_API_KEY")?.set, true);
  assert.equal((await scene.ask("PUT", "/api/keys/no-name", { value: "x" })).status, 400);
  assert.equal((await scene.ask("PUT", "/api/keys/TAVILY_API_KEY", { value: " " })).status, 400);
  assert.equal((await scene.ask("DELETE", "/api/keys/TAVILY_API_KEY")).status, 200);
  assert.equal(scene.file(".env").includes(secret), false);
});

test("creates, pauses, runs and removes a job", async () => {
  await using scene = await DashboardScene.open();
  const made = (
    await scene.ask("POST", "/api/jobs", { schedule: "every day at 9am", prompt: "tell the news", name: "news" })
  ).json<{ readonly id: string; readonly stateText: string }>();
  assert.equal(made.stateText, "active");
  assert.equal(
    (await scene.ask("POST", `/api/jobs/${made.id}/pause`)).json<{ readonly stateText: string }>().stateText,
    "paused",
  );
  assert.equal((await scene.ask("POST", `/api/jobs/${made.id}/resume`)).status, 200);
  assert.equal(
    (await scene.ask("POST", `/api/jobs/${made.id}/trigger`)).json<{ readonly stateText: string }>().stateText,
    "due now",
  );
  assert.equal((await scene.ask("POST", `/api/jobs/${made.id}/finish`)).status, 400);
  assert.equal((await scene.ask("POST", "/api/jobs", { schedule: "whenever", prompt: "x" })).status, 400);
  assert.equal((await scene.ask("DELETE", `/api/jobs/${made.id}`)).status, 200);
  assert.deepEqual((await scene.get<{ readonly jobs: readonly unknown[] }>("/api/jobs")).jobs, []);
});

test("disables and enables a plugin at run time", async () => {
  await using scene = await DashboardScene.open();
  const state = async (): Promise<string | undefined> =>
    (await scene.get<readonly { readonly key: string; readonly state: string }[]>("/api/plugins")).find(
      ({ key }) => key === "tool-todo",
    )?.state;
  assert.equal(await state(), "enabled");
  assert.equal((await scene.ask("POST", "/api/plugins/tool-todo/disable", {})).status, 200);
  assert.equal(await state(), "disabled");
  assert.equal(scene.app.tools.get("todo"), undefined);
  assert.equal((await scene.ask("POST", "/api/plugins/tool-todo/enable", {})).status, 200);
  assert.equal(await state(), "enabled");
  assert.notEqual(scene.app.tools.get("todo"), undefined);
  const unknown = await operate(scene, "/api/plugins/nosuch/enable", {});
  assert.match(unknown.text, /nosuch/);
});

test("follows the log", async () => {
  await using scene = await DashboardScene.open();
  scene.app.log.warning("the first line");
  await using lines = await asked<{ readonly message: string }>(scene, "/api/logs?level=warning&follow=1");
  assert.match((await lines.next()).message, /the first line/);
  scene.app.log.info("not of this level");
  scene.app.log.warning("the second line");
  assert.match((await lines.next()).message, /the second line/);
  assert.equal((await scene.ask("GET", "/api/logs?level=loud")).status, 400);
});

test("refuses invalid JSON, large bodies and unknown routes", async () => {
  await using scene = await DashboardScene.open();
  assert.equal((await scene.ask("POST", "/api/jobs", "x".repeat(1_100_000))).status, 400);
  assert.equal((await scene.ask("POST", "/api/jobs", ["a"])).status, 400);
  assert.equal((await scene.ask("PATCH", "/api/jobs")).status, 404);
  assert.equal((await scene.ask("POST", "/")).status, 405);
  assert.equal(await statusAs("127.0.0.1", scene, "//"), 400);
});

// req: dashboard.insecure
test("refuses to listen on a public address; with --insecure it starts, warns and still requires the token", async () => {
  using user = new NewUser();
  const refused = await user.run(["dashboard", "--host", "0.0.0.0", "--no-open"]);
  assert.equal(refused.status, 2);
  assert.match(
    refused.err,
    /^Error: Refusing to listen on 0\.0\.0\.0: .*\n.*or add --insecure to accept the risk\.\n$/,
  );
  // The example of the guide for containers.
  const [, command = ""] =
    /command: (\[.*\])/.exec(readFileSync(join(import.meta.dirname, "../../../docs/dashboard.md"), "utf8")) ?? [];
  const [program, ...words] = JSON.parse(command) as readonly string[];
  assert.deepEqual(
    [program, words.includes("--insecure"), words[words.indexOf("--host") + 1]],
    ["./hermes", true, "0.0.0.0"],
  );
  const child = user.start([...words, "--port", "0"]);
  const over = ended(child);
  const [printed] = (await withTimeout(once(child.stdout!, "data"), { what: "the process prints a line" })) as [Buffer];
  const link = new URL(printed.toString().trim());
  assert.equal(link.hostname, "127.0.0.1");
  assert.equal((await fetch(new URL("/", link))).status, 200);
  assert.equal((await fetch(new URL("/api/status", link))).status, 401);
  child.kill("SIGINT");
  const { status, err } = await over;
  assert.equal(status, 0, err);
  assert.match(err, /has no TLS\. .* The link is still required\./);
});

test("reports a port in use and an invalid port", async () => {
  await using scene = await DashboardScene.open();
  const { port } = new URL(scene.url);
  using user = new NewUser();
  const taken = await user.run(["dashboard", "--port", port, "--no-open"]);
  assert.equal(taken.status, 1);
  assert.equal(
    taken.err,
    `Error: Port ${port} of 127.0.0.1 is in use by another program or another dashboard.\nUse --port 0 for any free port.\n`,
  );
  assert.match(
    (await user.run(["dashboard", "--port", "many"])).err,
    /^Error: --port must be a whole number from 0 to 65535, not "many"\.\n$/,
  );
});

/** `fetch` accepts no other Host header and normalises URLs. */
async function statusAs(host: string, scene: DashboardScene, path: string): Promise<number | undefined> {
  const asking = request({
    host: "127.0.0.1",
    port: new URL(scene.url).port,
    path,
    headers: { host, "x-hermes-session-token": scene.token },
    agent: false,
  }).end();
  const [response] = (await once(asking, "response")) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}
