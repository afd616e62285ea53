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
  /** Members of its context that it names and cannot use, in sentences. */
  refused(plugin: FoundPlugin): Promise<readonly string[]>;
  /** Runs `register` separately from everything else. */
  record(plugin: FoundPlugin, log: Logger): Promise<Registered>;
  env(name: string): string | undefined;
  /** Secrets that are set, that its code reads, and that it does not get. */
  withheld(plugin: FoundPlugin, registered: Registered): Promise<readonly string[]>;
  /** The owner of the tool or command of that name apart from the plugin of that key, if any. */
  holder(kind: "tool" | "command" | "cli", name: string, key: string): string | undefined;
  /** It is part of the agent itself. */
  isBuiltIn(kind: "tool" | "command" | "cli", name: string): boolean;
  /** The user agreed that it replaces this built-in tool. */
  mayReplace(plugin: FoundPlugin, tool: string): boolean;
}

/**
 * Every error of a plugin, and its warnings.
 * @param runs Whether its `register` may run for the check; otherwise only its files are checked.
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
    ...(await ofCalls(plugin)),
  ];
  const lack = ports.lack(plugin);
  const refusal = ports.refusal(plugin);
  if (lack !== undefined) return [...problems, error(lack)];
  if (refusal !== undefined) return [...problems, error(refusal)];
  if (!runs)
    return [
      ...problems,
      warning(
        `Its code was not run, because the plugin is not enabled. To run it: \`hermes plugins check ${plugin.key}\`.`,
      ),
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
    // The log entries report the same with less precise locations.
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
      return [error(`${file}: the file is empty. Add at least \`name\`, \`version\` and \`description\`.`)];
    if (!/^["']?name["']?\s*:/m.test(text))
      problems.push(warning(`${file}: there is no "name", so the folder's name is used.`));
  }
  if (manifest.version === "") problems.push(warning(`${file ?? dir}: there is no "version".`));
  if (manifest.description === "") problems.push(warning(`${file ?? dir}: there is no "description".`));
  const kind = module === undefined ? missingKind(manifest, entryText(dir)) : undefined;
  if (kind !== undefined) problems.push(error(kind));
  return problems;
}

/** Findings that would block its installation elsewhere, or ask the user. */
async function ofSkills({ dir }: FoundPlugin): Promise<readonly PluginProblem[]> {
  const { doubtfulSkills } = await import("../install/scan-skills.ts");
  const skills = await doubtfulSkills(dir);
  return skills.flatMap(({ name, verdict, reasons }) =>
    reasons.map((reason) =>
      (verdict === "dangerous" ? error : warning)(
        `The skill "${name}" ${verdict === "dangerous" ? "is dangerous" : "needs review"}: ${reason}`,
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

/**
 * Problems of tool calls without a grant. The author's own calls need none, but calls at other users who install the
 * plugin do.
 */
async function ofCalls(plugin: FoundPlugin): Promise<readonly PluginProblem[]> {
  const { toolsCalled } = await import("../discovery/tools-called.ts");
  const declared = plugin.manifest.grants?.tools ?? [];
  const tools = toolsCalled(plugin).tools.filter((tool) => !declared.includes(tool));
  const them = tools.length === 1 ? `the tool ${tools[0]}` : `the tools ${tools.join(", ")}`;
  return tools.length === 0
    ? []
    : [
        warning(
          `Its code calls ${them}. Where the plugin was installed from elsewhere, the first call asks the user, or needs \`hermes plugins grant ${plugin.key} ${tools.join(" ")}\`. With \`grants: { tools: [${tools.join(", ")}] }\` in the manifest, the installation asks instead.`,
        ),
      ];
}

function ofSecrets({ key }: FoundPlugin, withheld: readonly string[]): readonly PluginProblem[] {
  const names = withheld.join(", ");
  return withheld.length === 0
    ? []
    : [
        warning(
          `Its code reads ${names}, which is set but not passed to it, because its manifest does not name it. Add \`optional_env: [${names}]\` there, or run: hermes config set plugins.entries.${key}.env '${JSON.stringify(withheld)}'.`,
        ),
      ];
}

/** A plugin that registers nothing. Variables that it reads may explain why. */
function ofNothing(registered: Registered): readonly PluginProblem[] {
  if (!isEmpty(registered)) return [];
  const read = [...new Set(registered.reads.map(([name]) => name))];
  return [
    read.length === 0
      ? error("register() registers nothing: no tool, hook, command, skill or provider.")
      : warning(`register() registers nothing with the current values of these variables: ${read.join(", ")}.`),
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
    ...undeclared.map((line) => warning(`Add this line to the manifest, so that installs report it: ${line}`)),
  ];
}

/** Problems for a model. */
function ofTool({ name, description, dynamicDescription, input }: ToolDeclaration): readonly PluginProblem[] {
  const properties = Object.entries((input["properties"] ?? {}) as { readonly [key: string]: JsonObject });
  return [
    ...(description.trim() === "" && !dynamicDescription
      ? [error(`The tool "${name}" has no description, so a model cannot know when to call it.`)]
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
        if (kind !== "tool") problems.push(error(`The ${word} "${name}" is built in and cannot be replaced.`));
        else if (!ports.mayReplace(plugin, name))
          problems.push(
            error(
              `The ${word} "${name}" is built in. \`hermes plugins enable ${plugin.key}\` asks whether it may be replaced; \`--allow-tool-override\` allows it.`,
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

/** Collects log entries at warning and above: Hermes's own become errors, and the plugin's own become notes. */
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
    (message, detail) => void output.push(isBreach(detail) ? error(message) : warning(`It logs: ${message}`)),
    () => own,
  );
  return logger(
    (message) => void output.push(error(message)),
    () => own,
  );
}

/** A log message of the plugin's own code, without its prefix with the plugin's name. */
function withoutFrame(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).replace(/^Cannot use the plugin ".*?": /, "");
}

function unique(problems: readonly PluginProblem[]): readonly PluginProblem[] {
  const seen = new Set<string>();
  return problems.filter(({ text }) => !seen.has(text) && seen.add(text) !== undefined);
}
