import { ToolFailure } from "hermes-agent/plugin";

export const TOOLS = [
  "feishu_doc_read",
  "feishu_drive_list_comments",
  "feishu_drive_list_comment_replies",
  "feishu_drive_add_comment",
  "feishu_drive_reply_comment",
] as const;
export type FeishuTool = (typeof TOOLS)[number];
export const FILE_TYPES = ["docx", "doc", "sheet", "file", "slides"] as const;
export type FileType = (typeof FILE_TYPES)[number];

/** The arguments of the five tools. */
export interface FeishuInput {
  readonly doc_token?: string | undefined;
  readonly file_token?: string | undefined;
  readonly comment_id?: string | undefined;
  readonly content?: string | undefined;
  readonly file_type?: string | undefined;
  readonly is_whole?: boolean | undefined;
  readonly page_size?: number | undefined;
  readonly page_token?: string | undefined;
}

/** A wiki node refers to a document, which only the service can resolve. */
export interface DocumentName {
  readonly token: string;
  readonly type: FileType | "wiki";
}

export interface FeishuCall {
  readonly tool: FeishuTool;
  readonly document: DocumentName;
  readonly commentId: string;
  readonly content: string;
  readonly isWhole: boolean;
  readonly pageSize: number;
  readonly pageToken: string | undefined;
}

const TOKEN = /^[\w-]{1,100}$/;
/** Maximum length of a comment, as the service counts it. */
const MAX_CHARS = 10_000;
/** The path segment of a URL that names the document type. */
const OF_PAGE: { readonly [part: string]: DocumentName["type"] } = {
  docx: "docx",
  docs: "doc",
  doc: "doc",
  sheets: "sheet",
  file: "file",
  slides: "slides",
  wiki: "wiki",
};

/** Checks the arguments. @throws {ToolFailure} for a missing argument or an invalid token. */
export function readCall(tool: FeishuTool, given: FeishuInput): FeishuCall {
  const ofComment = tool === "feishu_drive_list_comment_replies" || tool === "feishu_drive_reply_comment";
  const writes = isWrite(tool);
  return {
    tool,
    document:
      tool === "feishu_doc_read"
        ? readable(documentOf("doc_token", given.doc_token, undefined))
        : documentOf("file_token", given.file_token, given.file_type),
    commentId: ofComment ? commentOf(given.comment_id) : "",
    content: writes ? contentOf(given.content) : "",
    isWhole: given.is_whole === true,
    pageSize: given.page_size ?? 100,
    pageToken: (given.page_token ?? "").trim() || undefined,
  };
}

export function isWrite(tool: FeishuTool): boolean {
  return tool === "feishu_drive_add_comment" || tool === "feishu_drive_reply_comment";
}

function documentOf(name: string, given: string | undefined, type: string | undefined): DocumentName {
  const text = (given ?? "").trim();
  if (text === "")
    throw wrong(
      `${name} is missing.`,
      "Pass the token from the document's URL (https://….feishu.cn/docx/TOKEN), or the whole URL.",
    );
  const output = (type ?? "").trim().toLowerCase();
  if (output !== "" && !isFileType(output))
    throw wrong(`file_type "${output.slice(0, 60)}" is unknown.`, `Use one of: ${FILE_TYPES.join(", ")}.`);
  if (/^https?:\/\//i.test(text)) return documentAt(name, text);
  if (!TOKEN.test(text))
    throw wrong(
      `${name} "${text.slice(0, 100)}" is not a document token.`,
      "A token has only letters, digits, - and _; names and titles do not work.",
    );
  return { token: text, type: output === "" ? "docx" : (output as FileType) };
}

/** The URL overrides the other arguments. */
function documentAt(name: string, address: string): DocumentName {
  const parts = URL.canParse(address) ? new URL(address).pathname.split("/").filter((part) => part !== "") : [];
  const at = parts.findIndex((part) => Object.hasOwn(OF_PAGE, part));
  const token = parts[at + 1];
  if (at === -1 || token === undefined || !TOKEN.test(token))
    throw wrong(
      `${name} is not the URL of a document: ${address.slice(0, 200)}`,
      `A document URL contains one of these, and a token: ${Object.keys(OF_PAGE)
        .map((part) => `/${part}/`)
        .join(", ")} and a token are known.`,
    );
  return { token, type: OF_PAGE[parts[at]!]! };
}

function readable(document: DocumentName): DocumentName {
  if (document.type !== "docx" && document.type !== "wiki") throw notReadable(document.type);
  return document;
}

/** Only docx documents have readable text. */
export function notReadable(type: string): ToolFailure {
  return wrong(
    `feishu_doc_read reads only docx documents; this is a ${type}.`,
    "feishu_drive_list_comments lists the comments of most document types.",
  );
}

export function isFileType(type: string): type is FileType {
  return (FILE_TYPES as readonly string[]).includes(type);
}

function commentOf(given: string | undefined): string {
  const id = (given ?? "").trim();
  if (id === "") throw wrong("comment_id is missing.", "feishu_drive_list_comments returns the ids.");
  if (!TOKEN.test(id))
    throw wrong(`comment_id "${id.slice(0, 100)}" is not a comment ID.`, "feishu_drive_list_comments returns the ids.");
  return id;
}

function contentOf(given: string | undefined): string {
  const text = (given ?? "").trim();
  if (text === "") throw wrong("content is empty.");
  const chars = [...text].length;
  if (chars > MAX_CHARS)
    throw wrong(`The comment has ${chars} characters; Feishu allows ${MAX_CHARS}.`, "Write it in parts.");
  return text;
}

function wrong(message: string, hint?: string): ToolFailure {
  return new ToolFailure("bad_arguments", message, hint === undefined ? {} : { hint });
}
