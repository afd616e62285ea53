import { objectOf } from "../../../contract/common/is-object.ts";
import type { Json, JsonObject } from "../../../contract/common/json.ts";
import type { PluginManifest } from "../../../contract/plugins/plugin.ts";

/** Keys of `plugins` that are settings of Hermes, not the name of a plugin. */
const RESERVED: ReadonlySet<string> = new Set(["enabled", "disabled", "entries"]);

/**
 * The settings of a plugin: its section, or `plugins.entries.NAME`; below that, `plugins.NAME`, where plugins of the
 * original have theirs.
 */
export function pluginSettings(
  { key, manifest }: { readonly key: string; readonly manifest: Pick<PluginManifest, "name" | "config"> },
  config: (path: string) => Json | undefined,
): JsonObject {
  const named = [...new Set([manifest.name, key])].filter((name) => !RESERVED.has(name));
  const own = config(manifest.config?.section ?? `plugins.entries.${key}`);
  return Object.assign({}, ...named.map((name) => objectOf(config(`plugins.${name}`))), objectOf(own)) as JsonObject;
}

/** Whether a path is in the section of this plugin: one from elsewhere reads no other setting. */
export function isOwnSetting(key: string, path: string): boolean {
  return path.startsWith(`plugins.entries.${key}.`) || (!RESERVED.has(key) && path.startsWith(`plugins.${key}.`));
}
