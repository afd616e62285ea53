import type { Part } from "../../contract/conversation/part.ts";
import type { Notice } from "../../contract/tools/tool.ts";

/** A notice of a tool of `owner` for a session, as stored: masked, and marked if it contains untrusted content. */
export function noticeParts(
  { text, foreign: untrusted }: Notice,
  { owner, name }: { readonly owner: string; readonly name: string },
  redact: (text: string) => string,
): readonly Part[] {
  return [
    {
      type: "text",
      text: redact(text),
      from: untrusted === undefined ? undefined : { ...untrusted, trust: "foreign" as const, owner, tool: name },
    },
  ];
}
