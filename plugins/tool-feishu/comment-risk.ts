import { ToolFailure, type ChatPost, type Egress, type Risk } from "hermes-agent/plugin";
import { readCall, type FeishuCall, type FeishuInput, type FeishuTool } from "./read-call.ts";

type Speaker = Awaited<ReturnType<ChatPost["speaker"]>>;

/** Asks before a comment, because other users read it. */
export function riskOfComment(tool: FeishuTool, given: FeishuInput, speaker: Speaker): Risk | undefined {
  const call = readOrNothing(tool, given, speaker);
  if (call === undefined) return undefined;
  const { document, commentId, content } = call;
  const where = `the Feishu ${document.type === "wiki" ? "wiki page" : document.type} ${document.token}`;
  return {
    answer: "ask",
    key: `comment on feishu:${document.token}`,
    reasons: [
      `${commentId === "" ? `Comments on ${where}` : `Replies to comment ${commentId} on ${where}`}, where others can read it: “${short(content)}”`,
    ],
    effects: [],
  };
}

export function reachOfComment(tool: FeishuTool, given: FeishuInput, speaker: Speaker): readonly Egress[] {
  const call = readOrNothing(tool, given, speaker);
  return call === undefined
    ? []
    : [{ kind: "send", what: `Feishu, comment on ${call.document.token}: “${short(call.content)}”` }];
}

/** `undefined` if the call will be refused anyway: invalid arguments, or not the owner's conversation. */
function readOrNothing(tool: FeishuTool, given: FeishuInput, { whose }: Speaker): FeishuCall | undefined {
  if (whose !== undefined) return undefined;
  try {
    return readCall(tool, given);
  } catch (cause) {
    if (cause instanceof ToolFailure) return undefined;
    throw cause;
  }
}

function short(text: string): string {
  return text.length > 300 ? `${text.slice(0, 299).toWellFormed()}…` : text;
}
