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

/** What the arguments of the five may be. */
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

/** A node of a wiki stands for a document, which only the service can name. */
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
/** Of all words of a comment, as the service counts them. */
const MAX_CHARS = 10_000;
/** The part of an address that says what is there. */
const OF_PAGE: { readonly [part: string]: DocumentName["type"] } = {
  docx: "docx",
  docs: "doc",
  doc: "doc",
  sheets: "sheet",
  file: "file",
  slides: "slides",
  wiki: "wiki",
};

/** The arguments, checked. @throws {ToolFailure} for what is missing, and for what is no token. */
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
      `${name} is missing: which document?`,
      "The token stands in the document's address: https://….feishu.cn/docx/TOKEN. The whole address does, too.",
    );
  const output = (type ?? "").trim().toLowerCase();
  if (output !== "" && !isFileType(output))
    throw wrong(`file_type "${output.slice(0, 60)}" is none.`, `${FILE_TYPES.join(", ")}.`);
  if (/^https?:\/\//i.test(text)) return documentAt(name, text);
  if (!TOKEN.test(text))
    throw wrong(
      `${name} "${text.slice(0, 100)}" is no token of a document.`,
      "Tokens have letters, digits, - and _ only; names and titles do not work.",
    );
  return { token: text, type: output === "" ? "docx" : (output as FileType) };
}

/** What an address says of the document is true whatever else is said of it. */
function documentAt(name: string, address: string): DocumentName {
  const parts = URL.canParse(address) ? new URL(address).pathname.split("/").filter((part) => part !== "") : [];
  const at = parts.findIndex((part) => Object.hasOwn(OF_PAGE, part));
  const token = parts[at + 1];
  if (at === -1 || token === undefined || !TOKEN.test(token))
    throw wrong(
      `${name} is the address of no document: ${address.slice(0, 200)}`,
      `Addresses with ${Object.keys(OF_PAGE)
        .map((part) => `/${part}/`)
        .join(", ")} and a token are known.`,
    );
  return { token, type: OF_PAGE[parts[at]!]! };
}

function readable(document: DocumentName): DocumentName {
  if (document.type !== "docx" && document.type !== "wiki") throw notReadable(document.type);
  return document;
}

/** Only documents of the new kind have a text to be asked for. */
export function notReadable(type: string): ToolFailure {
  return wrong(
    `feishu_doc_read reads documents (docx); this is a ${type}.`,
    "The comments of most kinds can be listed with feishu_drive_list_comments.",
  );
}

export function isFileType(type: string): type is FileType {
  return (FILE_TYPES as readonly string[]).includes(type);
}

function commentOf(given: string | undefined): string {
  const id = (given ?? "").trim();
  if (id === "") throw wrong("comment_id is missing: which comment?", "feishu_drive_list_comments tells the ids.");
  if (!TOKEN.test(id))
    throw wrong(`comment_id "${id.slice(0, 100)}" is no id of a comment.`, "feishu_drive_list_comments tells the ids.");
  return id;
}

function contentOf(given: string | undefined): string {
  const text = (given ?? "").trim();
  if (text === "") throw wrong("content is empty: there is nothing to write.");
  const chars = [...text].length;
  if (chars > MAX_CHARS)
    throw wrong(`A comment has at most ${MAX_CHARS} characters; this has ${chars}.`, "Write it in pieces.");
  return text;
}

function wrong(message: string, hint?: string): ToolFailure {
  return new ToolFailure("bad_arguments", message, hint === undefined ? {} : { hint });
}
