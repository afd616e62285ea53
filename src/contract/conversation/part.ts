import type { JsonObject } from "../common/json.ts";

/**
 * The author of a content block, if it is neither the user nor the agent. Without it, the block's fact names the author
 * (the origin of a message, the tool of a call).
 */
export interface Provenance {
  readonly trust: "foreign";
  /** The plugin whose tool or platform brought it in. */
  readonly owner: string;
  readonly tool?: string;
  /** Where the content comes from, as shown to the user: an address, a path, a sender. */
  readonly source: string;
  readonly host?: string;
  /** The content was also saved to disk. */
  readonly kept?: true;
}

/** Untrusted content, as a tool or adapter reports it. */
export type UntrustedSource = Pick<Provenance, "source" | "host" | "kept">;

export interface TextPart {
  readonly type: "text";
  readonly text: string;
  readonly from?: Provenance;
  /** Of a model's answer: what its provider needs to accept it again (a signature). */
  readonly provider?: JsonObject;
}

/** An image by value. `data` is base64 without a `data:` prefix. */
export interface ImagePart {
  readonly type: "image";
  readonly mediaType: string;
  readonly data: string;
  readonly from?: Provenance;
}

/**
 * A model's reasoning. `provider` contains what that provider needs to accept it again (signatures, encrypted items).
 */
export interface ReasoningPart {
  readonly type: "reasoning";
  readonly text: string;
  readonly provider?: JsonObject;
}

/**
 * A call as the model wrote it: `args` is its own text, valid JSON or not; dispatch decodes it. `callId` is unique in
 * its session.
 */
export interface ToolCallPart {
  readonly type: "tool-call";
  readonly callId: string;
  readonly tool: string;
  readonly args: string;
  readonly provider?: JsonObject;
}

/** Content of a user, a plugin or a tool result. */
export type Part = TextPart | ImagePart;

/** Content of a model's answer. */
export type AnswerPart = TextPart | ReasoningPart | ToolCallPart;

/** The words of some parts, joined; images leave nothing. */
export function textOf(parts: readonly { readonly type: string; readonly text?: string }[]): string {
  return parts.flatMap((part) => (part.type === "text" && part.text !== undefined ? [part.text] : [])).join("");
}
