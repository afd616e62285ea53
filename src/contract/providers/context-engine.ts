import type { ChatMessage, ProviderToolSchema } from "../conversation/chat-message.ts";
import type { JsonObject } from "../common/json.ts";
import type { NamedProvider } from "../plugins/provider.ts";

/**
 * Slot `context`: decides when a conversation is shortened, and shortens it. One is in use, chosen by `context.engine`;
 * the built-in `compressor` is one like any other. The system prompt, the working directory and the project's notes are
 * not its business: they are put before whatever it returns. So is what outlives every compaction word for word: the
 * first and the last instruction, open to-dos, approvals, refusals, interrupted calls, and files that were changed.
 */
export interface ContextEngine extends NamedProvider {
  /**
   * Share of the model's window below which it has nothing to decide; it is not asked, and not even loaded. Default 0.
   */
  readonly asked_from?: number;
  /** Asked before a request. */
  should_compress(messages: readonly ChatMessage[], model: string, about: ContextState): boolean | Promise<boolean>;
  /**
   * Returns the conversation, shortened. Trailing messages returned unchanged stay verbatim, with their pictures; the
   * messages before them are stored as returned. Calls and results that lost their counterpart are dropped. If it
   * throws, the conversation stays unchanged.
   */
  compress(
    messages: readonly ChatMessage[],
    model: string,
    about: CompressRequest,
  ): readonly ChatMessage[] | Promise<readonly ChatMessage[]>;
  on_session_start?(session_id: string, about: { readonly platform: string }): void | Promise<void>;
  on_session_end?(session_id: string, messages: readonly ChatMessage[]): void | Promise<void>;
  /** The tokens that the last request used. */
  update_from_response?(usage: JsonObject): void | Promise<void>;
  /** The model that is in use now. */
  update_model?(about: {
    readonly model: string;
    readonly context_length: number;
    readonly provider: string;
  }): void | Promise<void>;
  get_tool_schemas?(): readonly ProviderToolSchema[] | Promise<readonly ProviderToolSchema[]>;
  handle_tool_call?(
    tool_name: string,
    args: JsonObject,
    about: { readonly session_id: string; readonly messages: readonly ChatMessage[] },
  ): string | Promise<string>;
}

export interface ContextState {
  readonly session_id: string;
  /** Of the next request, counted or estimated, system prompt and tools included. */
  readonly prompt_tokens: number;
  /** Of these, what no context engine can shorten: system prompt, tools, what is put before the conversation. */
  readonly fixed_tokens?: number;
  /** The model's window. */
  readonly context_length: number;
  /** The share of it that an answer may take; 0 if not set. */
  readonly max_output_tokens: number;
  readonly compression_count: number;
}

export interface CompressRequest extends ContextState {
  readonly current_tokens: number;
  /** Topic that `/compress TOPIC` wants to keep. */
  readonly focus_topic: string | null;
  /** The user requested it, or the conversation no longer fits. */
  readonly force: boolean;
  /** Text of the memory provider that the summary must include; "" for none. */
  readonly memory_context: string;
  /** How many of the first and last messages the built-in engine keeps, instead of its settings. */
  readonly keep?: { readonly first?: number; readonly last?: number };
  readonly signal: AbortSignal;
  /**
   * Asks the model for side tasks (`auxiliary.compression`), else the one in use. Rejects with a sentence. Not given to
   * engines in another process.
   */
  ask(question: { readonly system: string; readonly text: string; readonly maxOutputTokens: number }): Promise<string>;
}
