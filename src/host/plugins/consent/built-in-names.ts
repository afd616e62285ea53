import type { FoundPlugin } from "../discovery/discovery.ts";

export interface BuiltInNames {
  /** A built-in slash command. */
  command(name: string): boolean;
  /** A command of `hermes`. */
  cli(word: string): boolean;
  tool(name: string): boolean;
  /** The user agreed that this plugin may replace this built-in tool. */
  agreed(plugin: string, tool: string): boolean;
}

/**
 * Why a plugin may not register under these names: it replaces a built-in tool only if the user agreed, and a built-in
 * command never. `undefined` if it may.
 */
export function refusedNames(
  { key, source }: Pick<FoundPlugin, "key" | "source">,
  kind: "tool" | "command" | "cli",
  names: readonly string[],
  builtIn: BuiltInNames,
): string | undefined {
  if (source === "bundled") return undefined;
  const name = names.find((one) => builtIn[kind](one) && !(kind === "tool" && builtIn.agreed(key, one)));
  if (name === undefined) return undefined;
  if (kind === "command")
    return `The slash command "/${name}" is built in, so the one of the plugin "${key}" is not registered.`;
  if (kind === "cli")
    return `The command "hermes ${name}" is built in, so the one of the plugin "${key}" is not registered.`;
  return `The plugin "${key}" would replace the built-in tool "${name}", and you did not agree to that, so its tool is not registered.`;
}
