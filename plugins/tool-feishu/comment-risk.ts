import { ToolFailure, type ChatPost, type Reach, type Risk } from "hermes-agent/plugin";
import { readCall, type FeishuCall, type FeishuInput, type FeishuTool } from "./read-call.ts";

type Speaker = Awaited<ReturnType<ChatPost["speaker"]>>;

/** What is written beside a document, others read: it asks. */
export function riskOfComment(tool: FeishuTool, given: FeishuInput, speaker: Speaker): Risk | undefined {
  const call = readOrNothing(tool, given, speaker);
  if (call === undefined) return undefined;
  const { document, commentId, content } = call;
  const where = `${document.type === "wiki" ? "the wiki page" : document.type} ${document.token} of Feishu`;
  return {
    answer: "ask",
    key: `comment on feishu:${document.token}`,
    reasons: [
      `${commentId === "" ? `Comments on ${where}` : `Replies to comment ${commentId} on ${where}`}, where others read it: “${short(content)}”`,
    ],
    effects: [],
  };
}

export function reachOfComment(tool: FeishuTool, given: FeishuInput, speaker: Speaker): readonly Reach[] {
  const call = readOrNothing(tool, given, speaker);
  return call === undefined
    ? []
    : [{ kind: "send", what: `Feishu, comment on ${call.document.token}: “${short(call.content)}”` }];
}

/** Nothing is sent of what cannot be read, nor in somebody else's conversation: the call itself says why. */
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
