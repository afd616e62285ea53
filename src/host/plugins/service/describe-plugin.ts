import { definedFields } from "../../../contract/common/defined-fields.ts";
import type { PluginListing } from "../../../contract/services/plugin-service.ts";
import type { FoundPlugin } from "../discovery/discovery.ts";
import { missingKind } from "../discovery/kind-guess.ts";
import { entryModule, entryText } from "../discovery/plugin-files.ts";
import { takesNpmPackages } from "../packages/npm-needs.ts";
import { programLack } from "../discovery/plugin-program.ts";
import type { HostKind } from "../registry/plugin-hosts.ts";
import type { OperationPorts } from "./operation-ports.ts";

/** A plugin as `hermes plugins list` shows it: also what it lacks. */
export async function describePlugin(plugin: FoundPlugin, ports: OperationPorts): Promise<PluginListing> {
  const lacking = await missingPackages(plugin, ports);
  return {
    ...withEntryReason(plugin, ports.host.listing(plugin), ports.installed.path),
    ...definedFields({
      lacking: lacking.length === 0 ? undefined : lacking,
      lackingFrom: lacking.length > 0 && takesNpmPackages(plugin) ? "npm" : undefined,
    }),
  };
}

/** A plugin as `hermes plugins info` shows it: also where it runs, and what it cannot use there. */
export async function describeInDetail(plugin: FoundPlugin, ports: OperationPorts): Promise<PluginListing> {
  const { isMovedIntoAgent } = await import("../discovery/members-used.ts");
  const kind = ports.hosts?.where(plugin) ?? "here";
  const refused = await refusedMembers(plugin, ports);
  return {
    ...(await describePlugin(plugin, ports)),
    runsIn: runtimeOf(plugin, isMovedIntoAgent(plugin, kind) ? "here" : kind),
    ...definedFields({
      refused: refused.length === 0 ? undefined : refused,
      secrets:
        plugin.source === "bundled"
          ? undefined
          : await (await import("./withheld-secrets.ts")).secretsNotGiven(plugin, ports.settings),
      calls: plugin.foreign === true ? (await import("./tool-decisions.ts")).toolCallsOf(plugin, ports) : undefined,
    }),
  };
}

/** Members of its context that its code names and cannot use where it runs, in sentences. */
export async function refusedMembers(plugin: FoundPlugin, { hosts }: OperationPorts): Promise<readonly string[]> {
  const { refusedUses } = await import("../discovery/members-used.ts");
  return refusedUses(plugin, hosts?.where(plugin) ?? "here").map(({ at, words }) => `${at}: ${words}`);
}

/** The packages that it needs and that its runtime does not have. */
export async function missingPackages(
  plugin: FoundPlugin,
  { home, installed: { path, index } }: OperationPorts,
): Promise<readonly string[]> {
  if (plugin.source === "bundled") return [];
  return (await import("../packages/missing-packages.ts")).missingOf(plugin, home, path, index.python);
}

/** Why there is nothing to run, if so: its program or its entry file is missing. */
export function lackOf(
  { dir, entry, module, manifest: { program } }: FoundPlugin,
  path: string | undefined,
): string | undefined {
  if (program !== undefined) return programLack({ dir, program }, path);
  if (entry !== undefined || module !== undefined) return undefined;
  const found = entryModule(dir);
  return "reason" in found ? found.reason : undefined;
}

/** The listing without the cause: something else prevents the plugin from running. */
export function withoutCause(listing: PluginListing): PluginListing {
  const other: { because?: PluginListing["because"] } & Omit<PluginListing, "because"> = { ...listing };
  delete other.because;
  return other as PluginListing;
}

/** A plugin that was never started may still lack a requirement. */
function withEntryReason(plugin: FoundPlugin, listing: PluginListing, path: string | undefined): PluginListing {
  if (listing.state !== "not enabled" && listing.state !== "enabled") return listing;
  const kind = plugin.source === "bundled" ? undefined : missingKind(plugin.manifest, entryText(plugin.dir));
  if (kind !== undefined) return { ...withoutCause(listing), reason: kind };
  const lacks = plugin.manifest.kind === "exclusive" ? undefined : lackOf(plugin, path);
  return lacks === undefined
    ? listing
    : { ...withoutCause(listing), state: listing.state === "enabled" ? "failed" : listing.state, reason: lacks };
}

/** The runtime in words for the user. */
function runtimeOf({ foreign: untrusted, manifest: { program } }: FoundPlugin, kind: HostKind): string {
  if (kind === "here") return "the agent";
  if (kind === "python") return "a Python process";
  if (program !== undefined) return `a separate process: ${program.join(" ")}`;
  return untrusted === true ? "a separate Node process, limited to its grants" : "the Node process of your plugins";
}
