import type { FoundPlugin } from "../discovery/discovery.ts";

export interface BuiltInNames {
  /** A slash command of the agent's own. */
  command(name: string): boolean;
  /** A command of `hermes`. */
  cli(word: string): boolean;
  tool(name: string): boolean;
  /** The person said that this plugin may replace this built-in tool. */
  agreed(plugin: string, tool: string): boolean;
}

/**
 * Why a plugin may not register under these names: built-in tools are replaced only by one whose person agreed, built-in commands never.
 * `undefined`: it may.
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
    return `The slash command "/${name}" is built in; the one of the plugin "${key}" is not registered.`;
  if (kind === "cli")
    return `The command "hermes ${name}" is built in; the one of the plugin "${key}" is not registered.`;
  return `The plugin "${key}" would replace the built-in tool "${name}" and nobody agreed to that; its own is not registered.`;
}
