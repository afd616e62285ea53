import { fingerprint } from "../../../contract/common/fingerprint.ts";
import type { PluginContext, PluginManifest } from "../../../contract/plugins/plugin.ts";
import { isForDeclarers } from "../../environment/secrets.ts";
import type { FoundPlugin } from "./discovery.ts";
import { haveChanged, lookupsOf } from "./lookups.ts";
import type { Recording, Registered } from "../registry/registered.ts";

type Variables = { get(name: string): string | undefined };

/** What a runtime reports about a registration: names of variables, and lookups as `[kind, name, found]`. */
export interface ReportedReads {
  readonly reads?: readonly string[];
  readonly lookups?: unknown;
}

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

const recorders = new WeakMap<PluginContext, (reported: ReportedReads) => void>();

/** Makes {@link noteReads} record what the plugin of that context looks up. */
export function recordReads(
  context: PluginContext,
  manifest: PluginManifest,
  recording: Recording,
  environment: Variables,
): void {
  recorders.set(context, ({ reads: names = [], lookups }) => {
    recording.reads.splice(
      0,
      Infinity,
      ...names
        .filter((name) => !CHANGES_ANYWAY.test(name))
        .map((name) => [name, printOf(name, manifest, environment)] as const),
    );
    recording.lookups.splice(0, Infinity, ...lookupsOf(lookups, environment.get("PATH")));
  });
}

/** What a plugin in another process looked up while it registered. */
export function noteReads(context: PluginContext, reported: ReportedReads): void {
  recorders.get(context)?.(reported);
}

/**
 * Whether the plugin may register something else today: a variable, program or file that it looked up has changed.
 * @param reload The user asked to reload, so that doubtful lookups count as changed.
 */
export function isOutdated(
  { reads = [], lookups = [] }: Partial<Pick<Registered, "reads" | "lookups">>,
  manifest: PluginManifest,
  environment: Variables,
  reload = false,
): boolean {
  return (
    reads.some(([name, print]) => printOf(name, manifest, environment) !== print) ||
    haveChanged(lookups, environment.get("PATH"), reload)
  );
}

/** Secrets that are set and that it looked up, but does not get because it does not declare them. */
export function withheldOf(
  registered: Pick<Registered, "reads"> | undefined,
  manifest: PluginManifest,
  environment: Variables,
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
function printOf(name: string, manifest: PluginManifest, environment: Variables): string {
  const value = environment.get(name);
  return value === undefined || (isForDeclarers(name, value) && !isDeclared(name, manifest))
    ? ""
    : fingerprint(value).slice(0, 6);
}

/** Variables of the terminal, the shell and the system. They differ from start to start and do not concern a plugin. */
const CHANGES_ANYWAY =
  /^(_|PATH|HOME|PWD|OLDPWD|SHLVL|USER|LOGNAME|SHELL|LANG|LANGUAGE|TZ|TMPDIR|TEMP|TMP|HOSTNAME|COLUMNS|LINES|TERM\w*|COLORTERM|NO_COLOR|FORCE_COLOR|DISPLAY|EDITOR|VISUAL|PAGER|CI|(LC|SSH|XDG|PYTHON|TMUX|VSCODE|GIT|NODE|NPM|npm|HERMES_SESSION)_?\w*)$/;
