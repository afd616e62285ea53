import { UserError } from "../../contract/common/failure.ts";
import { isObject } from "../../contract/common/is-object.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import { pythonDialect } from "../python/python-dialect.ts";
import type { Dialect } from "../process/remote-plugin.ts";
import { textAt } from "../process/text-at.ts";

/** The string fields that a registration of each kind needs; those of `cli` with `declared` are inside it. */
const TEXTS: { readonly [kind: string]: readonly string[] | undefined } = {
  tool: ["name"],
  toolset: [],
  hook: ["name"],
  middleware: ["name"],
  command: ["name", "description"],
  cli: ["name", "description"],
  skill: ["name", "path"],
  provider: ["slot", "id"],
  doctor: [],
  refused: ["reason"],
};

/**
 * Registrations of a program, in the format of the Python runtime. Each is validated first, because authors write the
 * messages by hand.
 */
export const programDialect: Dialect = {
  ...pythonDialect,
  register(message, ctx, remote) {
    const wrong = wrongIn(message);
    if (wrong !== undefined)
      throw new UserError(
        `Its program sent a "register" ${wrong}: ${JSON.stringify(message).slice(0, 300)}. The table of registrations in docs/plugin-protocol.md lists the fields of each kind.`,
      );
    pythonDialect.register(message, ctx, remote);
  },
};

function wrongIn(message: JsonObject): string | undefined {
  const kind = textAt(message, "kind");
  const wanted = Object.hasOwn(TEXTS, kind) ? TEXTS[kind] : undefined;
  if (wanted === undefined)
    return `of the unknown kind ${JSON.stringify(message["kind"] ?? null)} (known: ${Object.keys(TEXTS).join(", ")})`;
  const missing = ["handle", ...wanted].find((name) => textAt(message, name) === "");
  if (missing !== undefined) return `of a ${kind} without the string "${missing}"`;
  if (kind === "tool" && !isObject(message["schema"]))
    return 'of a tool whose "schema" is not a map of "description" and "parameters"';
  if (kind === "toolset" && !isObject(message["toolset"])) return 'of a toolset without the map "toolset"';
  return undefined;
}
