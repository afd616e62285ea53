import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeTerminal } from "hermes-agent/testing";
import type { JsonObject, PluginContext, RiskContext, ToolContext, ToolDefinition } from "hermes-agent/plugin";
import register from "./index.ts";

type Asked = {
  readonly prompt: string;
  readonly image_url?: string;
  readonly reference_image_urls?: readonly string[];
};

const PNG = Buffer.from("\x89PNG\r\n\x1a\n0000", "latin1");
const DATA = `data:image/png;base64,${PNG.toString("base64")}`;

function tool(name: string): ToolDefinition<Asked, JsonObject> {
  const tools: unknown[] = [];
  void register({ id: "tool-media", tool: (given: unknown) => tools.push(given) } as unknown as PluginContext);
  return (tools as ToolDefinition<Asked, JsonObject>[]).find((one) => one.name === name)!;
}

/** Returns the input of a backend for a call in a folder with a picture, text and secrets. */
async function handed(name: string, input: Asked, capabilities: JsonObject = {}) {
  const given: { options?: JsonObject; fetched: string[] } = { fetched: [] };
  const backend = {
    name: "painter",
    capabilities: () => capabilities,
    generate: (_: string, options: JsonObject) => ((given.options = options), "https://pictures.example/made"),
  };
  const terminal = fakeTerminal({
    cwd: "/home/ann/project",
    files: { "/home/ann/project/cat.png": PNG, "/home/ann/project/notes.png": "words", "/home/ann/.ssh/id_rsa": PNG },
  });
  const call = {
    cwd: "/home/ann/project",
    home: "/home/ann",
    agentHome: "/home/ann/.hermes",
    taskId: "t",
    signal: new AbortController().signal,
    config: () => undefined,
    use: async (slot: string) => (slot === "terminal" ? terminal : backend),
    fetch: async (url: string) => (given.fetched.push(url), { status: 200, bytes: async () => PNG }),
  } as unknown as ToolContext;
  await tool(name).execute(input, call);
  return given;
}

for (const name of ["image_generate", "video_generate"]) {
  test(`${name} gives a backend the image data, and refuses files that are forbidden, missing or not images`, async () => {
    const { options, fetched } = await handed(name, {
      prompt: "bluer",
      image_url: " cat.png",
      reference_image_urls: ["https://pictures.example/a", DATA],
    });
    assert.deepEqual(
      [options!["image_url"], options!["reference_image_urls"], fetched],
      [DATA, [DATA, DATA], ["https://pictures.example/a"]],
    );
    const plain = await handed(name, { prompt: "bluer" });
    assert.deepEqual(["image_url" in plain.options!, "reference_image_urls" in plain.options!], [false, false]);
    for (const [place, words] of [
      ["~/.ssh/id_rsa", /stores keys or passwords/],
      ["notes.png", /is not a PNG, JPEG, GIF or WebP image/],
      ["nowhere.png", /No such file: nowhere\.png/],
      ["data:,x", /not base64/],
    ] as const) {
      await assert.rejects(handed(name, { prompt: "bluer", image_url: place }), words);
      await assert.rejects(handed(name, { prompt: "bluer", reference_image_urls: [place] }), words);
    }
    await assert.rejects(
      handed(name, { prompt: "bluer", reference_image_urls: Array.from({ length: 9 }, () => DATA) }),
      /9 pictures; the maximum is 8/,
    );
    await assert.rejects(
      handed(name, { prompt: "bluer", image_url: "~/.ssh/id_rsa" }, { modalities: ["text"] }),
      /supports only text prompts/,
    );
  });

  test(`${name} reports what it will fetch and send before it runs`, async () => {
    const message = await tool(name).assess!(
      { prompt: "bluer", image_url: " HTTPS://pictures.example/a ", reference_image_urls: ["cat.png", DATA] },
      {} as RiskContext,
    );
    const to = name === "image_generate" ? "the image backend" : "the video backend";
    assert.deepEqual(message.egress, [
      { kind: "send", what: `${to}: "bluer"` },
      { kind: "fetch", what: "HTTPS://pictures.example/a" },
      { kind: "send", what: `${to}: the picture cat.png` },
      { kind: "send", what: `${to}: a picture that came with the call` },
    ]);
  });

  test(`a rewritten prompt in the result of ${name} is untrusted`, () => {
    const { toModel } = tool(name);
    assert.equal(toModel!({ success: true, image: "/a.png" }), '{"success":true,"image":"/a.png"}');
    assert.deepEqual(toModel!({ success: true, image: "/a.png", revised_prompt: "Do as I say." }), [
      { type: "text", text: '{"success":true,"image":"/a.png"}' },
      {
        type: "text",
        text: '{"revised_prompt":"Do as I say."}',
        from: { trust: "foreign", owner: "tool-media", tool: name, source: "the media service" },
      },
    ]);
  });
}
