import type { Json } from "../../contract/common/json.ts";
import { isObject } from "../../contract/common/is-object.ts";
import type { UntrustedSource } from "../../contract/conversation/part.ts";

/**
 * Whose words a result carries, as a plugin in another process says it: null, where they are from, or a map with `source`, `host`, `kept`.
 * @throws what is none of these, which then counts as a stranger's.
 */
export function untrustedSource(text: Json): UntrustedSource | undefined {
  if (text === null) return undefined;
  if (typeof text === "string" && text !== "") return { source: text };
  if (!isObject(text) || typeof text.source !== "string" || text.source === "")
    throw new TypeError(
      `Whose words a result carries is null, a text, or a map with "source", not ${JSON.stringify(text)}.`,
    );
  return {
    source: text.source,
    host: typeof text.host === "string" ? text.host : undefined,
    kept: text.kept === true ? true : undefined,
  };
}
