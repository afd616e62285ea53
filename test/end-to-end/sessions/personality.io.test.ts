import assert from "node:assert/strict";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { chatScene } from "../support/chatting.ts";
import { NewUser } from "../support/test-user.ts";

const OWN = `agent:
  personalities:
    dry: { description: No jokes, system_prompt: Write soberly., tone: dry, style: short sentences }
`;

function systemOf({ body }: { readonly body: string }): string {
  return String((JSON.parse(body) as { messages: readonly { content: unknown }[] }).messages[0]!.content);
}

// field: C12
test("/personality lists, sets and clears a writing style, which new sessions have in their prompt", async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer([{ text: "Aye." }]);
  user.connect("custom", server.url, OWN);
  const say = async (text: string) => {
    const { out, err, status } = await user.run(["chat", "-Q", "-q", text]);
    return { text: out.trimEnd(), err, status };
  };
  const list = (await say("/personality")).text;
  assert.match(list, /^● none +No personality\n○ dry +No jokes\n○ helpful/);
  assert.match(list, /○ hype [^]*Choose one with: \/personality NAME$/);
  assert.equal((await say("/personality Pirate")).text, "The personality is pirate from the next session on.");
  await say("hello");
  assert.match(systemOf(server.requests.at(-1)!), /old sea captain/);
  assert.match((await say("/personality")).text, /○ none[^]*● pirate/);
  assert.match((await say("/personality pirat")).text, /no personality "pirat"\. Did you mean pirate\?/);
  await say("/personality dry");
  await say("hello");
  assert.match(systemOf(server.requests.at(-1)!), /Write soberly\.\nTone: dry\nStyle: short sentences/);
  assert.equal((await say("/personality none")).text, "No personality from the next session on.");
  await say("hello");
  assert.doesNotMatch(systemOf(server.requests.at(-1)!), /soberly|captain/);
});

test("in a chat the running conversation keeps its prompt, and the next one has the personality", async () => {
  await using scene = await chatScene([{ text: "ok" }]);
  await scene.serve();
  const message = async (text: string): Promise<string> => {
    await scene.chat.write("room", "ada", text);
    return (await scene.chat.arrived()).text;
  };
  await message("one");
  assert.equal(
    await message("/personality noir"),
    "The personality is noir from the next session on. Start one with: /new",
  );
  await message("two");
  await message("/new");
  await message("three");
  const [one, two, three] = scene.model.requests.map(systemOf);
  assert.equal(two, one);
  assert.match(three!, /weary private detective/);
});
