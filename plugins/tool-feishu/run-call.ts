import { ToolFailure, objectOf, type ChatPost, type JsonObject, type ToolContext } from "hermes-agent/plugin";
import type { FeishuRequest } from "./exchange.ts";
import { askFeishu, type FeishuPorts } from "./feishu-api.ts";
import {
  isFileType,
  notReadable,
  readCall,
  type DocumentName,
  type FeishuCall,
  type FeishuInput,
  type FeishuTool,
  type FileType,
} from "./read-call.ts";

interface Document {
  readonly token: string;
  readonly type: FileType;
}

/** Runs one call of the five tools. */
export async function runCall(
  tool: FeishuTool,
  given: FeishuInput,
  { sessionId, signal }: Pick<ToolContext, "sessionId" | "signal">,
  ports: FeishuPorts & { chats(): Promise<ChatPost> },
): Promise<JsonObject> {
  const call = readCall(tool, given);
  // The app sees more documents than most users, so only the owner may use it.
  if ((await (await ports.chats()).speaker(sessionId)).whose !== undefined)
    throw new ToolFailure(
      "blocked",
      `${tool} is available only in the owner's conversations, because the app sees documents that other users may not.`,
    );
  const document = await documentOf(call.document, ports, signal);
  const data = await askFeishu(requestOf(call, document), ports, signal, {
    replies: tool === "feishu_drive_reply_comment",
  });
  if (tool === "feishu_doc_read") {
    const { content } = data;
    if (typeof content !== "string")
      throw new ToolFailure("unreachable", "Feishu's response lacks the document's text.");
    return { success: true, content };
  }
  return tool === "feishu_drive_add_comment" || tool === "feishu_drive_reply_comment" ? { success: true, data } : data;
}

/** Resolves a wiki page, whose token is not a document token. */
async function documentOf({ token, type }: DocumentName, ports: FeishuPorts, signal: AbortSignal): Promise<Document> {
  if (type !== "wiki") return { token, type };
  const { obj_token, obj_type } = objectOf(
    (
      await askFeishu(
        { method: "GET", path: "/open-apis/wiki/v2/spaces/get_node", query: { token }, repeatable: true },
        ports,
        signal,
      )
    )["node"],
  );
  if (typeof obj_token !== "string" || !/^[\w-]+$/.test(obj_token) || typeof obj_type !== "string")
    throw new ToolFailure("unreachable", "Feishu's response does not say which document the wiki page is.");
  if (!isFileType(obj_type))
    throw new ToolFailure(
      "bad_arguments",
      `The wiki page is a ${obj_type.slice(0, 40)}, whose comments are not available.`,
    );
  return { token: obj_token, type: obj_type };
}

function requestOf(call: FeishuCall, { token, type }: Document): FeishuRequest {
  const comments = `/open-apis/drive/v1/files/${token}/comments`;
  const listed = {
    file_type: type,
    user_id_type: "open_id",
    page_size: String(call.pageSize),
    page_token: call.pageToken,
  };
  switch (call.tool) {
    case "feishu_doc_read":
      if (type !== "docx") throw notReadable(type);
      return { method: "GET", path: `/open-apis/docx/v1/documents/${token}/raw_content`, repeatable: true };
    case "feishu_drive_list_comments":
      return {
        method: "GET",
        path: comments,
        query: { ...listed, is_whole: call.isWhole ? "true" : undefined },
        repeatable: true,
      };
    case "feishu_drive_list_comment_replies":
      return { method: "GET", path: `${comments}/${call.commentId}/replies`, query: listed, repeatable: true };
    case "feishu_drive_add_comment":
      return {
        method: "POST",
        path: `/open-apis/drive/v1/files/${token}/new_comments`,
        body: { file_type: type, reply_elements: [{ type: "text", text: plain(call.content) }] },
        repeatable: false,
      };
    case "feishu_drive_reply_comment":
      return {
        method: "POST",
        path: `${comments}/${call.commentId}/replies`,
        query: { file_type: type },
        body: { content: { elements: [{ type: "text_run", text_run: { text: plain(call.content) } }] } },
        repeatable: false,
      };
  }
}

/** The service interprets angle brackets as markup. */
function plain(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
