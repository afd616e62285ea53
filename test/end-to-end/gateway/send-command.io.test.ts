import assert from "node:assert/strict";
import { test } from "node:test";
import { chatScene, gone } from "../support/chatting.ts";

const HOME = { LOOPBACK_CHAT_HOME_CHANNEL: "home" };

// field: C12
test("hermes send leaves a message in the outbox while no gateway runs, and the next gateway sends it once", async () => {
  await using scene = await chatScene([], { env: HOME });
  const queued = await scene.prompter.run(["send", "--to", "loopback-chat", "The backup is done."]);
  assert.deepEqual([queued.status, queued.out], [0, ""]);
  assert.match(queued.err, /in the outbox\. No gateway is running/);
  const gateway = await scene.serve();
  assert.deepEqual(await scene.chat.arrived(), { chat_id: "home", text: "The backup is done." });

  const sent = await scene.prompter.run(
    ["send", "-t", "loopback-chat:room", "-s", "[CI]", "-f", "-"],
    "It is green.\n",
  );
  assert.deepEqual([sent.status, sent.out], [0, "Sent to loopback-chat:room.\n"], sent.err);
  // The first message is not sent again: the second is the next that arrives.
  assert.deepEqual(await scene.chat.arrived(), { chat_id: "room", text: "[CI]\n\nIt is green." });

  const json = await scene.prompter.run(["send", "-t", "loopback-chat:room", "--json", "Third."]);
  assert.deepEqual(JSON.parse(json.out), {
    running: true,
    deliveries: [{ target: "loopback-chat:room", state: "sent" }],
  });
  assert.equal((await scene.chat.arrived()).text, "Third.");
  const quiet = await scene.prompter.run(["send", "-q", "-t", "loopback-chat:room", "Fourth."]);
  assert.deepEqual([quiet.status, quiet.out, quiet.err], [0, "", ""]);
  const list = await scene.prompter.run(["send", "--list", "--json"]);
  assert.deepEqual(JSON.parse(list.out), [
    { target: "loopback-chat:home", kind: "home channel", platform: "loopback-chat" },
  ]);
  gateway.kill("SIGTERM");
  await gone(gateway);
});

test("hermes send rejects a wrong target, an empty text and a protected file without sending anything", async () => {
  await using scene = await chatScene([], { env: HOME });
  const refused = async (args: readonly string[], input?: string): Promise<string> => {
    const { status, out, err } = await scene.prompter.run(["send", ...args], input);
    assert.equal(out, "");
    assert.ok(status === 1 || status === 2, `${status}: ${err}`);
    return err;
  };
  assert.match(await refused(["hello"]), /The target is missing/);
  assert.match(
    await refused(["-t", "nosuch", "hello"]),
    /There is no chat platform "nosuch".\nPlatforms: loopback-chat/,
  );
  assert.match(await refused(["-t", "loopback-chat"], "\n"), /The message is empty/);
  assert.match(
    await refused(["-t", "loopback-chat", "-f", "gone.txt"]),
    /Cannot read gone\.txt: there is no such file/,
  );
  assert.match(await refused(["-t", "loopback-chat", "-f", "gone.txt", "hi"]), /A message and --file were given/);
  assert.match(await refused(["-t", "loopback-chat", "--wait", "soon", "hi"]), /--wait must be a number/);
  scene.prompter.write("~/.ssh/keys.txt", "x");
  assert.match(
    await refused(["-t", "loopback-chat", `See MEDIA:${scene.prompter.home}/.ssh/keys.txt`]),
    /Cannot send .*keys\.txt: it is protected\.\nNothing was sent/,
  );
  const gateway = await scene.serve();
  await scene.prompter.run(["send", "-t", "loopback-chat", "The only one."]);
  assert.equal((await scene.chat.arrived()).text, "The only one.");
  gateway.kill("SIGTERM");
  await gone(gateway);
});

test("hermes send sends a file of the user, from any folder", async () => {
  await using scene = await chatScene([], { env: HOME });
  const file = scene.prompter.write("~/reports/week.csv", "a,b\n1,2\n");
  const gateway = await scene.serve();
  const sent = await scene.prompter.run(["send", "-t", "loopback-chat", `Here: MEDIA:${file}`]);
  assert.equal(sent.status, 0, sent.err);
  const { name, bytes } = await scene.chat.received();
  assert.deepEqual([name, bytes], ["week.csv", "a,b\n1,2\n"]);
  gateway.kill("SIGTERM");
  await gone(gateway);
});
