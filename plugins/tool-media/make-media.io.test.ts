import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { imageFailed, imageMade, ToolFailure, type JsonObject } from "hermes-agent/plugin";
import { makeMedia } from "./make-media.ts";

const home = mkdtempSync(join(tmpdir(), "hermes-media-"));
after(() => rmSync(home, { recursive: true }));
const call = { agentHome: home, cwd: home, log: {} as never, signal: new AbortController().signal };
const backend = { name: "my-imggen" };
const PNG = Buffer.from("\x89PNG\r\n\x1a\n0000", "latin1").toString("base64");

const make = (answer: string | JsonObject) => makeMedia("image", backend, async () => answer, call);

// req: plugins.image-gen-responses
test("turns a path, a URL and base64 data into an existing file", async () => {
  writeFileSync(join(home, "cat.png"), "x");
  assert.deepEqual(await make("cat.png"), { success: true, provider: "my-imggen", image: join(home, "cat.png") });
  assert.deepEqual(await make(imageMade({ image: "https://pictures.example/cat.png", model: "m" })), {
    success: true,
    provider: "my-imggen",
    image: "https://pictures.example/cat.png",
    model: "m",
  });
  for (const given of [imageMade({ b64: PNG }), imageMade({ image: `data:image/png;base64,${PNG}` })]) {
    const made = await make(given);
    assert.match(String(made["image"]), /cache\/images\/\d{8}_\d{6}_[0-9a-f]{8}_my-imggen\.png$/);
    assert.equal(readFileSync(String(made["image"])).toString("base64"), PNG);
    assert.equal(made["b64"], undefined);
  }
});

// req: plugins.image-gen-responses
test("reports an error in the tool's format, also when the result file is missing", async () => {
  await assert.rejects(
    make(imageFailed({ error: "Out of paint.", error_type: "quota" })),
    (failure) =>
      failure instanceof ToolFailure &&
      failure.message === "Out of paint." &&
      failure.data?.["error_type"] === "quota" &&
      failure.data["image"] === null,
  );
  await assert.rejects(make("/nowhere/cat.png"), /returned \/nowhere\/cat\.png, which does not exist/);
  await assert.rejects(make({ success: true }), /returned no image/);
  await assert.rejects(
    makeMedia("image", { name: "off", is_available: () => false }, async () => "x", call),
    /"off" is not available/,
  );
});
