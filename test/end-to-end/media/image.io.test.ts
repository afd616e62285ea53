import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NO_TMUX, UserTerminal } from "../support/interactive-terminal.ts";
import { NewUser } from "../support/test-user.ts";

const python = spawnSync("python3", ["--version"]).status === 0;
const examples = join(import.meta.dirname, "../../../examples/plugins");

for (const [language, folder] of [
  ["TypeScript", "swatch-images"],
  ["Python", "swatch-images-python"],
] as const) {
  // req: plugins.image-gen-register, plugins.image-gen-python
  test(
    `an image backend in ${language} provides image_generate, which is not offered without a backend`,
    { skip: language === "Python" && !python ? "there is no python3" : false },
    async () => {
      using user = new NewUser();
      await using server = await startOpenAiServer([
        { text: "none" },
        { calls: [{ tool: "image_generate", args: { prompt: "something blue", aspect_ratio: "square" } }] },
        { text: "Here it is." },
      ]);
      user.connect("custom", server.url, "");
      const offered = (at: number): boolean =>
        (
          JSON.parse(server.requests[at]!.body) as {
            readonly tools?: readonly { readonly function: { readonly name: string } }[];
          }
        ).tools!.some((tool) => tool.function.name === "image_generate");
      assert.equal((await user.run(["chat", "-q", "hello"])).status, 0);
      assert.equal(offered(0), false);
      assert.match((await user.run(["plugins", "why", "image_generate"])).out, /No plugin provides image_gen\./);
      cpSync(join(examples, folder), join(user.agentHome, "plugins/image_gen/swatch-images"), { recursive: true });
      const enabled = await user.run(["plugins", "enable", "swatch-images"]);
      assert.equal(enabled.status, 0, enabled.err);
      const painted = await user.run(["chat", "-q", "paint", "--yolo"]);
      assert.equal(painted.status, 0, painted.err);
      assert.equal(offered(1), true);
      const result = (
        JSON.parse(server.requests[2]!.body) as {
          readonly messages: readonly { readonly role: string; readonly content: string }[];
        }
      ).messages.findLast(({ role }) => role === "tool")!.content;
      const { success, image, provider, model } = JSON.parse(result) as { readonly [key: string]: string };
      assert.deepEqual([success, provider, model], [true, "swatches", "swatch-1"]);
      assert.equal(readFileSync(image!).subarray(1, 4).toString("latin1"), "PNG");
      const refused = await user.run(["tools", "call", "image_generate", '{"prompt":"something loud"}']);
      assert.match(refused.out + refused.err, /Name one of: red, green/);
    },
  );
}

// req: plugins.image-gen-metadata
test(
  "setup asks for the image backend, its variables and its model, and image_generate uses them",
  { skip: NO_TMUX, timeout: 180_000 },
  async () => {
    using user = new NewUser();
    const picture = user.write("picture.png", "dots");
    user.write("~/.hermes/plugins/painters/plugin.yaml", "name: painters\nversion: 1.0.0\ndescription: Paints\n");
    user.write(
      "~/.hermes/plugins/painters/index.mjs",
      `export const register = (ctx) => {
  ctx.register_image_gen_provider({ name: "other", generate: () => "/nowhere.png" });
  ctx.register_image_gen_provider({
    name: "painter",
    display_name: "The painter",
    list_models: () => [{ id: "fast", display: "Quick" }, { id: "fine", display: "Slow" }],
    default_model: () => "fast",
    get_setup_schema: () => ({ name: "The painter", env_vars: [{ key: "PAINTER_API_KEY", prompt: "Key of the painter", url: "https://painter.example/keys" }] }),
    generate: (prompt, { model = "fast" }) => ({ success: true, image: ${JSON.stringify(picture)}, model, key: ctx.env("PAINTER_API_KEY") === "pk-live-0123456789" }),
  });
};
`,
    );
    const enabled = await user.run(["plugins", "enable", "painters"]);
    assert.equal(enabled.status, 0, enabled.err);
    await using terminal = await UserTerminal.open(user, ["setup", "media"]);
    await terminal.until(
      /Backend for [^\n]*\n❯ No change\n +1\. other: other\n +2\. painter: The painter\n +3\. fal: .*\(not set up yet\)[^]*type to filter/,
    );
    await terminal.type("2");
    await terminal.press("Enter");
    assert.match(
      await terminal.until(/Key of the painter \(Enter skips it\):/),
      /PAINTER_API_KEY\n +for images by The painter · required · https:\/\/painter\.example\/keys/,
    );
    await terminal.type("pk-live-0123456789");
    await terminal.press("Enter");
    await terminal.until(/Models of The painter\n❯ No change\n +1\. fast: Quick \(default\)\n +2\. fine: Slow\n +↑↓/);
    await terminal.type("2");
    await terminal.press("Enter");
    await terminal.until(/\[ended 1\]/); // No model is connected.
    assert.ok(!(await terminal.screen({ scrollback: true })).includes("pk-live"));
    const made = await user.run(["tools", "call", "image_generate", '{"prompt":"a boat"}']);
    assert.equal(made.status, 0, made.err);
    const { provider, model, key, image } = JSON.parse(made.out) as { readonly [name: string]: unknown };
    assert.deepEqual(
      { provider, model, key, image },
      { provider: "painter", model: "fine", key: true, image: picture },
    );
  },
);

// req: plugins.video-gen
test("the configured one of two video backends provides video_generate, which is hidden without a backend", async () => {
  using user = new NewUser();
  await using server = await startOpenAiServer([
    { text: "none" },
    { calls: [{ tool: "video_generate", args: { prompt: "waves" } }] },
    { text: "Here it is." },
  ]);
  user.connect("custom", server.url, "video_gen:\n  provider: reels\n");
  const offered = (at: number): boolean =>
    (
      JSON.parse(server.requests[at]!.body) as {
        readonly tools: readonly { readonly function: { readonly name: string } }[];
      }
    ).tools.some((tool) => tool.function.name === "video_generate");
  await user.run(["chat", "-q", "hello"]);
  assert.equal(offered(0), false);
  const film = user.write("film.mp4", "frames of waves");
  const backend = (name: string, video: string): string =>
    `ctx.register_video_gen_provider({ name: ${JSON.stringify(name)}, generate: (prompt) => ({ success: true, video: ${JSON.stringify(video)}, prompt, provider: ${JSON.stringify(name)} }) });`;
  user.write(
    "~/.hermes/plugins/video_gen/films/plugin.yaml",
    "name: films\nversion: 1.0.0\ndescription: Films\nkind: backend\n",
  );
  user.write(
    "~/.hermes/plugins/video_gen/films/index.mjs",
    `export const register = (ctx) => {\n  ${backend("other", "/nowhere.mp4")}\n  ${backend("reels", film)}\n};\n`,
  );
  const enabled = await user.run(["plugins", "enable", "films"]);
  assert.equal(enabled.status, 0, enabled.err);
  const filmed = await user.run(["chat", "-q", "film", "--yolo"]);
  assert.equal(filmed.status, 0, filmed.err);
  assert.equal(offered(1), true);
  const result = (
    JSON.parse(server.requests[2]!.body) as {
      readonly messages: readonly { readonly role: string; readonly content: string }[];
    }
  ).messages.findLast(({ role }) => role === "tool")!.content;
  const { success, video, provider } = JSON.parse(result) as { readonly [key: string]: string };
  assert.deepEqual([success, provider, readFileSync(video!, "utf8")], [true, "reels", "frames of waves"]);
});
