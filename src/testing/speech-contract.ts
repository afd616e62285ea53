import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { SpeechProvider, TranscriptionProvider } from "../contract/providers/media.ts";

/** A speech or transcription provider with its service or a double of it. */
export interface SoundService<Provider> extends AsyncDisposable {
  readonly provider: Provider;
  /** From now on the service refuses every request. */
  refuse(): void | Promise<void>;
}

/**
 * The contract of every speech provider, as tests.
 * @param open Makes the provider and its service.
 * @param options.key The key that it sends: no error repeats it.
 */
export function speechContract(
  name: string,
  open: () => Promise<SoundService<SpeechProvider>>,
  options: { readonly key?: string } = {},
): void {
  describe(`speech contract: ${name}`, { timeout: 600_000 }, () => {
    test("has a name that a setting can hold and can be used; its voices and models have ids", async () => {
      await using service = await open();
      const { provider } = service;
      assert.match(provider.name, /^[\w.-]+$/);
      assert.equal((await provider.is_available?.()) ?? true, true);
      for (const { id } of [...((await provider.list_voices?.()) ?? []), ...((await provider.list_models?.()) ?? [])])
        assert.ok(typeof id === "string" && id !== "");
    });

    test("writes speech to a non-empty file at the path that it returns", async () => {
      await using service = await open();
      using folder = temporary();
      const path = await service.provider.synthesize("Good day.", join(folder.path, "said.mp3"), { format: "mp3" });
      assert.ok(path.startsWith(folder.path), path);
      assert.ok(readFileSync(path).length > 0);
    });

    test("reports a failure without revealing the key", async () => {
      await using service = await open();
      using folder = temporary();
      await service.refuse();
      await assert.rejects(
        async () => service.provider.synthesize("Good day.", join(folder.path, "said.mp3"), { format: "mp3" }),
        (error: Error) =>
          error.message.length > 3 && (options.key === undefined || !error.message.includes(options.key)),
      );
    });
  });
}

/**
 * The contract of every transcription provider, as tests.
 * @param open Makes the provider and its service.
 * @param options.sound A sound that it understands, and its file type.
 */
export function transcriptionContract(
  name: string,
  open: () => Promise<SoundService<TranscriptionProvider>>,
  options: { readonly sound: Uint8Array; readonly ending: string; readonly key?: string },
): void {
  describe(`transcription contract: ${name}`, { timeout: 600_000 }, () => {
    const received = async (provider: TranscriptionProvider, there = true) => {
      using folder = temporary();
      const file = join(folder.path, `sound.${options.ending}`);
      if (there) writeFileSync(file, options.sound);
      // The folder goes when this ends.
      return await provider.transcribe(file, {});
    };

    test("has a name that a setting can hold and can be used", async () => {
      await using service = await open();
      assert.match(service.provider.name, /^[\w.-]+$/);
      assert.equal((await service.provider.is_available?.()) ?? true, true);
    });

    test("returns the speech in a file as its transcript, under its own name", async () => {
      await using service = await open();
      const { success, transcript, provider, error } = await received(service.provider);
      assert.deepEqual(
        [success, typeof transcript, provider, error],
        [true, "string", service.provider.name, undefined],
      );
      assert.notEqual(transcript, "");
    });

    test("reports unintelligible and missing files instead of throwing", async () => {
      await using service = await open();
      for (const there of [false, true]) {
        if (there) await service.refuse();
        const message = await received(service.provider, there);
        assert.deepEqual([message["success"], typeof message["error"]], [false, "string"]);
        if (options.key !== undefined) assert.ok(!JSON.stringify(message).includes(options.key));
      }
    });
  });
}

function temporary(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "hermes-sound-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
