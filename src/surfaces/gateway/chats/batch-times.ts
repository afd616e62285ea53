import type { JsonObject } from "../../../contract/common/json.ts";
import type { TextBatch } from "../../../contract/providers/platform-offers.ts";
import type { PlatformMessage } from "../../../contract/providers/platform.ts";

/** Delays in milliseconds; 0 joins nothing. */
export interface BatchTimes {
  readonly delayMs: number;
  readonly splitMs: number;
  /** From this length a text counts as split by its client. */
  readonly splitLength: number;
  readonly shortDelays: readonly (readonly [maxLength: number, ms: number])[];
  readonly mediaMs: number;
}

const MAX_DELAY_SECONDS = 10;
const MAX_SPLIT_SECONDS = 30;
const MEDIA_SECONDS = 0.8;
const SPLIT_LENGTH = 4_000;

/**
 * The delays of a platform: `HERMES_PLATFORM_TEXT_BATCH_DELAY_SECONDS` and `…_SPLIT_DELAY_SECONDS` win over
 * `text_batch_delay_seconds` and `text_batch_split_delay_seconds` of its settings, which win over the plugin's defaults.
 * An invalid value has no effect.
 * @param name The platform's name.
 */
export function batchTimes(
  name: string,
  declared: TextBatch | undefined,
  extra: JsonObject,
  variable: (name: string) => string | undefined,
): BatchTimes {
  const prefix = `HERMES_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}_TEXT_BATCH`;
  const ms = (which: "delay" | "split_delay", usual: number, most: number): number => {
    const given = variable(`${prefix}_${which.toUpperCase()}_SECONDS`) ?? extra[`text_batch_${which}_seconds`];
    const seconds = given === undefined || given === null || given === "" ? Number.NaN : Number(given);
    return (seconds >= 0 ? Math.min(seconds, most) : usual) * 1_000;
  };
  const delayMs = ms("delay", declared?.delay_seconds ?? 0, declared?.max_delay_seconds ?? MAX_DELAY_SECONDS);
  return {
    delayMs,
    // A delay of 0 switches joining off, also of split texts.
    splitMs:
      delayMs === 0
        ? 0
        : ms(
            "split_delay",
            declared?.split_delay_seconds ?? delayMs / 1_000,
            declared?.max_split_delay_seconds ?? MAX_SPLIT_SECONDS,
          ),
    splitLength: declared?.split_length ?? SPLIT_LENGTH,
    shortDelays: (declared?.short_delays ?? []).map(([length, seconds]) => [length, seconds * 1_000]),
    mediaMs: (declared?.media_delay_seconds ?? MEDIA_SECONDS) * 1_000,
  };
}

/** How long a message waits for others that belong to it. */
export function batchDelayMs(
  { text, media_group_id }: Pick<PlatformMessage, "text" | "media_group_id">,
  { delayMs, splitMs, splitLength, shortDelays, mediaMs }: BatchTimes,
): number {
  if (media_group_id !== undefined) return mediaMs;
  if (delayMs === 0) return 0;
  if (text.length >= splitLength) return splitMs;
  const short = shortDelays.find(([length]) => text.length <= length)?.[1];
  return short === undefined ? delayMs : Math.min(short, delayMs);
}
