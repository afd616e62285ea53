import assert from "node:assert/strict";
import { test } from "node:test";
import { startMattermostServer, TOKEN } from "../../../plugins/platform-mattermost/test/mattermost-server.ts";
import { chatScene, gone } from "../support/chatting.ts";

test("Mattermost: an allowed user is answered once, also for a message from while the gateway was killed", async () => {
  await using server = await startMattermostServer();
  await using scene = await chatScene([{ text: "Half past five." }, { text: "Six." }], {
    env: { MATTERMOST_TOKEN: TOKEN, MATTERMOST_URL: server.url, MATTERMOST_ALLOWED_USERS: "u-ada" },
  });
  const gateway = await scene.serve();
  const says = (user_id: string, text: string) =>
    server.write({ channel_id: "52", user_id, message: `@hermes ${text}` });
  const answer = () => server.next(({ method, path }) => method === "POST" && path === "/posts");
  says("u-bob", "let me in");
  says("u-ada", "what time is it?");
  assert.deepEqual((await answer()).body["message"], "Half past five.");
  assert.equal(scene.model.requests.length, 1);
  assert.match(scene.log(), /Refused a message on mattermost/);
  gateway.kill("SIGKILL");
  await gone(gateway);
  says("u-ada", "and now?");
  const next = await scene.serve();
  // If the gateway was killed before it stored that the answer arrived, it reports that first.
  const texts: string[] = [];
  while (texts.at(-1) !== "Six.") texts.push(String((await answer()).body["message"]));
  assert.ok(!texts.includes("Half past five."), texts.join(" | "));
  assert.equal(scene.model.requests.length, 2);
  next.kill("SIGTERM");
  assert.equal(await gone(next), 0);
});
