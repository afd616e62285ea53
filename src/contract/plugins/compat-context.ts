import type { Probe } from "../common/availability.ts";
import type { Json, JsonObject } from "../common/json.ts";
import type { CliIo } from "../conversation/command.ts";
import type { HookHandler, HookName } from "./hook.ts";
import type { AnyTool, SecretArgument } from "../tools/tool.ts";
import type { Slots } from "./slot.ts";

/** The original's names for the same functions; each is a thin alias. */
export interface CompatPluginContext {
  register_tool(tool: CompatTool): Disposable;
  register_hook<K extends HookName>(name: K, handler: NoInfer<HookHandler<K>>): Disposable;
  register_command(command: CompatCommand): Disposable;
  register_command(
    name: string,
    handler: CompatCommand["handler"],
    description?: string,
    args_hint?: string,
  ): Disposable;
  register_cli_command(command: CompatCliCommand): Disposable;
  register_cli_command(
    name: string,
    help?: string,
    setup_fn?: CompatCliCommand["setup_fn"],
    handler_fn?: CompatCliCommand["handler_fn"],
    description?: string,
  ): Disposable;
  register_skill(name: string, path: string, description?: string): Disposable;
  register_memory_provider(provider: Slots["memory"]): Disposable;
  register_context_engine(engine: Slots["context"]): Disposable;
  register_image_gen_provider(provider: Slots["image_gen"]): Disposable;
  register_platform(platform: Slots["platform"]): Disposable;
  register_provider(profile: Slots["model_profile"]): Disposable;
  register_video_gen_provider(provider: Slots["video_gen"]): Disposable;
  register_web_search_provider(provider: Slots["web"]): Disposable;
  register_browser_provider(provider: Slots["browser"]): Disposable;
  register_tts_provider(provider: Slots["tts"]): Disposable;
  register_transcription_provider(provider: Slots["stt"]): Disposable;
  /**
   * Sends the next input to the conversation of the current call, or else to the one opened last. Returns false and
   * logs if no turn would be visible: only an open `hermes` and chats show turns that no user started.
   */
  inject_message(content: string, role?: string): boolean;
  /** The call's result as the JSON string a model would read. */
  dispatch_tool(
    name: string,
    args: JsonObject,
    options?: {
      /** The agent that makes the call; default: the current agent. */ readonly parent_agent?: {
        readonly session_id: string;
      } | null;
    },
  ): Promise<string>;
}

/** A slash command with the original's names. */
export interface CompatCommand {
  readonly name: string;
  /** Receives the text after the command; returns the text to show. */
  readonly handler: (args: string) => string | void | Promise<string | void>;
  readonly description?: string;
  readonly args_hint?: string;
}

/** A subcommand of `hermes` with the original's names. */
export interface CompatCliCommand {
  readonly name: string;
  readonly help?: string;
  readonly description?: string;
  /** Adds its arguments; `setup` is the same. */
  readonly setup_fn?: (parser: CompatCliParser) => void;
  readonly setup?: (parser: CompatCliParser) => void;
  /** Receives the arguments by name; returns the exit status, nothing for 0. `handler` is the same. */
  readonly handler_fn?: CompatCliHandler;
  readonly handler?: CompatCliHandler;
}

export type CompatCliHandler = (
  args: { readonly [name: string]: Json },
  io: CliIo,
) => number | void | Promise<number | void>;

/** The part of argparse that a subcommand needs. */
export interface CompatCliParser {
  /** `add_argument("place", { help })`, `add_argument("--days", { type: "int", default: 3 })`. */
  add_argument(...names: readonly (string | CompatCliArgument)[]): void;
}

export interface CompatCliArgument {
  readonly help?: string;
  /** Default: text. */
  readonly type?: "str" | "int" | "float" | NumberConstructor | StringConstructor;
  readonly choices?: readonly string[];
  readonly default?: Json;
  readonly required?: boolean;
  /** `store_true`: an option without a value. */
  readonly action?: "store" | "store_true";
  /** `?`: the argument is optional. */
  readonly nargs?: "?";
  /** The name that the handler receives; default: the argument's name with `_` for `-`. */
  readonly dest?: string;
}

/** A tool in the original's format. The handler returns a JSON string. */
export interface CompatTool {
  readonly name: string;
  /** Default: the plugin's name. */
  readonly toolset?: string;
  /** Bare (`{ name, description, parameters }`) or wrapped (`{ type: "function", function: … }`). */
  readonly schema: JsonObject;
  readonly handler: (args: JsonObject, context: CompatToolContext) => string | Json | Promise<string | Json>;
  readonly check_fn?: (probe: Probe) => boolean | Promise<boolean>;
  /** For display; availability is `check_fn`'s alone. */
  readonly requires_env?: readonly string[];
  readonly is_async?: boolean;
  readonly description?: string;
  readonly emoji?: string;
  /** Sinks for `secret://NAME`. */
  readonly secrets?: readonly SecretArgument[];
  /**
   * Source of untrusted content in the result. Default: none, unless the tool requested an address through guarded
   * fetch.
   */
  readonly provenance?: AnyTool["provenance"];
}

/** Open on purpose: keys may be added at any time. */
export interface CompatToolContext {
  readonly task_id: string;
  readonly session_id: string;
  readonly tool_call_id: string;
  readonly signal: AbortSignal;
  /** A variable that `requires_env` or the plugin's manifest declares, from `.env` or the process. */
  env(name: string): string | undefined;
  readonly [key: string]: unknown;
}
