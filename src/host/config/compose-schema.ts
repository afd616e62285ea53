import type { JsonSchema } from "../../contract/schema.ts";
import { AGENT_SETTINGS } from "./sections/agent.ts";
import { MODEL_SETTINGS } from "./sections/model.ts";
import { ORIGINAL_SETTINGS } from "./sections/original.ts";
import { POLICY_SETTINGS } from "./sections/policy.ts";
import { SURFACE_SETTINGS } from "./sections/surface.ts";
import { TOOL_SETTINGS } from "./sections/tools.ts";
import { canonicalKey, splitPath, type Setting, type Settings } from "./setting.ts";

/** A section that a plugin's manifest declares. */
export interface PluginSection {
  readonly section: string;
  readonly schema: JsonSchema;
  /** Key of the plugin. */
  readonly owner: string;
}

/**
 * Everything `config.yaml` may hold: the core's sections, the plugins', and what the original knows beside those.
 * A plugin adds keys; what the core declares stays the core's.
 */
export function composeSchema(sections: readonly PluginSection[] = []): Setting {
  let root: Setting = { type: "object", properties: { ...ORIGINAL_SETTINGS, ...CORE_SETTINGS } };
  for (const { section, schema } of sections) root = withSection(root, splitPath(section), schema as Setting);
  return root;
}

const CORE_SETTINGS: Settings = { ...MODEL_SETTINGS, ...AGENT_SETTINGS, ...TOOL_SETTINGS, ...POLICY_SETTINGS, ...SURFACE_SETTINGS };

function withSection(here: Setting, path: readonly string[], added: Setting): Setting {
  const [key, ...rest] = path;
  if (key === undefined) return joined(here, added);
  const inner = here.properties?.[key] ?? (typeof here.additionalProperties === "object" ? here.additionalProperties : {});
  return { ...here, properties: { ...here.properties, [key]: withSection(inner, rest, added) } };
}

/** What is declared and used stays; what is only known gives way and leaves its variable and aliases. */
function joined(known: Setting, added: Setting): Setting {
  if (known.properties === undefined) return known.unused === true || known.type === undefined ? used(known, added) : known;
  const properties: { [key: string]: Setting } = { ...known.properties };
  for (const [key, setting] of Object.entries(added.properties ?? {})) {
    // Another spelling of a key that is there already.
    if (canonicalKey(known.properties, key) !== key) continue;
    const there = properties[key];
    if (there === undefined) properties[key] = setting;
    else if (there.unused === true) properties[key] = used(there, setting);
  }
  const { unused, additionalProperties, ...rest } = known;
  const more = added.additionalProperties ?? (unused === true ? undefined : additionalProperties);
  return { ...rest, type: "object", properties, ...(more === undefined ? {} : { additionalProperties: more }) };
}

function used(known: Setting, added: Setting): Setting {
  return { ...known, unused: undefined, ...added };
}
