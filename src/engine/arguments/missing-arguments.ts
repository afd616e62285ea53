import type { Effect } from "../../contract/tools/effect.ts";
import { isObject } from "../../contract/common/is-object.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import type { JsonSchema } from "../../contract/common/schema.ts";
import { isQuiet } from "../approval/quiet.ts";

/**
 * What would help a call that lacks an argument its tool needs: what the tool takes, and which of the given names it
 * does not know. `undefined` when none is lacking.
 */
export function hintForMissing(tool: string, args: JsonObject, schema: JsonSchema, effect: Effect): string | undefined {
  const properties = isObject(schema.properties) ? Object.keys(schema.properties) : [];
  const required = (Array.isArray(schema.required) ? schema.required : []).filter((name) => typeof name === "string");
  if (!required.some((name) => args[name] === undefined)) return undefined;
  const optional = properties.filter((name) => !required.includes(name));
  const given = Object.keys(args);
  const strange = given.filter((name) => !properties.includes(name));
  const takes = `${tool} needs ${listed(required)}${optional.length === 0 ? "" : ` and may take ${listed(optional)}`}.`;
  if (strange.length > 0)
    return `${takes} Unknown: ${listed(
      strange.map((name) => JSON.stringify(name.slice(0, 40))),
      "or",
    )}.`;
  return given.length > 0 && !isQuiet(effect)
    ? `${takes} A long call may have been cut off: send all of it again, or split the work.`
    : takes;
}

function listed(names: readonly string[], last = "and"): string {
  const shown = names.length > 12 ? [...names.slice(0, 11), "others"] : names;
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} ${last} ${shown.at(-1)}`;
}
