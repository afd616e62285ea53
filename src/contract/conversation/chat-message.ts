import type { JsonObject } from "../common/json.ts";

/**
 * A message of a conversation as providers outside the core read and write it: the form of OpenAI's chat completions,
 * texts only.
 */
export interface ChatMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string;
  /** In an assistant message: its tool calls. */
  readonly tool_calls?: readonly ChatCall[];
  /** In a tool message: the id of the call that it answers, and the name of the tool. */
  readonly tool_call_id?: string;
  readonly name?: string;
}

export interface ChatCall {
  readonly id: string;
  readonly type: "function";
  /** `arguments` is JSON text. */
  readonly function: { readonly name: string; readonly arguments: string };
}

/**
 * A tool of a provider, bare (`{ name, description, parameters }`) or wrapped (`{ type: "function", function: … }`).
 */
export type ProviderToolSchema = JsonObject;
