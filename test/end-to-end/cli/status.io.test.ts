import assert from "node:assert/strict";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import type { StatusReport } from "../../../src/surfaces/shared/overview/status-report.ts";
import { chatScene, gone } from "../support/chatting.ts";
import { NewUser } from "../support/test-user.ts";

// field: C12
test("hermes status shows each part and what it lacks, without a request to the model service", async () => {
  await using server = await startOpenAiServer([{ text: "Hello." }]);
  using user = new NewUser();
  user.connect(
    "custom",
    server.url,
    "memory:\n  provider: mem0\nmcp_servers:\n  files:\n    command: file-server\n  off:\n    url: https://mcp.example\n    enabled: false\n",
  );
  user.write("~/.hermes/.env", "OPENAI_API_KEY=sk-abcdefghijklmnopqrstuvwxyz0123456789\nTELEGRAM_ALLOWED_USERS=7\n");
  const fresh = await user.run(["status"]);
  assert.equal(fresh.status, 0, fresh.err);
  assert.match(fresh.out, /✓ Model +loopback of custom/);
  assert.match(fresh.out, /  Key +OPENAI_API_KEY \(sk-…6789\)/);
  assert.match(fresh.out, /✗ Memory +mem0: .*`hermes plugins install SOURCE`[^\n]*hermes memory off/);
  assert.match(fresh.out, /○ Gateway +not running/);
  assert.match(fresh.out, /  MCP servers +files, off \(off\)/);
  assert.doesNotMatch(fresh.out + fresh.err, /abcdefghij/);
  assert.equal(server.requests.length, 0);

  assert.equal((await user.run(["chat", "-q", "hello"])).status, 0);
  await user.run(["cron", "create", "every day at 9am", "say hello"]);
  const report = JSON.parse((await user.run(["status", "--json"])).out) as StatusReport;
  assert.equal(report.sessions.total, 1);
  assert.deepEqual([report.jobs.total, report.jobs.active, report.jobs.runner], [1, 1, null]);
  assert.deepEqual([report.model.provider, report.model.model, report.model.ok], ["custom", "loopback", true]);
});

test("hermes status --deep fails and names the part that does not work", async () => {
  using user = new NewUser();
  user.connect("custom", "http://127.0.0.1:9/v1");
  const deep = await user.run(["status", "--deep"]);
  assert.equal(deep.status, 1, deep.err);
  assert.match(deep.out, /✗ Model +loopback of custom[^]*`hermes model` connects another/);
  assert.match(deep.out, /✓ Terminal +local: .+ms/);
});

test("hermes status shows a running gateway and its platforms", async () => {
  await using scene = await chatScene([], { env: { LOOPBACK_CHAT_HOME_CHANNEL: "home" } });
  const gateway = await scene.serve();
  const { gateway: state, platforms } = JSON.parse(
    (await scene.prompter.run(["status", "--json"])).out,
  ) as StatusReport;
  assert.deepEqual([state.running, state.pid], [true, gateway.pid]);
  assert.deepEqual(
    platforms.map(({ name, state, home_channel }) => [name, state, home_channel]),
    [["loopback-chat", "connected", "home"]],
  );
  gateway.kill("SIGTERM");
  await gone(gateway);
});

test("hermes status works with a broken config.yaml and names the line", async () => {
  using user = new NewUser();
  user.write("~/.hermes/config.yaml", "model:\n\tdefault: x\n");
  const { status, out } = await user.run(["status"]);
  assert.equal(status, 0);
  assert.match(out, /✗ Settings +.*config\.yaml line 2/);
});

test("hermes dump prints a summary without keys, home directory and texts", async () => {
  await using server = await startOpenAiServer([{ text: "Hello." }]);
  using user = new NewUser();
  user.connect("custom", server.url, "timezone: Europe/Berlin\n");
  user.write("~/.hermes/.env", "OPENAI_API_KEY=sk-abcdefghijklmnopqrstuvwxyz0123456789\n");
  await user.run(["chat", "-q", "my secret plan"]);
  const { status, out, err } = await user.run(["dump"]);
  assert.equal(status, 0, err);
  assert.match(out, /^--- hermes dump ---\nversion +\d+\.\d+\.\d+\n/);
  assert.match(out, /\nhome +~\/\.hermes\n/);
  assert.match(out, /\nchanged settings +.*timezone/);
  assert.match(out, /\nsessions +1\n/);
  assert.match(out, /\nkeys +.*OPENAI_API_KEY/);
  for (const text of ["abcdefghij", "6789", "secret plan", user.home]) assert.ok(!out.includes(text), text);
  const shown = await user.run(["dump", "--show-keys"]);
  assert.match(shown.out, /OPENAI_API_KEY \(sk-…6789\)/);
  assert.doesNotMatch(shown.out, /abcdefghij/);
});
