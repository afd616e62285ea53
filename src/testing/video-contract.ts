import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { describe, test } from "node:test";
import type { JsonObject } from "../contract/common/json.ts";
import type { VideoGenProvider } from "../contract/providers/media.ts";

export interface VideoContractOptions {
  /** A prompt it can serve without leaving this machine, or at a stand-in. */
  readonly prompt: string;
  /** One it refuses, if there is such a thing. */
  readonly refused?: string;
}

/**
 * The contract of every video backend, as tests.
 * @param open Makes the backend.
 */
export function videoContract(
  name: string,
  open: () => Promise<VideoGenProvider>,
  options: VideoContractOptions,
): void {
  describe(`video contract: ${name}`, { timeout: 900_000 }, () => {
    test("has a name that a setting can hold, reports whether it can be used, and its models have ids", async () => {
      const backend = await open();
      assert.match(backend.name, /^[\w.-]+$/);
      assert.equal(typeof ((await backend.is_available?.()) ?? true), "boolean");
      for (const { id } of (await backend.list_models?.()) ?? []) assert.ok(typeof id === "string" && id !== "");
    });

    test("returns a video as an existing file, a URL or bytes", async () => {
      const answer = await (await open()).generate(options.prompt, { aspect_ratio: "16:9", resolution: "720p" });
      const made: JsonObject = typeof answer === "string" ? { success: true, video: answer } : answer;
      assert.notEqual(made["success"], false, JSON.stringify(made));
      const { video, b64 } = made;
      if (typeof b64 === "string") return assert.ok(Buffer.from(b64, "base64").length > 0);
      assert.ok(typeof video === "string" && (/^(https?|data):/.test(video) || existsSync(video)), String(video));
    });

    test(
      "reports a failure in the uniform shape instead of throwing",
      { skip: options.refused === undefined },
      async () => {
        const answer = await (await open()).generate(options.refused!, {});
        assert.ok(typeof answer === "object");
        assert.deepEqual([answer["success"], typeof answer["error"]], [false, "string"]);
      },
    );
  });
}
