import type { PluginListing } from "../../../contract/app.ts";
import type { Call } from "../cli.ts";
import { EXIT } from "../exit-code.ts";
import { table } from "../table.ts";

export async function listPlugins({ io, open }: Call, options: { readonly json?: boolean; readonly enabled?: boolean; readonly user?: boolean }): Promise<void> {
  const all = await (await open()).plugins.list();
  const plugins = all.filter((plugin) => (!options.enabled || plugin.state === "enabled") && (!options.user || plugin.source !== "bundled"));
  if (options.json) {
    const rows = plugins.map(({ key, state, reason, manifest, source, registered, dir }) => ({ name: key, status: state, reason, version: manifest.version, description: manifest.description, source, dir, registered }));
    return io.out(`${JSON.stringify(rows, null, 2)}\n`);
  }
  if (plugins.length === 0) return io.out("No plugins found.\n");
  const rows = plugins.map((plugin) => [`${mark(plugin)} ${plugin.key}`, plugin.state, plugin.manifest.version, plugin.source, plugin.reason ?? plugin.manifest.description]);
  io.out(table(["  NAME", "STATE", "VERSION", "SOURCE", "DESCRIPTION"], rows, io.columns, (text) => io.style("dim", text)));
}

export async function enablePlugin({ io, open }: Call, name: string, options: { readonly allowToolOverride?: boolean }): Promise<number> {
  const app = await open();
  const { listing, replaces } = await app.plugins.enable(name, { allowReplace: options.allowToolOverride });
  if (replaces.length > 0 && options.allowToolOverride !== true) {
    io.note(`${listing.key} would replace built-in tools: ${replaces.join(", ")}. It was not enabled.\nIf you agree: hermes plugins enable ${listing.key} --allow-tool-override\n`);
    return EXIT.failed;
  }
  if (listing.state !== "enabled") {
    io.note(`${listing.key}: ${listing.reason ?? listing.state}\n`);
    return EXIT.failed;
  }
  io.out(`✓ ${listing.key}${listing.manifest.version === "" ? "" : ` v${listing.manifest.version}`} (${listing.registered.tools.length} tools, ${listing.registered.hooks.length} hooks) is enabled.\n`);
  return EXIT.ok;
}

export async function disablePlugin({ io, open }: Call, name: string): Promise<void> {
  const listing = await (await open()).plugins.disable(name);
  io.out(`${listing.key} is disabled.\n`);
}

function mark(plugin: PluginListing): string {
  return plugin.state === "enabled" ? "✓" : plugin.state === "failed" ? "✗" : "○";
}
