import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NewUser } from "../support/test-user.ts";

const python = spawnSync("python3", ["--version"]).status === 0;
const examples = join(import.meta.dirname, "../../../examples/plugins");
const textsOf = (body: string): string => JSON.stringify((JSON.parse(body) as { readonly messages: unknown }).messages);

for (const [language, folder] of [
  ["TypeScript", "window-engine"],
  ["Python", "window-engine-python"],
] as const) {
  // req: plugins.context-engine-register, plugins.context-engine-python
  test(
    `a context engine in ${language} decides when a conversation is shortened, and its messages go to the model`,
    { skip: language === "Python" && !python ? "there is no python3" : false },
    async () => {
      using user = new NewUser();
      await using server = await startOpenAiServer((_, number) => ({
        text: `Reply ${number}. ${"and so on ".repeat(300)}`,
      }));
      user.connect(
        "custom",
        server.url,
        "  context_length: 12000\ncontext:\n  engine: window\nplugins:\n  enabled: [window-engine]\n",
      );
      cpSync(join(examples, folder), join(user.agentHome, "plugins/window-engine"), { recursive: true });
      assert.equal((await user.run(["chat", "-q", "Question 1"])).status, 0);
      for (let turn = 2; turn <= 9; turn++) {
        const { status, err } = await user.run(["chat", "-c", "-q", `Question ${turn}`]);
        assert.equal(status, 0, err);
      }
      const bodies = server.requests.map(({ body }) => textsOf(body));
      const first = bodies.findIndex((body) => body.includes("[Forgotten:"));
      assert.ok(first > 3, `shortened before request ${first + 1}`);
      assert.ok(bodies[first - 1]!.includes("Question 1") && !bodies[first]!.includes('Question 1"'));
      assert.ok(bodies[first]!.length < bodies[first - 1]!.length);
      assert.match(bodies.at(-1)!, /Question 9/);
      assert.doesNotMatch(server.requests.map(({ body }) => body).join(""), /You write the notes/);
    },
  );
}

// req: context.compress-focus, context.summary-model
test("/compress TOPIC asks the main model for the summary, or the one that compression.summary_model names", async () => {
  for (const [extra, model] of [
    ["", "loopback"],
    ["compression:\n  summary_model: small-one\n", "small-one"],
  ] as const) {
    using user = new NewUser();
    await using server = await startOpenAiServer((request, number) => ({
      text: request.body.includes("You write the notes")
        ? "Port 8080 was chosen."
        : `Reply ${number}. ${"and so on ".repeat(60)}`,
    }));
    user.connect("custom", server.url, extra);
    assert.equal((await user.run(["chat", "-q", "Question 1"])).status, 0);
    for (let turn = 2; turn <= 4; turn++)
      assert.equal((await user.run(["chat", "-c", "-q", `Question ${turn}`])).status, 0);
    const { out, err } = await user.run(["chat", "-c", "-q", "/compress the port"]);
    assert.match(out, /Compressed from about/, err);
    const asked = JSON.parse(server.requests.at(-1)!.body) as { readonly model: string; readonly messages: unknown };
    assert.equal(asked.model, model);
    assert.match(JSON.stringify(asked.messages), /keep above all: the port/);
    assert.equal((await user.run(["chat", "-c", "-q", "And now?"])).status, 0);
    assert.match(textsOf(server.requests.at(-1)!.body), /Port 8080 was chosen\./);
  }
});
