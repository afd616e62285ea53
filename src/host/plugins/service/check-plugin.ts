import { readFileSync } from "node:fs";
import { HOOK_KINDS } from "../../../contract/plugins/hook.ts";
import type { PluginProblem } from "../../../contract/services/plugin-service.ts";
import type { JsonObject } from "../../../contract/common/json.ts";
import type { Logger } from "../../../contract/common/logger.ts";
import type { ToolDeclaration } from "../../../contract/tools/tool.ts";
import { absentPart } from "../discovery/absent-part.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";
import { isBreach } from "../registry/contract-breach.ts";
import { missingKind } from "../discovery/kind-guess.ts";
import { readManifest } from "../discovery/manifest.ts";
import { entryText, manifestFile } from "../discovery/plugin-files.ts";
import { brokenPromises, isEmpty, type Registered } from "../registry/registered.ts";
import { wrongPackages } from "../packages/wrong-package.ts";

export interface CheckPorts {
  /** Why there is nothing to run, if so. */
  lack(plugin: FoundPlugin): string | undefined;
  /** Why its content may not run. */
  refusal(plugin: FoundPlugin): string | undefined;
  /** Members of its context that it names and cannot have, in sentences. */
  refused(plugin: FoundPlugin): Promise<readonly string[]>;
  /** Runs `register` apart from everything else. */
  record(plugin: FoundPlugin, log: Logger): Promise<Registered>;
  env(name: string): string | undefined;
  /** Secrets that are set, that its code asks for, and that it is not given. */
  withheld(plugin: FoundPlugin, registered: Registered): Promise<readonly string[]>;
  /** Who has the tool or command of that name beside the plugin of that key, if anybody. */
  holder(kind: "tool" | "command" | "cli", name: string, key: string): string | undefined;
  /** It is part of the agent itself. */
  isBuiltIn(kind: "tool" | "command" | "cli", name: string): boolean;
  /** A person agreed that it replaces this built-in tool. */
  mayReplace(plugin: FoundPlugin, tool: string): boolean;
}

/**
 * Everything that is wrong with a plugin, and what is only worth knowing.
 * @param runs Whether its `register` may be run for that: otherwise what its files say is all there is to check.
 */
export async function checkPlugin(
  plugin: FoundPlugin,
  ports: CheckPorts,
  runs: boolean,
): Promise<readonly PluginProblem[]> {
  if (plugin.broken !== undefined) return [error(plugin.broken)];
  const problems: PluginProblem[] = [
    ...(await ofManifest(plugin)),
    ...ofNeeds(plugin, ports),
    ...(await ofSkills(plugin)),
    ...wrongPackages(plugin.dir).map(warning),
    ...(await ports.refused(plugin)).map(warning),
  ];
  const lack = ports.lack(plugin);
  const refusal = ports.refusal(plugin);
  if (lack !== undefined) return [...problems, error(lack)];
  if (refusal !== undefined) return [...problems, error(refusal)];
  if (!runs)
    return [
      ...problems,
      warning(`Its code was not run, since it is not enabled: \`hermes plugins check ${plugin.key}\` runs it.`),
    ];
  const output: PluginProblem[] = [];
  try {
    const registered = await ports.record(plugin, listening(output));
    return unique([
      ...problems,
      ...output,
      ...ofSecrets(plugin, await ports.withheld(plugin, registered)),
      ...ofNothing(registered),
      ...ofPromises(plugin, registered),
      ...registered.refused.map(error),
      ...registered.tools.flatMap(ofTool),
      ...ofCollisions(plugin, registered, ports),
    ]);
  } catch (cause) {
    // What was logged on the way says the same with less of the place.
    const absent = absentPart(cause);
    return unique([
      ...problems,
      error(`register() failed: ${withoutFrame(cause)}${absent === undefined ? "" : ` - ${absent}`}`),
    ]);
  }
}

const error = (text: string): PluginProblem => ({ level: "error", text });
const warning = (text: string): PluginProblem => ({ level: "warning", text });

