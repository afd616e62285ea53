import type { JsonObject } from "../common/json.ts";

/**
 * Who wrote a block of content that is neither the person's nor the agent's own. A block without it was written by whoever its fact names
 * (the origin of a message, the tool of a call).
 */
export interface Provenance {
  readonly trust: "foreign";
  /** The plugin whose tool or platform brought it in. */
  readonly owner: string;
  readonly tool?: string;
  /** Where it is from, as a person reads it: an address, a path, a sender. */
  readonly source: string;
  readonly host?: string;
  /** What was brought in lies on the disk now, too. */
  readonly kept?: true;
}

/** Words that strangers wrote, as whoever brings them in says it. */
export type UntrustedSource = Pick<Provenance, "source" | "host" | "kept">;

export interface TextPart {
  readonly type: "text";
  readonly text: string;
  readonly from?: Provenance;
}

/** An image by value. `data` is base64 without a `data:` prefix. */
export interface ImagePart {
  readonly type: "image";
  readonly mediaType: string;
  readonly data: string;
  readonly from?: Provenance;
}

/** What a model thought. `provider` holds what that provider needs to accept it again (signatures, encrypted items). */
export interface ReasoningPart {
  readonly type: "reasoning";
  readonly text: string;
  readonly provider?: JsonObject;
}

/** A call as the model wrote it: `args` is its own text, valid JSON or not; dispatch decodes it. `callId` is unique in its session. */
export interface ToolCallPart {
  readonly type: "tool-call";
  readonly callId: string;
  readonly tool: string;
  readonly args: string;
  readonly provider?: JsonObject;
}

/** What a person, a plugin or a tool result may consist of. */
export type Part = TextPart | ImagePart;

/** What a model's answer may consist of. */
export type AnswerPart = TextPart | ReasoningPart | ToolCallPart;

/** The words of some parts, joined; images leave nothing. */
export function textOf(parts: readonly { readonly type: string; readonly text?: string }[]): string {
  return parts.flatMap((part) => (part.type === "text" && part.text !== undefined ? [part.text] : [])).join("");
}
