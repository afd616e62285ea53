import { CombinedAutocompleteProvider, type AutocompleteItem, type SlashCommand } from "@earendil-works/pi-tui";
import { coreCommands, pluginCommands } from "../../../shared/commands/core-commands.ts";
import type { SlashHost } from "../../../shared/commands/slash-host.ts";

/** Commands after a slash, their arguments after a space, paths anywhere. */
export function completionsOf(host: SlashHost): CombinedAutocompleteProvider {
  const own = coreCommands(host).map((command): SlashCommand => ({
    name: command.name,
    description: command.description,
    argumentHint: command.argsHint,
    getArgumentCompletions: async (prefix) => fitting(await command.complete?.(prefix, host), prefix),
  }));
  const plugins = pluginCommands(host).map((command): SlashCommand => ({
    name: command.name,
    description: command.description,
    argumentHint: command.argsHint ?? "",
    getArgumentCompletions: async (prefix) => fitting(await command.complete?.(prefix), prefix),
  }));
  return new CombinedAutocompleteProvider([...own, ...plugins], host.session().cwd);
}

/** Nothing once the word is whole, so that Enter sends it. */
function fitting(values: readonly string[] | undefined, prefix: string): AutocompleteItem[] | null {
  const found = (values ?? []).filter((value) => value.startsWith(prefix));
  return found.length === 0 || found.includes(prefix) ? null : found.map((value) => ({ value, label: value }));
}
