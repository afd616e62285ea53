import assert from "node:assert/strict";
import { test } from "node:test";
import type { GatewayStatus } from "../../../src/surfaces/shared/gateway/gateway-status.ts";
import { chatScene, gone } from "../support/chatting.ts";

const HANGING = `
const platform = (name, more) => ({ name, label: name, adapter_factory: () => ({ connect: () => new Promise(() => {}), disconnect() {}, send: () => ({ success: true }) }), ...more });
export default (ctx) => {
  ctx.register_platform(platform("hanging", { required_env: ["HANGING_TOKEN"], cron_deliver_env_var: "HANGING_HOME" }));
  ctx.register_platform(platform("half", { required_env: ["HALF_TOKEN", "HALF_SECRET"] }));
  ctx.register_platform(platform("unset", { required_env: ["UNSET_TOKEN"] }));
};
`;

// row 23 of the fault matrix
// req: gateway.connect-timeout, gateway.status, gateway.agent-timeout, plugins.platform-check,
// plugins.platform-env-enablement
test("serves other platforms while one hangs, refuses a second gateway, and stops an inactive turn after a warning", async () => {
  await using scene = await chatScene([{ stallAfterBytes: 1 }], {
    env: {
      HERMES_GATEWAY_PLATFORM_CONNECT_TIMEOUT: "5",
      HERMES_AGENT_TIMEOUT: "2",
      HERMES_AGENT_TIMEOUT_WARNING: "1",
      HANGING_TOKEN: "abcd",
      HANGING_HOME: "home",
      HALF_TOKEN: "abcd",
    },
  });
  const { prompter: user, chat } = scene;
  user.write(
    "~/.hermes/plugins/hanging/plugin.yaml",
    "name: hanging\nkind: platform\nversion: 1.0.0\ndescription: Hangs\noptional_env: [HANGING_TOKEN, HANGING_HOME, HALF_TOKEN, HALF_SECRET, UNSET_TOKEN]\n",
  );
  user.write("~/.hermes/plugins/hanging/index.mjs", HANGING);
  user.connect("custom", scene.model.url, "plugins:\n  enabled: [loopback-chat, hanging]\n");
  const before = JSON.parse((await user.run(["gateway", "status", "--json"])).out) as GatewayStatus;
  assert.equal(before.running, false);
  assert.deepEqual(
    before.platforms
      .filter(({ plugin }) => ["hanging", "loopback-chat"].includes(plugin))
      .map(({ name, state, configured, missing }) => [name, state, configured, missing])
      .sort(),
    [
      ["half", "lacking", true, ["HALF_SECRET"]],
      ["hanging", "ready", true, []],
      ["loopback-chat", "ready", true, []],
      ["unset", "new", false, ["UNSET_TOKEN"]],
    ],
  );

  const gateway = await scene.serve();
  assert.match(scene.notes(), /half is not served: HALF_SECRET is not set\./);
  assert.match(scene.notes(), /hanging: retrying \(no connection within 5 s/);
  const second = await user.run(["gateway", "run"]);
  assert.equal(second.status, 1);
  assert.ok(second.err.includes(`A gateway is already running for this home (process ${gateway.pid}).`), second.err);
  const during = JSON.parse((await user.run(["gateway", "status", "--json"])).out) as GatewayStatus;
  assert.deepEqual(
    [during.running, during.pid, during.state, during.platforms.find(({ name }) => name === "loopback-chat")?.state],
    [true, gateway.pid, "running", "connected"],
  );

  await chat.write("room", "ada", "hello");
  // Late activity restarts the limit, and with it the warning.
  const warned: string[] = [];
  let received = (await chat.arrived()).text;
  for (; !received.startsWith("⚠"); received = (await chat.arrived()).text) warned.push(received);
  assert.ok(
    warned.length > 0 && warned.every((text) => /Still working, but there was no activity for \d+ s/.test(text)),
    String(warned),
  );
  assert.match(received, /I stopped this turn: there was no activity for \d+ s/);

  gateway.kill("SIGKILL");
  await gone(gateway);
  // A killed gateway no longer holds the home, so the next start gets as far as reporting the missing platform.
  user.connect("custom", scene.model.url);
  const next = await user.run(["gateway"]);
  assert.deepEqual([next.status, next.err.includes("No chat platform is set up.")], [78, true], next.err);
});

// req: gateway.restart-timeout
test("a stopping gateway waits for a short turn, and interrupts a longer one with a notice", async () => {
  await using scene = await chatScene((_, number) =>
    number === 1 ? { text: "Just in time.", headAfterMs: 1500 } : { stallAfterBytes: 1 },
  );
  const { prompter: user, chat, model } = scene;
  const asked = async (count: number): Promise<void> => {
    while (model.requests.length < count) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  user.write("~/.hermes/.env", "OPENAI_API_KEY=key-of-the-test\nHERMES_RESTART_DRAIN_TIMEOUT=120\n");
  const first = await scene.serve();
  await chat.write("room", "ada", "hello");
  await asked(1);
  first.kill("SIGTERM");
  assert.equal((await chat.arrived()).text, "Just in time.");
  assert.equal(await gone(first), 0);

  user.write("~/.hermes/.env", "OPENAI_API_KEY=key-of-the-test\nHERMES_RESTART_DRAIN_TIMEOUT=0.2\n");
  const second = await scene.serve();
  await chat.write("room", "ada", "and now?");
  await asked(2);
  second.kill("SIGUSR1");
  assert.match((await chat.arrived()).text, /I am shutting down and interrupted this turn/);
  assert.equal(await gone(second), 75);
});
