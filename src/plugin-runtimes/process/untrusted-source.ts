import type { Json } from "../../contract/common/json.ts";
import { isObject } from "../../contract/common/is-object.ts";
import type { UntrustedSource } from "../../contract/conversation/part.ts";

/**
 * The source of a result's text as a plugin in another process reports it: null, a name, or a map with `source`,
 * `host`, `kept`.
 * @throws for anything else; the result then counts as untrusted.
 */
export function untrustedSource(text: Json): UntrustedSource | undefined {
  if (text === null) return undefined;
  if (typeof text === "string" && text !== "") return { source: text };
  if (!isObject(text) || typeof text.source !== "string" || text.source === "")
    throw new TypeError(
      `The source of a result must be null, a string, or a map with "source", not ${JSON.stringify(text)}.`,
    );
  return {
    source: text.source,
    host: typeof text.host === "string" ? text.host : undefined,
    kept: text.kept === true ? true : undefined,
  };
}
