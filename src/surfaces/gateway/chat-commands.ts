import type { App } from "../../contract/app.ts";
import type { PlatformCommand } from "../../contract/platform.ts";
import { CORE_COMMANDS } from "../commands/core-commands.ts";
import type { SlashHost } from "../commands/slash-host.ts";

/** What a chat can do for a command. */
const CAN: ReadonlySet<keyof SlashHost> = new Set(["switchSession", "chat"]);

/** The slash commands of a chat, the core's and those of plugins. */
export function chatCommands({ commands }: Pick<App, "commands">): readonly PlatformCommand[] {
  const core = CORE_COMMANDS.filter(({ cliOnly, needs }) => !cliOnly && needs.every((need) => CAN.has(need)));
  return [...core, ...commands.list().filter(({ cliOnly }) => cliOnly !== true)].map(({ name, description }) => ({ name, description }));
}
