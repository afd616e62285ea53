import { fingerprint } from "../../../contract/common/fingerprint.ts";
import type { PluginContext, PluginManifest } from "../../../contract/plugins/plugin.ts";
import { isForDeclarers } from "../../environment/secrets.ts";
import type { FoundPlugin } from "./discovery.ts";
import type { Recording, Registered } from "../registry/registered.ts";

type Lookup = { get(name: string): string | undefined };

/** The plugin with the additional variables that the user gives it: `plugins.entries.NAME.env`. */
export function withGiven(plugin: FoundPlugin, config: { get(path: string): unknown }): FoundPlugin {
  const given = config.get(`plugins.entries.${plugin.key}.env`);
  if (!Array.isArray(given) || given.length === 0) return plugin;
  const names = given.filter((name): name is string => typeof name === "string");
  return {
    ...plugin,
    manifest: {
      ...plugin.manifest,
      optional_env: [...plugin.manifest.optional_env, ...names.map((name) => ({ name }))],
    },
  };
}

const recorders = new WeakMap<PluginContext, (names: readonly string[]) => void>();

/** Makes {@link noteReads} record the variables that the plugin of that context looks up. */
export function recordReads(
  context: PluginContext,
  manifest: PluginManifest,
  recording: Recording,
  environment: Lookup,
): void {
  recorders.set(context, (names) => {
    recording.reads.splice(
      0,
      Infinity,
      ...names
        .filter((name) => !CHANGES_ANYWAY.test(name))
        .map((name) => [name, printOf(name, manifest, environment)] as const),
    );
  });
}

/** Variables that a plugin in another process looked up while it registered. */
export function noteReads(context: PluginContext, names: readonly string[]): void {
  recorders.get(context)?.(names);
}

/** Whether the plugin may register something else today: a variable that it looked up has another value. */
export function isOutdated(
  { reads = [] }: Partial<Pick<Registered, "reads">>,
  manifest: PluginManifest,
  environment: Lookup,
): boolean {
  return reads.some(([name, print]) => printOf(name, manifest, environment) !== print);
}

/** Secrets that are set and that it looked up, but does not get because it does not declare them. */
export function withheldOf(
  registered: Pick<Registered, "reads"> | undefined,
  manifest: PluginManifest,
  environment: Lookup,
): readonly string[] {
  return (registered?.reads ?? []).flatMap(([name]) => {
    const value = environment.get(name);
    return value !== undefined && isForDeclarers(name, value) && !isDeclared(name, manifest) ? [name] : [];
  });
}

function isDeclared(name: string, { requires_env, optional_env }: PluginManifest): boolean {
  return [...requires_env, ...optional_env].some((need) => need.name === name);
}

/** Hash of the value as the plugin sees it, too short to reveal a secret. */
function printOf(name: string, manifest: PluginManifest, environment: Lookup): string {
  const value = environment.get(name);
  return value === undefined || (isForDeclarers(name, value) && !isDeclared(name, manifest))
    ? ""
    : fingerprint(value).slice(0, 6);
}

/** Variables of the terminal, the shell and the system. They differ from start to start and do not concern a plugin. */
const CHANGES_ANYWAY =
  /^(_|PATH|HOME|PWD|OLDPWD|SHLVL|USER|LOGNAME|SHELL|LANG|LANGUAGE|TZ|TMPDIR|TEMP|TMP|HOSTNAME|COLUMNS|LINES|TERM\w*|COLORTERM|NO_COLOR|FORCE_COLOR|DISPLAY|EDITOR|VISUAL|PAGER|CI|(LC|SSH|XDG|PYTHON|TMUX|VSCODE|GIT|NODE|NPM|npm|HERMES_SESSION)_?\w*)$/;
