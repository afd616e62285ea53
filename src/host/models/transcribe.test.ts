import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeClock } from "../../testing/fake-clock.ts";
import type { SlotRegistry } from "../tools/slots.ts";
import { transcribe } from "./transcribe.ts";

const NEVER = new Promise<never>(() => undefined);

const service = (load: () => unknown) =>
  ({ chosen: () => "mine", list: () => [{ id: "mine" }], get: () => ({ load }) }) as unknown as SlotRegistry;

test("gives up a transcription provider that does not load, answer or finish in time", async () => {
  for (const load of [() => NEVER, () => ({ is_available: () => NEVER }), () => ({ transcribe: () => NEVER })]) {
    assert.deepEqual(await transcribe(service(load), "note.ogg", undefined, fakeClock({ autoAdvance: true })), {
      ok: false,
      reason: "mine did not finish in time.",
    });
  }
  assert.deepEqual(
    await transcribe(
      service(() => ({ is_available: () => true, transcribe: () => ({ success: true, transcript: "said" }) })),
      "note.ogg",
    ),
    { ok: true, text: "said" },
  );
});

test("transcription aborts when the caller cancels or the timeout expires", async () => {
  for (const how of ["asked", "time"] as const) {
    let message: AbortSignal | undefined;
    const begun = Promise.withResolvers<void>();
    const ear = {
      transcribe: (_: string, { signal }: { readonly signal: AbortSignal }) => (
        (message = signal),
        begun.resolve(),
        NEVER
      ),
    };
    const stop = new AbortController();
    const clock = fakeClock({ autoAdvance: how === "time" });
    const subscribed = transcribe(
      service(() => ear),
      "note.ogg",
      stop.signal,
      clock,
    );
    await begun.promise;
    if (how === "asked") stop.abort();
    assert.deepEqual(await subscribed, {
      ok: false,
      reason: how === "asked" ? "it was cancelled." : "mine did not finish in time.",
    });
    assert.equal(message?.aborted, true);
  }
});
