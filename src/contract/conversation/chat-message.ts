import type { JsonObject } from "../common/json.ts";

/**
 * A message of a conversation as providers outside the core read and write it: the form of OpenAI's chat completions,
 * texts only.
 */
export interface ChatMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string;
  /** Of an assistant. */
  readonly tool_calls?: readonly ChatCall[];
  /** Of a tool: the call it answers, and the tool's name. */
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
