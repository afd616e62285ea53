import type { JsonObject, PlatformCommand } from "hermes-agent/plugin";

/** The slash commands that Discord can register: at most 100, each with one optional text. */
export function commandMenu(commands: readonly PlatformCommand[]): readonly JsonObject[] {
  return commands
    .filter(({ name }) => /^[-_a-z0-9]{1,32}$/.test(name))
    .slice(0, 100)
    .map(({ name, description }) => ({
      name,
      description: (description || name).slice(0, 100),
      type: 1,
      options: [{ type: 3, name: "args", description: "What follows the command", required: false }],
    }));
}
