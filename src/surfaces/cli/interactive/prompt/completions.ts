import {
  CombinedAutocompleteProvider,
  fuzzyFilter,
  type AutocompleteItem,
  type AutocompleteSuggestions,
} from "@earendil-works/pi-tui";
import { coreCommands, pluginCommands } from "../../../shared/commands/core-commands.ts";
import type { Completion, SlashHost } from "../../../shared/commands/slash-host.ts";
import { oneLine } from "../../../shared/display/printable.ts";
import { ProjectFiles } from "./project-files.ts";

const MAX_SHOWN = 20;

/** Commands after a slash, their arguments after a space, files of the project after `@`, paths anywhere. */
export class Completions extends CombinedAutocompleteProvider {
  readonly #host: SlashHost;
  readonly #files: ProjectFiles;

  constructor(host: SlashHost) {
    super([], host.session().cwd);
    this.#host = host;
    this.#files = new ProjectFiles(host.session().cwd);
  }

  override async getSuggestions(
    lines: string[],
    cursorLine: number,
    cursorColumn: number,
    options: { signal: AbortSignal; force?: boolean },
  ): Promise<AutocompleteSuggestions | null> {
    const before = (lines[cursorLine] ?? "").slice(0, cursorColumn);
    const file = /(?:^|[\s(])(@[^\s"]*)$/.exec(before)?.[1];
    if (file !== undefined) {
      const paths = await this.#files.matching(file.slice(1), MAX_SHOWN, options.signal);
      return paths.length === 0 ? null : { prefix: file, items: paths.map(fileItem) };
    }
    const [, name, args] = /^\/([\w-]*)(?: ([^]*))?$/.exec(before) ?? [];
    if (cursorLine > 0 || name === undefined) return super.getSuggestions(lines, cursorLine, cursorColumn, options);
    const items = args === undefined ? await this.#commands(name) : await this.#values(name, args);
    if (items.length > 0) return { prefix: args ?? before, items };
    return options.force === true ? super.getSuggestions(lines, cursorLine, cursorColumn, options) : null;
  }

  async #commands(query: string): Promise<AutocompleteItem[]> {
    const { skillCommands } = await import("../../../shared/commands/completions.ts");
    const all = [...coreCommands(this.#host), ...pluginCommands(this.#host)].map((command) => ({
      name: command.name,
      search: [command.name, ...(command.aliases ?? [])].join(" "),
      description: [command.argsHint ?? "", command.description].filter((text) => text !== "").join(" — "),
    }));
    const known = new Set(all.map(({ name }) => name));
    const skills = (await skillCommands(this.#host).catch(() => []))
      .filter(({ name }) => !known.has(name))
      .map(({ name, description }) => ({ name, search: name, description: `skill — ${oneLine(description)}` }));
    return fuzzyFilter([...all, ...skills], query, ({ search }) => search).map(({ name, description }) => ({
      value: name,
      label: name,
      description,
    }));
  }

  /** The values that fit what was typed of them. None once one is typed whole, so that Enter sends it. */
  async #values(name: string, args: string): Promise<AutocompleteItem[]> {
    const is = (command: { readonly name: string; readonly aliases?: readonly string[] }): boolean =>
      command.name === name || (command.aliases ?? []).includes(name);
    const core = coreCommands(this.#host).find(is);
    const all: readonly Completion[] =
      (await (core === undefined
        ? pluginCommands(this.#host).find(is)?.complete?.(args)
        : core.complete?.(args, this.#host))) ?? [];
    const values = all.map((one) => (typeof one === "string" ? { value: one, about: "" } : one));
    if (values.some(({ value }) => value === args)) return [];
    const begun = values.filter(({ value }) => value.startsWith(args));
    const found = begun.length > 0 ? begun : fuzzyFilter([...values], args, ({ value, about }) => `${value} ${about}`);
    return found.map(({ value, about }) => ({ value, label: oneLine(value), description: oneLine(about) }));
  }
}

function fileItem(path: string): AutocompleteItem {
  return { value: /\s/.test(path) ? `@"${path}"` : `@${path}`, label: path };
}
