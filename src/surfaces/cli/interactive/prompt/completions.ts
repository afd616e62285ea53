import {
  CombinedAutocompleteProvider,
  type AutocompleteItem,
  type AutocompleteSuggestions,
  type SlashCommand,
} from "@earendil-works/pi-tui";
import { coreCommands, pluginCommands } from "../../../shared/commands/core-commands.ts";
import type { SlashHost } from "../../../shared/commands/slash-host.ts";
import { ProjectFiles } from "./project-files.ts";

const MAX_FILES_SHOWN = 20;

/** Commands after a slash, their arguments after a space, files of the project after `@`, paths anywhere. */
export class Completions extends CombinedAutocompleteProvider {
  readonly #files: ProjectFiles;

  constructor(host: SlashHost) {
    super(commandsOf(host), host.session().cwd);
    this.#files = new ProjectFiles(host.session().cwd);
  }

  override async getSuggestions(
    lines: string[],
    cursorLine: number,
    cursorColumn: number,
    options: { signal: AbortSignal; force?: boolean },
  ): Promise<AutocompleteSuggestions | null> {
    const before = (lines[cursorLine] ?? "").slice(0, cursorColumn);
    const prefix = /(?:^|[\s(])(@[^\s"]*)$/.exec(before)?.[1];
    if (prefix === undefined) return super.getSuggestions(lines, cursorLine, cursorColumn, options);
    const paths = await this.#files.matching(prefix.slice(1), MAX_FILES_SHOWN, options.signal);
    return paths.length === 0 ? null : { prefix, items: paths.map(fileItem) };
  }
}

function fileItem(path: string): AutocompleteItem {
  return { value: /\s/.test(path) ? `@"${path}"` : `@${path}`, label: path };
}

function commandsOf(host: SlashHost): SlashCommand[] {
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
  return [...own, ...plugins];
}

/** Nothing once the word is whole, so that Enter sends it. */
function fitting(values: readonly string[] | undefined, prefix: string): AutocompleteItem[] | null {
  const found = (values ?? []).filter((value) => value.startsWith(prefix));
  return found.length === 0 || found.includes(prefix) ? null : found.map((value) => ({ value, label: value }));
}
