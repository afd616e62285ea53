import type { Clock } from "../../contract/common/clock.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import type { Transcript } from "../../contract/services/media-service.ts";
import { abortable } from "../../engine/async/abortable.ts";
import { bounded } from "../../engine/async/bounded.ts";
import type { SlotRegistry } from "../tools/slots.ts";
import { systemClock } from "../app/system-clock.ts";

/** The order if none is selected; plugins' services follow. */
const ORDER = ["local", "local_command", "groq", "openai", "mistral", "xai"];
const LONGEST_MS = 330_000;
const NEVER = new AbortController().signal;

/**
 * Transcribes a file with the service in `stt.provider`, otherwise with the first available one. Each has a time
 * limit, including loading, and is aborted when it or `signal` ends. Never rejects.
 */
export async function transcribe(
  slots: SlotRegistry,
  file: string,
  signal: AbortSignal = NEVER,
  clock: Clock = systemClock,
): Promise<Transcript> {
  const wanted = slots.chosen("stt");
  const all = slots.list("stt").map(({ id }) => id);
  const tried =
    wanted === undefined
      ? [...ORDER, ...all.filter((id) => !ORDER.includes(id))]
      : wanted === "local"
        ? ["local", "local_command"]
        : [wanted];
  for (const id of tried) {
    const stop = new AbortController();
    try {
      signal.throwIfAborted();
      const ended = await bounded(
        abortable(receivedBy(id, slots, file, AbortSignal.any([signal, stop.signal])), signal),
        LONGEST_MS,
        clock,
      );
      if (ended.kind !== "value") return { ok: false, reason: `${id} did not finish in time.` };
      if (ended.value === undefined) continue;
      const { success, transcript, error } = ended.value;
      return success === true && typeof transcript === "string"
        ? { ok: true, text: transcript }
        : { ok: false, reason: `${id}: ${typeof error === "string" ? error : "it gives no reason."}` };
    } catch (cause) {
      if (signal.aborted) return { ok: false, reason: "it was cancelled." };
      return { ok: false, reason: `${id}: ${cause instanceof Error ? cause.message : String(cause)}` };
    } finally {
      stop.abort();
    }
  }
  return {
    ok: false,
    reason:
      wanted === undefined
        ? "no speech-to-text service is set up; `hermes setup tts` shows the options."
        : `"${wanted}" (stt.provider) is not available: its key or its program is missing.`,
  };
}

/** Nothing by one that is not there or cannot be used. */
async function receivedBy(
  id: string,
  slots: SlotRegistry,
  file: string,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  const ear = await slots.get("stt", id)?.load();
  return ear === undefined || (await ear.is_available?.()) === false ? undefined : ear.transcribe(file, { signal });
}
