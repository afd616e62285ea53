import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { describe, test } from "node:test";
import type { JsonObject } from "../contract/common/json.ts";
import type { ImageGenProvider } from "../contract/providers/media.ts";

export interface ImageContractOptions {
  /** A prompt it can serve without leaving this machine, or at a stand-in. */
  readonly prompt: string;
  /** One it refuses, if there is such a thing. */
  readonly refused?: string;
}

/**
 * The contract of every image backend, as tests.
 * @param open Makes the backend.
 */
export function imageContract(
  name: string,
  open: () => Promise<ImageGenProvider>,
  options: ImageContractOptions,
): void {
  describe(`image contract: ${name}`, { timeout: 600_000 }, () => {
    test("has a name that a setting can hold, and reports whether it can be used", async () => {
      const backend = await open();
      assert.match(backend.name, /^[\w.-]+$/);
      assert.equal(typeof ((await backend.is_available?.()) ?? true), "boolean");
    });

    test("its models have ids, and the default is one of them", async () => {
      const backend = await open();
      const models = (await backend.list_models?.()) ?? [];
      for (const { id } of models) assert.ok(typeof id === "string" && id !== "");
      const standard = await backend.default_model?.();
      if (typeof standard === "string" && models.length > 0) assert.ok(models.some(({ id }) => id === standard));
    });

    for (const aspect_ratio of ["landscape", "square", "portrait"] as const) {
      test(`returns a ${aspect_ratio} picture as an existing file, a URL or bytes`, async () => {
        const answer = await (await open()).generate(options.prompt, { aspect_ratio });
        const made: JsonObject = typeof answer === "string" ? { success: true, image: answer } : answer;
        assert.notEqual(made["success"], false, JSON.stringify(made));
        const { image, b64 } = made;
        if (typeof b64 === "string") return assert.ok(Buffer.from(b64, "base64").length > 0);
        assert.ok(typeof image === "string" && (/^(https?|data):/.test(image) || existsSync(image)), String(image));
      });
    }

    test(
      "reports a failure in the uniform shape instead of throwing",
      { skip: options.refused === undefined },
      async () => {
        const answer = await (await open()).generate(options.refused!, { aspect_ratio: "square" });
        assert.ok(typeof answer === "object");
        assert.deepEqual(
          [answer["success"], answer["image"], typeof answer["error"], typeof answer["error_type"]],
          [false, null, "string", "string"],
        );
      },
    );
  });
}
