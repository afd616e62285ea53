import { isObject } from "../../contract/common/is-object.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import { exactIntegers } from "../../contract/common/parse-exact.ts";
import type { SkillHead } from "../../contract/plugins/skill.ts";

const FENCED = /^---[ \t]*\r?\n([^]*?)\r?\n?---[ \t]*(?:\r?\n|$)/;
/** `key: plain text`, which means the same with or without a parser. */
const PLAIN = /^([A-Za-z_][\w-]*):[ \t]+([A-Za-z][^\r]*?)[ \t]*\r?$/;
/** Anybody may have written it, and a parser takes the square of some lengths. */
const MAX_PARSED = 65_536;
const NOT_PLAIN = /: |:$| #|^(?:true|false|null|yes|no|on|off)$/i;

/**
 * The frontmatter of a `SKILL.md`. If the parser rejects it, it is read line by line and reported; without
 * frontmatter there are no keys. Most skills need no parser.
 */
export async function readHead(whole: string): Promise<SkillHead> {
  const text = whole.replace(/^\uFEFF/, "");
  const [fence, head] = FENCED.exec(text) ?? [];
  if (fence === undefined || head === undefined)
    return {
      data: {},
      body: text,
      problem: text.startsWith("---")
        ? "its frontmatter has no closing line ---"
        : "it does not begin with frontmatter between two lines ---",
    };
  const body = text.slice(fence.length);
  const plain = plainLines(head);
  if (plain !== undefined) return { data: plain, body };
  if (head.length > MAX_PARSED)
    return {
      data: byLine(head.slice(0, MAX_PARSED)),
      body,
      problem: `its frontmatter is longer than ${MAX_PARSED} characters`,
    };
  const { parse } = await import("yaml");
  try {
    const data: unknown = JSON.parse(JSON.stringify(parse(head, { intAsBigInt: true }), exactIntegers) ?? "null");
    if (isObject(data as JsonObject)) return { data: data as JsonObject, body };
    return { data: {}, body, problem: "its frontmatter is not a list of `key: value`" };
  } catch (cause) {
    return {
      data: byLine(head),
      body,
      problem: `its frontmatter is not valid YAML: ${(cause instanceof Error ? cause.message : String(cause)).split("\n", 1)[0]}`,
    };
  }
}

function plainLines(head: string): JsonObject | undefined {
  const data: { [key: string]: string } = {};
  for (const line of head.split("\n")) {
    const [, key, value] = PLAIN.exec(line) ?? [];
    if (key === undefined || value === undefined || NOT_PLAIN.test(value) || Object.hasOwn(data, key)) return undefined;
    data[key] = value;
  }
  return data;
}

function byLine(head: string): JsonObject {
  const pairs = head.split("\n").flatMap((line) => {
    const [, key, value] = /^([A-Za-z_][\w-]*):[ \t]*(.*?)[ \t]*\r?$/.exec(line) ?? [];
    return key === undefined || value === undefined || value === ""
      ? []
      : [[key, value.replace(/^(["'])(.*)\1$/, "$2")] as const];
  });
  return Object.fromEntries(pairs);
}

/** A list, or words with commas, also in brackets: `[a, b]`. */
export function wordsOf(value: unknown): readonly string[] {
  const list = Array.isArray(value) ? value : typeof value === "string" ? value.replace(/^\[|\]$/g, "").split(",") : [];
  return list
    .flatMap((one) =>
      typeof one === "string" || typeof one === "number"
        ? [
            String(one)
              .trim()
              .replace(/^(["'])(.*)\1$/, "$2"),
          ]
        : [],
    )
    .filter((word) => word !== "");
}
