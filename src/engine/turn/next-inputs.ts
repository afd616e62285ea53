import { UserError } from "../../contract/common/failure.ts";
import { wellFormed } from "../../contract/common/well-formed.ts";
import type { Part } from "../../contract/conversation/part.ts";
import type { QueuedInput } from "../transcript/transcript.ts";

/**
 * The inputs of the next turn: the one that stopped a turn (`urgent`), else the oldest, with all steering that came too
 * late.
 */
export function nextInputs(waiting: Iterable<QueuedInput>, urgent: string | undefined): readonly QueuedInput[] {
  const queued = [...waiting];
  const first = queued.find((input) => input.inputId === urgent) ?? queued[0];
  if (first === undefined) return [];
  if (first.mode !== "steer") return [first];
  const end = queued.findIndex((input) => input.mode !== "steer");
  return queued.slice(0, end < 0 ? queued.length : end);
}

/**
 * Input as it may be stored: whole characters, and something in it.
 * @throws {UserError} when there is nothing in it.
 */
export function cleanParts(input: string | readonly Part[]): readonly Part[] {
  const parts = typeof input === "string" ? [{ type: "text" as const, text: input }] : input;
  const whole = wellFormed(parts);
  if (!whole.some((part) => part.type !== "text" || part.text.trim() !== ""))
    throw new UserError("The message is empty.", { hint: "Enter a text or attach a file." });
  return whole;
}