async function ofManifest({ dir, manifest, module }: FoundPlugin): Promise<readonly PluginProblem[]> {
  const file = manifestFile(dir);
  const problems: PluginProblem[] = [];
  if (file !== undefined) {
    const text = readFileSync(file, "utf8");
    const { warnings, unused, notes } = await readManifest(text, file, dir);
    problems.push(...warnings.map(error), ...unused.map(error), ...notes.map(warning));
    if (text.replaceAll(/^\s*(#.*|---.*)?$/gm, "").trim() === "")
      return [error(`${file}: it is empty. It says at least \`name\`, \`version\` and \`description\`.`)];
    if (!/^["']?name["']?\s*:/m.test(text))
      problems.push(warning(`${file}: there is no "name", so the folder's is taken.`));
  }
  if (manifest.version === "") problems.push(warning(`${file ?? dir}: there is no "version".`));
  if (manifest.description === "") problems.push(warning(`${file ?? dir}: there is no "description".`));
  const kind = module === undefined ? missingKind(manifest, entryText(dir)) : undefined;
  if (kind !== undefined) problems.push(error(kind));
  return problems;
}

/** What would keep it from being installed elsewhere, or have a person asked. */
async function ofSkills({ dir }: FoundPlugin): Promise<readonly PluginProblem[]> {
  const { doubtfulSkills } = await import("../install/scan-skills.ts");
  const skills = await doubtfulSkills(dir);
  return skills.flatMap(({ name, verdict, reasons }) =>
    reasons.map((reason) =>
      (verdict === "dangerous" ? error : warning)(
        `The skill "${name}" ${verdict === "dangerous" ? "is dangerous" : "should be looked at"}: ${reason}`,
      ),
    ),
  );
}

function ofNeeds({ manifest }: FoundPlugin, ports: CheckPorts): readonly PluginProblem[] {
  const missing = manifest.requires_env.filter(({ name }) => ports.env(name) === undefined);
  return missing.length === 0
    ? []
    : [warning(`Plugin ${manifest.name} disabled (missing: ${missing.map(({ name }) => name).join(", ")})`)];
}

function ofSecrets({ key }: FoundPlugin, withheld: readonly string[]): readonly PluginProblem[] {
  const names = withheld.join(", ");
  return withheld.length === 0
    ? []
    : [
        warning(
          `Its code asks for ${names}, which is set and not given to it, since its manifest does not name it: \`optional_env: [${names}]\` there, or hermes config set plugins.entries.${key}.env '${JSON.stringify(withheld)}'.`,
        ),
      ];
}

/** What it registers may hang on variables that it looked up. */
function ofNothing(registered: Registered): readonly PluginProblem[] {
  if (!isEmpty(registered)) return [];
  const read = [...new Set(registered.reads.map(([name]) => name))];
  return [
    read.length === 0
      ? error("register() registers nothing: no tool, hook, command, skill or provider.")
      : warning(`register() registers nothing with these variables as they are: ${read.join(", ")}.`),
  ];
}

function ofPromises({ key, manifest }: FoundPlugin, registered: Registered): readonly PluginProblem[] {
  const hooks = [...new Set(registered.hooks.map(({ name }) => name))].filter((name) =>
    Object.hasOwn(HOOK_KINDS, name),
  );
  const undeclared = [
    ...(manifest.provides_tools.length === 0 && registered.tools.length > 0
      ? [`provides_tools: [${[...new Set(registered.tools.map(({ name }) => name))].join(", ")}]`]
      : []),
    ...(manifest.provides_hooks.length === 0 && hooks.length > 0 ? [`provides_hooks: [${hooks.join(", ")}]`] : []),
  ];
  return [
    ...brokenPromises(key, manifest, registered).map(error),
    ...undeclared.map((line) => warning(`The manifest could say, for whoever installs it: ${line}`)),
  ];
}

/** What a model would stumble over. */
function ofTool({ name, description, dynamicDescription, input }: ToolDeclaration): readonly PluginProblem[] {
  const properties = Object.entries((input["properties"] ?? {}) as { readonly [key: string]: JsonObject });
  return [
    ...(description.trim() === "" && !dynamicDescription
      ? [error(`The tool "${name}" has no description: a model cannot know when to call it.`)]
      : []),
    ...properties
      .filter(([, schema]) => typeof schema["description"] !== "string" && schema["enum"] === undefined)
      .map(([key]) => warning(`The parameter "${key}" of the tool "${name}" has no description.`)),
  ];
}

function ofCollisions(plugin: FoundPlugin, registered: Registered, ports: CheckPorts): readonly PluginProblem[] {
  const problems: PluginProblem[] = [];
  const ask = (kind: "tool" | "command" | "cli", names: readonly string[], word: string): void => {
    for (const [at, name] of names.entries()) {
      const holder = ports.holder(kind, name, plugin.key);
      if (names.indexOf(name) !== at) problems.push(error(`The ${word} "${name}" is registered twice.`));
      else if (ports.isBuiltIn(kind, name)) {
        if (kind !== "tool") problems.push(error(`The ${word} "${name}" is built in and cannot be taken.`));
        else if (!ports.mayReplace(plugin, name))
          problems.push(
            error(
              `The ${word} "${name}" is built in; \`hermes plugins enable ${plugin.key}\` asks whether it may replace it; \`--allow-tool-override\` says so.`,
            ),
          );
      } else if (holder !== undefined && holder !== plugin.key)
        problems.push(error(`The ${word} "${name}" is also registered by the plugin "${holder}".`));
    }
  };
  ask(
    "tool",
    registered.tools.map(({ name }) => name),
    "tool",
  );
  ask(
    "command",
    registered.commands.map(({ name }) => name),
    "slash command",
  );
  ask(
    "cli",
    registered.cli.map(({ name }) => name),
    "command",
  );
  const providers = registered.providers.map(({ slot, id }) => `${slot}/${id}`);
  for (const name of new Set(providers.filter((one, at) => providers.indexOf(one) !== at)))
    problems.push(error(`The provider "${name}" is registered twice.`));
  return problems;
}

/** Takes what is said at warning and above as problems: errors by whoever watches the plugin, and worth knowing in its own words. */
function listening(output: PluginProblem[]): Logger {
  const quiet = () => undefined;
  const logger = (serious: Logger["warning"], child: () => Logger): Logger => ({
    debug: quiet,
    info: quiet,
    warning: serious,
    error: serious,
    child,
  });
  const own = logger(
    (message, detail) => void output.push(isBreach(detail) ? error(message) : warning(`It says: ${message}`)),
    () => own,
  );
  return logger(
    (message) => void output.push(error(message)),
    () => own,
  );
}

/** What the plugin's own code said, without the words that name the plugin. */
function withoutFrame(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).replace(/^The plugin ".*?" cannot be used: /, "");
}

function unique(problems: readonly PluginProblem[]): readonly PluginProblem[] {
  const seen = new Set<string>();
  return problems.filter(({ text }) => !seen.has(text) && seen.add(text) !== undefined);
}
