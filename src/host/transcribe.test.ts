import assert from "node:assert/strict";
import { test } from "node:test";
import { fakeClock } from "../testing/fake-clock.ts";
import type { SlotDesk } from "./slots.ts";
import { transcribe } from "./transcribe.ts";

const NEVER = new Promise<never>(() => undefined);

const desk = (load: () => unknown) => ({ chosen: () => "mine", list: () => [{ id: "mine" }], get: () => ({ load }) }) as unknown as SlotDesk;

test("an ear that is not loaded, does not say whether it can or does not end is given up after its time", async () => {
  for (const load of [() => NEVER, () => ({ is_available: () => NEVER }), () => ({ transcribe: () => NEVER })]) {
    assert.deepEqual(await transcribe(desk(load), "note.ogg", fakeClock({ autoAdvance: true })), { ok: false, reason: "mine did not end in time." });
  }
  assert.deepEqual(await transcribe(desk(() => ({ is_available: () => true, transcribe: () => ({ success: true, transcript: "said" }) })), "note.ogg"), { ok: true, text: "said" });
});
