import type { Part } from "../../contract/conversation/part.ts";
import type { Notice } from "../../contract/tools/tool.ts";

/** What a tool of `owner` tells a session, as it is kept: masked, and marked where strangers' words are in it. */
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
