import { resolve } from "node:path";
import type { ToolCall, ToolCallContent, ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk/unstable";
import type { Effect } from "../../contract/tools/effect.ts";
import { isObject } from "../../contract/common/is-object.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import { shownOf, type SettledOutcome } from "../../contract/tools/outcome.ts";
import { textOf } from "../../contract/conversation/part.ts";
import { endingOf } from "../shared/display/call-ending.ts";
import { subjectOf } from "../shared/display/call-subject.ts";
import { oneLine } from "../shared/display/printable.ts";
import { changedPlaces } from "./changed-locations.ts";
import { fence } from "./prompt-parts.ts";

/** A call as an editor shows it: a card with a title, a kind, its files and its result. */
export interface ShownCall {
  readonly callId: string;
  readonly tool: string;
  readonly args: JsonObject | undefined;
  /** The tool's declared effect; decides the kind. */
  readonly effect: Effect;
  /** Previous content of the file that the call writes completely; `null` if there was no file. */
  readonly before?: string | null;
}

const TITLE_CHARS = 160;
const TEXT_CHARS = 5_000;
/** With more changed places the card shows the file's text. */
const MAX_PLACES = 40;
const KIND: { readonly [effect in Effect]: ToolKind } = {
  none: "other",
  read: "read",
  write: "edit",
  execute: "execute",
  network: "fetch",
};

/** The card when the call starts, and in an approval dialog. */
export function beganCall(
  call: ShownCall,
  cwd: string,
): Pick<ToolCall, "toolCallId" | "title" | "name" | "kind" | "locations" | "rawInput"> {
  const { callId, tool, args, effect } = call;
  const looks =
    effect === "read" && args !== undefined && ["pattern", "query"].some((key) => typeof args[key] === "string");
  return {
    toolCallId: callId,
    title: titleOf(tool, args),
    name: tool,
    kind: looks ? "search" : KIND[effect],
    locations: placesOf(args, cwd),
    rawInput: args,
  };
}

/** The card when the call has ended. */
export function endedCall(
  call: ShownCall,
  outcome: SettledOutcome,
  cwd: string,
): { readonly content: ToolCallContent[]; readonly locations: ToolCallLocation[] } {
  const parts = shownOf(outcome);
  const text = textOf(parts);
  const fields = fieldsOf(text);
  const changed = outcome.kind !== "ok" ? [] : changedBy(call, fields, cwd);
  const images = parts.flatMap((part): ToolCallContent[] =>
    part.type === "image"
      ? [{ type: "content", content: { type: "image", mimeType: part.mediaType, data: part.data } }]
      : [],
  );
  const words = changed.length > 0 ? [] : wordsOf(outcome, text, fields);
  return {
    content: [
      ...changed.map(({ diff }) => diff),
      ...words.map((word): ToolCallContent => ({ type: "content", content: { type: "text", text: word } })),
      ...images,
    ],
    locations:
      changed.length === 0 ? placesOf(call.args, cwd) : changed.map(({ diff: { path }, line }) => ({ path, line })),
  };
}

/** The change that an edit would make, as far as its arguments show it. */
export function proposedChange({ args, before, effect }: ShownCall, cwd: string): ToolCallContent[] {
  const { path, old_string: oldText, new_string: newText, content } = args ?? {};
  if (effect !== "write" || typeof path !== "string") return [];
  const place = resolve(cwd, path);
  if (typeof oldText === "string" && typeof newText === "string")
    return [{ type: "diff", path: place, oldText, newText }];
  return typeof content === "string" && before !== undefined
    ? [{ type: "diff", path: place, oldText: before, newText: content }]
    : [];
}

function titleOf(tool: string, args: JsonObject | undefined): string {
  const subject = subjectOf(args);
  return oneLine(subject === "" ? tool : `${tool}: ${subject}`).slice(0, TITLE_CHARS);
}

function placesOf(args: JsonObject | undefined, cwd: string): ToolCallLocation[] {
  const { path, offset } = args ?? {};
  if (typeof path !== "string" || path === "" || path.startsWith("~")) return [];
  return [{ path: resolve(cwd, path), line: typeof offset === "number" && offset > 0 ? offset : undefined }];
}

/** The change from the tool's diff, else from the whole text that it wrote. */
function changedBy(call: ShownCall, { diff }: JsonObject, cwd: string): ReturnType<typeof changedPlaces> {
  const places = typeof diff === "string" ? changedPlaces(diff, cwd, placesOf(call.args, cwd)[0]?.path) : [];
  if (places.length > 0) return places.slice(0, MAX_PLACES);
  return proposedChange(call, cwd).flatMap((one) => (one.type === "diff" ? [{ diff: one, line: 1 }] : []));
}

function wordsOf(outcome: SettledOutcome, text: string, fields: JsonObject): readonly string[] {
  const { text: ending } = endingOf(outcome);
  if (outcome.kind !== "ok") return [ending];
  const message = [fields["output"], fields["content"]].find((value) => typeof value === "string") ?? text;
  const shown =
    String(message).length > TEXT_CHARS
      ? `${String(message).slice(0, TEXT_CHARS).toWellFormed()}\n… ${String(message).length - TEXT_CHARS} more characters`
      : String(message);
  return [...(shown.trim() === "" ? [] : [fence(shown)]), ...(ending === "" ? [] : [ending])];
}

function fieldsOf(text: string): JsonObject {
  if (!text.startsWith("{")) return {};
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {}; // Truncated, or not JSON.
  }
}
