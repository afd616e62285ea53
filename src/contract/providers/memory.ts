import type { ChatMessage, ProviderToolSchema } from "../conversation/chat-message.ts";
import type { CliCommand } from "../conversation/command.ts";
import type { JsonObject } from "../common/json.ts";
import type { NamedProvider } from "../plugins/provider.ts";

/**
 * Slot `memory`: knowledge that outlives sessions. One is in use, chosen by `memory.provider`, and only while it says
 * it is available. A method that throws or takes too long costs the turn nothing but what it would have given.
 */
export interface MemoryProvider extends NamedProvider {
  is_available(): boolean | Promise<boolean>;
  /** Once for each session, before anything else about it. */
  initialize(session_id: string, about: MemorySession): void | Promise<void>;
  /** Text that joins the system prompt when a session begins; it stays the same for the session. */
  system_prompt_block?(): string | Promise<string>;
  /**
   * Memories that are relevant to the message. They join this turn's requests beside the message, fenced as data, and
   * are not stored. 8 s at most.
   */
  prefetch?(
    query: string,
    about: { readonly session_id: string },
  ): string | null | undefined | Promise<string | null | undefined>;
  /** After a turn: time to get ready for the next one. */
  queue_prefetch?(query: string, about: { readonly session_id: string }): void | Promise<void>;
  /** A turn ended with `done`. Runs in the background: the user already has the answer. */
  sync_turn?(
    user_message: string,
    assistant_response: string,
    about: { readonly session_id: string; readonly messages: readonly ChatMessage[] },
  ): void | Promise<void>;
  on_turn_start?(
    turn_number: number,
    message: string,
    about: { readonly session_id: string; readonly model: string; readonly platform: string },
  ): void | Promise<void>;
  /**
   * The agent's own notes were changed by its `memory` tool; runs behind the call. `content` of a removal is what the
   * entry was found by.
   */
  on_memory_write?(
    action: "add" | "replace" | "remove",
    target: "memory" | "user",
    content: string,
  ): void | Promise<void>;
  /** The conversation is put away. */
  on_session_end?(messages: readonly ChatMessage[]): void | Promise<void>;
  /** Before a conversation is shortened. The summariser receives the returned text. */
  on_pre_compress?(messages: readonly ChatMessage[]): string | null | undefined | Promise<string | null | undefined>;
  /** Tools of the memory provider; Hermes offers them with the toolset `memory`. */
  get_tool_schemas?(): readonly ProviderToolSchema[] | Promise<readonly ProviderToolSchema[]>;
  /** JSON text. */
  handle_tool_call?(
    tool_name: string,
    args: JsonObject,
    about: { readonly session_id: string },
  ): string | Promise<string>;
  /** Settings that it needs; `hermes memory setup` asks for them. */
  get_config_schema?(): readonly MemoryField[] | Promise<readonly MemoryField[]>;
  /** Saves the answers that are not secrets in its own store. */
  save_config?(values: JsonObject, hermes_home: string): void | Promise<void>;
  shutdown?(): void | Promise<void>;
}

export interface MemoryField {
  readonly key: string;
  readonly description?: string;
  readonly required?: boolean;
  /** The answer is not shown, and is kept in `.env` alone. */
  readonly secret?: boolean;
  /** The variable of `.env` that holds the answer. */
  readonly env_var?: string;
  readonly url?: string;
  readonly default?: string | number | boolean;
  readonly choices?: readonly string[];
  /** Asked only when these answers were given before. */
  readonly when?: JsonObject;
}

export interface MemorySession {
  /** The profile's own home: nothing is shared between profiles. */
  readonly hermes_home: string;
  readonly platform: string;
  /** The profile that the memories belong to. */
  readonly agent_identity: string;
  readonly agent_context: "primary";
  readonly agent_workspace: "hermes";
}

/**
 * What `cli.ts` of a memory provider's plugin exports as `register_cli`: its commands, which are there as `hermes
 * PROVIDER COMMAND` while it is the provider in use. `cli.py` gets an argparse parser.
 */
export type RegisterCli = (
  subparser: { command(command: CliCommand): void },
  about: { readonly home: string; readonly config: JsonObject; env(name: string): string | undefined },
) => void;
