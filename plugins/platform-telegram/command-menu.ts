import type { JsonObject, PlatformCommand } from "hermes-agent/plugin";

const MAX = 100;
const LONGEST_NAME = 32;
const LONGEST_DESCRIPTION = 256;

/** Commands for the bot's menu: lower-case letters, digits and `_`. Omits commands that cannot be written so. */
export function commandMenu(commands: readonly PlatformCommand[]): readonly JsonObject[] {
  const menu = new Map<string, string>();
  for (const { name, description } of commands) {
    const command = name.toLowerCase().replaceAll("-", "_");
    if (!/^[a-z][a-z0-9_]*$/.test(command) || command.length > LONGEST_NAME || menu.has(command)) continue;
    menu.set(command, description.trim().slice(0, LONGEST_DESCRIPTION) || name);
  }
  return [...menu].slice(0, MAX).map(([command, description]) => ({ command, description }));
}
