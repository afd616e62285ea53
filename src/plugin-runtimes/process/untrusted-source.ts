import type { Json } from "../../contract/common/json.ts";
import { isObject } from "../../contract/common/is-object.ts";
import type { ForeignWords } from "../../contract/conversation/part.ts";

/**
 * Whose words a result carries, as a plugin in another process says it: null, where they are from, or a map with `source`, `host`, `kept`.
 * @throws what is none of these, which then counts as a stranger's.
 */
export function foreignWords(said: Json): ForeignWords | undefined {
  if (said === null) return undefined;
  if (typeof said === "string" && said !== "") return { source: said };
  if (!isObject(said) || typeof said.source !== "string" || said.source === "")
    throw new TypeError(
      `Whose words a result carries is null, a text, or a map with "source", not ${JSON.stringify(said)}.`,
    );
  return {
    source: said.source,
    host: typeof said.host === "string" ? said.host : undefined,
    kept: said.kept === true ? true : undefined,
  };
}
