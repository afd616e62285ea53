import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import type { JsonObject } from "../../../src/contract/common/json.ts";
import { openApp } from "../../../src/host/app/open-app.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import { startWebService } from "../../servers/web-service.ts";
import { NewUser } from "../support/test-user.ts";
import { definedFields } from "../../../src/contract/common/defined-fields.ts";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

interface Asked {
  readonly model: string;
  readonly tools?: unknown;
  readonly messages: readonly {
    readonly role: string;
    readonly content:
      | string
      | readonly { readonly type: string; readonly text?: string; readonly image_url?: { readonly url: string } }[];
  }[];
}

/** A session in which the user calls tools. */
async function openHome(user: NewUser) {
  const app = await openApp({
    version: "0",
    env: { HOME: user.home, PATH: process.env["PATH"] },
    signal: new AbortController().signal,
  });
  const session = await app.openSession({ surface: "cli", cwd: user.folder });
  return {
    async look(image_url: string, question = "what is it?"): Promise<JsonObject> {
      const outcome = await session.call("vision_analyze", { image_url, question });
      return outcome.kind === "ok"
        ? (outcome.value as JsonObject)
        : outcome.kind === "failed"
          ? { ...outcome.data, error: outcome.message, code: outcome.code }
          : definedFields({ kind: outcome.kind, reason: "reason" in outcome ? String(outcome.reason) : undefined });
    },
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      await app[Symbol.asyncDispose]();
    },
  };
}

const lastWords = (body: string) => (JSON.parse(body) as Asked).messages.at(-1)!.content;

// req: tool-vision.analyze
test("the model asks about an image in its folder: a separate request sends it to the main model, whose answer is the result", async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer([
    { calls: [{ tool: "vision_analyze", args: { image_url: "dot.png", question: "Which colour?" } }] },
    { text: "A single blue dot." },
    { text: "It is blue." },
  ]);
  user.connect("custom", server.url);
  writeFileSync(join(user.folder, "dot.png"), Buffer.from(PNG, "base64"));
  const ran = await user.run(["chat", "-q", "look"]);
  assert.equal(ran.status, 0, ran.err);
  const [, looked, after] = server.requests.map(({ body }) => JSON.parse(body) as Asked);
  assert.deepEqual(looked!.messages.at(-1)!.content, [
    { type: "text", text: "Which colour?" },
    { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } },
  ]);
  assert.equal(looked!.tools, undefined);
  assert.deepEqual(JSON.parse(after!.messages.findLast(({ role }) => role === "tool")!.content as string), {
    success: true,
    analysis: "A single blue dot.",
  });
  assert.doesNotMatch(JSON.stringify(after), new RegExp(PNG.slice(0, 40)));
});

// req: tool-vision.analyze
test("auxiliary.vision selects the model for files, URLs and data: URLs", async () => {
  using user = new NewUser();
  await using main = await startOpenAiServer([]);
  await using seer = await startOpenAiServer([
    { text: "One." },
    { text: "Two." },
    { text: "Three." },
    { text: "Four." },
  ]);
  await using web = await startWebService(
    (_, reply) => void reply.writeHead(200, { "content-type": "text/plain" }).end(Buffer.from(PNG, "base64")),
  );
  user.connect(
    "custom",
    main.url,
    `auxiliary:\n  vision:\n    provider: custom\n    base_url: ${seer.url}\n    model: sees-all\nsecurity:\n  allow_private_urls: true\n`,
  );
  const file = join(user.folder, "a picture.txt");
  writeFileSync(file, Buffer.from(PNG, "base64"));
  await using home = await openHome(user);
  assert.deepEqual(await home.look(file), { success: true, analysis: "One." });
  assert.deepEqual(await home.look(`${web.url}/cat`), { success: true, analysis: "Two." });
  assert.deepEqual(await home.look(`data:image/jpeg;base64,${PNG}`), { success: true, analysis: "Three." });
  assert.deepEqual(await home.look(`file://${file.replace(" ", "%20")}`), { success: true, analysis: "Four." });
  assert.deepEqual(
    seer.requests.map(({ body }) => (JSON.parse(body) as Asked).model),
    ["sees-all", "sees-all", "sees-all", "sees-all"],
  );
  for (const { body } of seer.requests)
    assert.deepEqual(lastWords(body), [
      { type: "text", text: "what is it?" },
      { type: "image_url", image_url: { url: `data:image/png;base64,${PNG}` } },
    ]);
  assert.equal(main.requests.length, 0);
});

