import { join } from "node:path";
import { UserError } from "../../../contract/common/failure.ts";
import type { OwnedTool, PluginService } from "../../../contract/services/plugin-service.ts";
import type { SettingsEdit } from "../../config/settings-edit.ts";
import { agreementTo, builtInOwner, mayReplace, replacedTools } from "../consent/replaced-tools.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";
import { isOutdated, withGiven } from "../discovery/variables-read.ts";
import { recordPlugin } from "../registry/record-plugin.ts";
import { registersSame, type Registered } from "../registry/registered.ts";
import { lackOf, withoutCause } from "./describe-plugin.ts";
import { findPlugin } from "./find-plugin.ts";
import { builtInTools, recordPorts, type OperationPorts } from "./operation-ports.ts";
import { registrationFailure } from "./registration-failure.ts";
import { withheldSecrets } from "./withheld-secrets.ts";

type Options = NonNullable<Parameters<PluginService["enable"]>[1]>;
type Enabled = Awaited<ReturnType<PluginService["enable"]>>;

/** `hermes plugins enable`: registers the plugin, and writes the user's consent to `config.yaml`. */
export async function enablePlugin(plugin: FoundPlugin, options: Options, ports: OperationPorts): Promise<Enabled> {
  const { host, settings } = ports;
  const { index, path } = ports.installed;
  if (plugin.broken !== undefined) throw new UserError(`The plugin "${plugin.key}" cannot run: ${plugin.broken}`);
  const lacks = lackOf(plugin, path);
  if (lacks !== undefined) throw new UserError(`The plugin "${plugin.key}" cannot run: ${lacks}.`);
  const registered = await register(plugin, ports);
  const replaces = unapproved(plugin, registered, ports);
  const waiting = stillWaiting(replaces, options.allowReplace);
  if (waiting.length > 0) {
    index.save();
    return {
      listing: {
        ...withoutCause(host.listing(plugin)),
        state: "not enabled",
        reason: `it would replace built-in tools: ${waiting.join(", ")}`,
      },
      replaces,
      waits: true,
      withheld: [],
      shared: [],
      faults: [],
    };
  }
  const shared = sharedTools(plugin, registered, ports);
  await acceptContent(plugin, ports);
  await settings.config.edit(consentEdits(plugin, replaces, ports));
  index.save();
  return {
    listing: host.listing(findPlugin(plugin.key, ports)),
    replaces,
    waits: false,
    withheld: await withheldSecrets(plugin, registered, settings),
    shared,
    faults: registered === undefined ? [] : host.faults(plugin, registered),
  };
}

/**
 * What the plugin registers: for a bundled one from its snapshot, else by running its `register` now. Without its variables it may not even
 * register; the question about built-ins then waits for a start that has them.
 */
async function register(plugin: FoundPlugin, ports: OperationPorts): Promise<Registered | undefined> {
  const { config, environment } = ports.settings;
  const { registered } = plugin;
  // What the user's own plugins register may depend on programs and files that have appeared since.
  const isCurrent =
    registered !== undefined && !isOutdated(registered, withGiven(plugin, config).manifest, environment);
  if (isCurrent && plugin.source === "bundled") return registered;
  if (plugin.manifest.requires_env.some((need) => environment.get(need.name) === undefined)) return undefined;
  try {
    const recorded = await recordPlugin(plugin, recordPorts(ports, ports.log));
    ports.installed.index.remember(plugin, recorded);
    // It may already run, with what it registered before.
    const differs = registered !== undefined && !registersSame(registered, recorded);
    if (differs && (await ports.host.unload(plugin.key))) await ports.host.reload();
    return recorded;
  } catch (cause) {
    throw await registrationFailure(cause, plugin, ports);
  }
}

/** The built-in tools that it would replace and that no recorded consent covers. */
function unapproved(
  plugin: FoundPlugin,
  registered: Registered | undefined,
  ports: OperationPorts,
): readonly OwnedTool[] {
  const changed = ports.installed.pins.refusal(plugin) !== undefined;
  return replacedTools(registered, builtInTools(ports)).filter(
    ({ tool }) => !mayReplace(plugin, tool, (path) => ports.settings.config.get(path), changed),
  );
}

/** The tools of these that the user's options do not approve either. */
function stillWaiting(replaces: readonly OwnedTool[], allowed: Options["allowReplace"]): readonly string[] {
  if (allowed === true) return [];
  const approved = Array.isArray(allowed) ? allowed : [];
  return replaces.map(({ tool }) => tool).filter((tool) => !approved.includes(tool));
}

/** Tools of the plugin that another plugin of the user also registers. */
function sharedTools(
  plugin: FoundPlugin,
  registered: Registered | undefined,
  ports: OperationPorts,
): readonly OwnedTool[] {
  return (registered?.tools ?? []).flatMap(({ name: tool }) => {
    const owner = ports.host.tools.owner(tool);
    return owner === undefined || owner === plugin.key || builtInOwner(tool, builtInTools(ports)) !== undefined
      ? []
      : [{ tool, owner }];
  });
}

/** The changes of `config.yaml` that enable the plugin and record which built-in tools it may replace. */
function consentEdits(
  { key, manifest, source }: FoundPlugin,
  replaces: readonly OwnedTool[],
  { settings }: OperationPorts,
): readonly SettingsEdit[] {
  const edits: SettingsEdit[] = [{ kind: "list", path: "plugins.disabled", remove: [key, manifest.name] }];
  if ((source !== "bundled" || manifest.opt_in === true) && source !== "project")
    edits.push({ kind: "list", path: "plugins.enabled", add: [key] });
  if (replaces.length > 0)
    edits.push(
      agreementTo(
        key,
        replaces.map(({ tool }) => tool),
        (path) => settings.config.get(path),
      ),
    );
  return edits;
}

/** Enabling a project's plugin, or an installed one with edited files, accepts its current content. */
async function acceptContent(plugin: FoundPlugin, { clock, installed: { pins } }: OperationPorts): Promise<void> {
  const pin = pins.get(plugin.dir);
  if (plugin.source !== "project" && pin === undefined) return;
  // A link that leads out would give the plugin access to its target.
  (await import("../install/check-tree.ts")).checkTree(plugin.dir, plugin.dir);
  const { contentHash } = await import("../discovery/content-hash.ts");
  await pins.set(plugin.dir, {
    ...pin,
    hash: contentHash(join(plugin.dir, pin?.root ?? ".")),
    at: new Date(clock.now()).toISOString(),
  });
}
