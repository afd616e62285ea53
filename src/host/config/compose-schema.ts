import type { JsonSchema } from "../../contract/common/schema.ts";
import { AGENT_SETTINGS } from "./sections/agent.ts";
import { MODEL_SETTINGS } from "./sections/model.ts";
import { ORIGINAL_SETTINGS } from "./sections/original.ts";
import { POLICY_SETTINGS } from "./sections/policy.ts";
import { SURFACE_SETTINGS } from "./sections/surface.ts";
import { TOOL_SETTINGS } from "./sections/tools.ts";
import { canonicalKey, splitPath, type Setting, type Settings } from "./setting.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

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
  const root: Open = { type: "object", properties: { ...ORIGINAL_SETTINGS, ...CORE_SETTINGS } };
  const open = new Set<Setting>([root]);
  for (const { section, schema } of sections) addSection(root, splitPath(section), schema as Setting, open);
  return root;
}

const CORE_SETTINGS: Settings = {
  ...MODEL_SETTINGS,
  ...AGENT_SETTINGS,
  ...TOOL_SETTINGS,
  ...POLICY_SETTINGS,
  ...SURFACE_SETTINGS,
};

/** A setting that is this call's own copy, so that a hundred sections do not copy the whole a hundred times. */
type Open = Setting & { readonly properties: { [key: string]: Setting } };

/** @param open Which settings are copies already. */
function addSection(here: Open, [key, ...rest]: readonly string[], added: Setting, open: Set<Setting>): void {
  if (key === undefined) return void Object.assign(here, joined(here, added));
  const there =
    here.properties[key] ?? (typeof here.additionalProperties === "object" ? here.additionalProperties : {});
  if (rest.length === 0) return void (here.properties[key] = joined(there, added));
  const inner: Open = open.has(there) ? (there as Open) : { ...there, properties: { ...there.properties } };
  open.add(inner);
  here.properties[key] = inner;
  addSection(inner, rest, added, open);
}

/**
 * A declared key that is used stays; a key that is only accepted is replaced and passes on its variable and aliases.
 */
function joined(known: Setting, added: Setting): Setting {
  if (known.properties === undefined)
    return known.unused === true || known.type === undefined ? used(known, added) : known;
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
  return { ...rest, type: "object", properties, ...definedFields({ additionalProperties: more }) };
}

function used(known: Setting, added: Setting): Setting {
  return { ...known, unused: undefined, ...added };
}
