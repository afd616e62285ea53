import type { App } from "../../../contract/services/app.ts";
import type { PlatformCommand } from "../../../contract/providers/platform.ts";
import { CORE_COMMANDS } from "../../shared/commands/core-commands.ts";
import type { CoreSlashCommand, SlashHost } from "../../shared/commands/slash-host.ts";

/** The host functions that a chat offers to commands. */
const CAN: ReadonlySet<keyof SlashHost> = new Set(["switchSession", "chat", "yolo", "background", "notify"]);

/** Whether a chat can run a command: always, never, or if the named setting is on. */
export function inChats({
  cliOnly,
  needs,
  chatSetting,
}: Pick<CoreSlashCommand, "cliOnly" | "needs" | "chatSetting">): boolean | { readonly setting: string } {
  if (chatSetting !== undefined) return { setting: chatSetting };
  return !cliOnly && needs.every((need) => CAN.has(need));
}

/** The slash commands of a chat: built-in and from plugins. */
export function chatCommands({ commands, config }: Pick<App, "commands" | "config">): readonly PlatformCommand[] {
  const core = CORE_COMMANDS.filter((command) => {
    const there = inChats(command);
    return typeof there === "boolean" ? there : config.get(there.setting) === true;
  });
  return [...core, ...commands.list().filter(({ cliOnly }) => cliOnly !== true)].map(({ name, description }) => ({
    name,
    description,
  }));
}
