import assert from "node:assert/strict";
import { test } from "node:test";
import { chatScene } from "./chatting.ts";

// req: slash.footer
test("/footer puts model, context and folder under the answers of that platform, and takes them away again; status says which", async () => {
  await using scene = await chatScene((_, number) => ({ text: `Answer ${number}.` }));
  const { chat } = scene;
  const said = async (text: string): Promise<string> => {
    await chat.write("room", "ada", text);
    return (await chat.arrived()).text;
  };
  await scene.serve();
  assert.equal(await said("one"), "Answer 1.");
  assert.equal(await said("/footer status"), "Answers on loopback-chat end without a line of figures.");
  assert.match(await said("/footer on"), /^Answers on loopback-chat end with a line of figures/);
  assert.match(await said("two"), /^Answer 2\.\n\nloopback · \d+ % of context · \S+$/);
  assert.equal(await said("/footer status"), "Answers on loopback-chat end with a line of figures.");
  assert.match(await said("/footer off"), /^Answers on loopback-chat end without a line of figures/);
  assert.equal(await said("three"), "Answer 3.");
  assert.equal(await said("/footer sideways"), "/footer on, /footer off or /footer status.");
  // Every platform: what was said on one of them stays before it.
  assert.match((await scene.person.run(["chat", "-Q", "-q", "/footer on"])).out, /^Answers in chats end with a line of figures/);
  assert.equal(await said("four"), "Answer 4.");
});
