import type { CompatCliCommand, CompatCommand } from "../../../contract/plugins/compat-context.ts";
import type { PluginContext } from "../../../contract/plugins/plugin.ts";
import { fromCompat } from "../../../engine/tools/compat-tool.ts";
import { fromOriginalCli } from "./original-cli.ts";
import { unlessWrong } from "../registry/refused-registration.ts";

export interface OriginalPorts {
  /** The plugin's name. */
  readonly name: string;
  context(): PluginContext;
  /**
   * Receives the reason why something is not registered.
   * @returns the replacement.
   */
  refuse(reason: string): Disposable;
  /** @returns whether a conversation accepted the message. */
  inject(text: string): boolean;
  /** Text of the result, as a model would read it. */
  dispatch(
    tool: string,
    args: Parameters<PluginContext["dispatch_tool"]>[1],
    sessionId: string | undefined,
  ): Promise<string>;
}

const NOTHING: Disposable = { [Symbol.dispose]: () => undefined };

type Original = Extract<keyof PluginContext, `register_${string}` | "inject_message" | "dispatch_tool">;

/** The members under the names of the original. They do the same as those of the public entry point. */
export function originalMembers({
  name,
  context,
  refuse,
  inject,
  dispatch,
}: OriginalPorts): Pick<PluginContext, Original> {
  return {
    register_tool(tool) {
      const made = unlessWrong(refuse, () => fromCompat(tool, name));
      return made === undefined ? NOTHING : context().tool(made);
    },
    register_hook: (hook, handler) => context().hook(hook, handler),
    register_command(given: string | CompatCommand, run?: CompatCommand["handler"], about?: string, hint?: string) {
      const command =
        typeof given === "object" && given !== null
          ? given
          : { name: given, handler: run!, description: about, args_hint: hint };
      const { handler } = command;
      // A value that is not a function stays one, so that the registration reports it.
      return context().command({
        name: command.name,
        description: command.description || "Plugin command",
        argsHint: command.args_hint || undefined,
        run: typeof handler === "function" ? (args) => handler(args) : handler,
      });
    },
    register_cli_command(
      given: string | CompatCliCommand,
      help?: string,
      setup_fn?: CompatCliCommand["setup_fn"],
      handler_fn?: CompatCliCommand["handler_fn"],
      description?: string,
    ) {
      const command =
        typeof given === "object" && given !== null ? given : { name: given, help, setup_fn, handler_fn, description };
      const made = unlessWrong(refuse, () => fromOriginalCli(command));
      return made === undefined ? NOTHING : context().cli(made);
    },
    register_skill: (word, path, description) =>
      context().skill({ name: word, path, description: description || undefined }),
    register_memory_provider: (provider) => context().provide("memory", provider),
    register_context_engine: (engine) => context().provide("context", engine),
    register_image_gen_provider: (provider) => context().provide("image_gen", provider),
    register_platform: (platform) => context().provide("platform", platform),
    register_provider: (profile) => context().provide("model_profile", profile),
    register_video_gen_provider: (provider) => context().provide("video_gen", provider),
    register_web_search_provider: (provider) => context().provide("web", provider),
    register_browser_provider: (provider) => context().provide("browser", provider),
    register_tts_provider: (provider) => context().provide("tts", provider),
    register_transcription_provider: (provider) => context().provide("stt", provider),
    inject_message: (content, role = "user") => inject(role === "user" ? content : `[${role}] ${content}`),
    dispatch_tool: async (tool, args, { parent_agent } = {}) => dispatch(tool, args, parent_agent?.session_id),
  };
}