test("refuses an invalid, too large, missing or protected image before contacting a model", async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer([]);
  let answer: (reply: ServerResponse) => void = () => {};
  await using web = await startWebService((_, reply) => answer(reply));
  user.connect(
    "custom",
    server.url,
    "security:\n  allow_private_urls: true\nauxiliary:\n  vision:\n    download_timeout: 8\n",
  );
  user.write("notes.png", "words");
  mkdirSync(join(user.home, ".ssh"));
  writeFileSync(join(user.home, ".ssh/id_rsa"), Buffer.from(PNG, "base64"));
  symlinkSync(join(user.home, ".ssh/id_rsa"), join(user.folder, "innocent.png"));
  writeFileSync(join(user.folder, "huge.png"), Buffer.concat([Buffer.from(PNG, "base64"), Buffer.alloc(15_000_000)]));
  await using home = await openHome(user);
  const refused = async (place: string, code: string, words: RegExp): Promise<void> => {
    const message = await home.look(place);
    assert.deepEqual(
      [message["success"], message["analysis"], message["code"]],
      [false, "", code],
      JSON.stringify(message),
    );
    assert.match(String(message["error"]), words);
  };
  await refused("notes.png", "bad_arguments", /notes\.png is not a PNG, JPEG, GIF or WebP image/);
  await refused("huge.png", "bad_arguments", /16 MB; an image may have at most 15 MB/);
  await refused("nowhere.png", "not_found", /No such file: nowhere\.png/);
  await refused(".", "bad_arguments", /is not a file/);
  await refused("innocent.png", "blocked", /stores keys or passwords/);
  await refused("data:image/png,raw", "bad_arguments", /not base64/);
  await refused("", "bad_arguments", /names no image/);
  const replies: readonly (readonly [typeof answer, string, RegExp])[] = [
    [(reply) => void reply.writeHead(404).end(), "unreachable", /answered 404/],
    [(reply) => void reply.end("<html>"), "bad_arguments", /not a PNG, JPEG, GIF or WebP image/],
    [
      (reply) =>
        void reply.writeHead(200, { "content-length": "500" }).write(Buffer.from(PNG, "base64"), () => reply.destroy()),
      "unreachable",
      /./,
    ],
    [(reply) => void reply.write(Buffer.from(PNG, "base64")), "timeout", /within 8 s/],
  ];
  for (const [does, code, words] of replies) {
    answer = does;
    await refused(`${web.url}/p.png`, code, words);
  }
  assert.equal(server.requests.length, 0);
});

test("does not fetch a private address; reports a model without vision or with an error, with advice", async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer([
    { status: 400, message: "This model does not support image input" },
    { text: "" },
  ]);
  await using web = await startWebService((_, reply) => void reply.end(Buffer.from(PNG, "base64")));
  user.connect("custom", server.url);
  writeFileSync(join(user.folder, "dot.png"), Buffer.from(PNG, "base64"));
  await using home = await openHome(user);
  const inner = await home.look(`${web.url}/p.png`);
  assert.equal(inner["code"], "blocked", JSON.stringify(inner));
  assert.equal(web.sent.length, 0);
  const blind = await home.look("dot.png");
  assert.match(String(blind["error"]), /The picture could not be analysed: .*does not support image input/);
  assert.match(String((await home.look("dot.png"))["error"]), /gave an empty answer/);
});

test("without a model does not pass the image to the rule-based one", async () => {
  using user = new NewUser();
  writeFileSync(join(user.folder, "dot.png"), Buffer.from(PNG, "base64"));
  await using home = await openHome(user);
  assert.match(String((await home.look("dot.png"))["error"]), /No connected model can read pictures/);
});
