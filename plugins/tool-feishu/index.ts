import {
  defineTool,
  type Availability,
  type EnvNeed,
  type JsonSchema,
  type Plugin,
  type Probe,
  type RiskContext,
  type Assessment,
} from "hermes-agent/plugin";
import { apiHost, wrongDomain } from "./api-address.ts";
import type { FeishuInput, FeishuTool } from "./read-call.ts";
import type { TenantToken } from "./tenant-token.ts";

const APPS = "https://open.feishu.cn/app";
const NEEDS: readonly EnvNeed[] = [
  { name: "FEISHU_APP_ID", description: "ID of a Feishu or Lark app", url: APPS },
  {
    name: "FEISHU_APP_SECRET",
    description: "Secret of the Feishu or Lark app",
    url: APPS,
    hosts: ["open.feishu.cn", "open.larksuite.com", "127.0.0.1", "localhost"],
  },
];
const FILE_TOKEN: JsonSchema = { type: "string", description: "The document's token or URL" };
const COMMENT_ID: JsonSchema = { type: "string" };
const FILE_TYPE: JsonSchema = {
  type: "string",
  enum: ["docx", "doc", "sheet", "file", "slides"],
  description: "Default docx; a URL includes it",
};
const CONTENT: JsonSchema = { type: "string", description: "Plain text" };
const PAGE: { readonly [name: string]: JsonSchema } = {
  page_size: { type: "integer", minimum: 1, maximum: 100, description: "Default 100" },
  page_token: { type: "string", description: "From the previous result, for the next page" },
};

/** Tools for documents of Feishu or Lark and their comments, for the configured app. */
const register: Plugin = (ctx) => {
  let token: Promise<TenantToken> | undefined;
  const ports = async () => ({
    env: ctx.env.bind(ctx),
    fetch: ctx.fetch,
    chats: () => ctx.chats(),
    token: await (token ??= import("./tenant-token.ts").then(({ TenantToken }) => new TenantToken(ctx))),
  });
  const speaker = async ({ sessionId }: Pick<RiskContext, "sessionId">) => (await ctx.chats()).speaker(sessionId);

  const assessWrite = async (name: FeishuTool, input: FeishuInput, call: RiskContext): Promise<Assessment> => {
    const { riskOfComment, reachOfComment } = await import("./comment-risk.ts");
    const from = await speaker(call);
    return {
      touches: [],
      untrusted: false, // The answer repeats what was written.
      risk: riskOfComment(name, input, from),
      egress: reachOfComment(name, input, from),
      survey: async (signal) =>
        (await import("./survey-document.ts")).surveyDocument(name, input, await ports(), signal),
    };
  };

  function add(
    name: FeishuTool,
    effect: "read" | "write",
    description: string,
    properties: { readonly [name: string]: JsonSchema },
    required: readonly string[],
  ): void {
    ctx.tool(
      defineTool({
        name,
        toolset: name === "feishu_doc_read" ? "feishu_doc" : "feishu_drive",
        emoji: name === "feishu_doc_read" ? "📄" : "💬",
        description,
        input: {
          type: "object",
          properties: properties as { readonly file_type: JsonSchema },
          required: [...required],
        },
        env: NEEDS,
        needsOneOf: ["env:FEISHU_APP_ID"],
        available,
        timeoutMs: 60_000,
        effect,
        execute: async (given, call) =>
          (await import("./run-call.ts")).runCall(name, given as FeishuInput, call, await ports()),
        assess: (given, call) =>
          effect === "read"
            ? { untrusted: { source: "Feishu", host: apiHost(ctx.env.bind(ctx)) }, egress: [] }
            : assessWrite(name, given as FeishuInput, call),
      }),
    );
  }

  add("feishu_doc_read", "read", "Reads the text of a Feishu or Lark document.", { doc_token: FILE_TOKEN }, [
    "doc_token",
  ]);
  add(
    "feishu_drive_list_comments",
    "read",
    "Lists comments on a Feishu or Lark document, with replies.",
    {
      file_token: FILE_TOKEN,
      file_type: FILE_TYPE,
      is_whole: { type: "boolean", description: "Only comments on the whole document" },
      ...PAGE,
    },
    ["file_token"],
  );
  add(
    "feishu_drive_list_comment_replies",
    "read",
    "Lists all replies to a comment on a Feishu or Lark document.",
    { file_token: FILE_TOKEN, comment_id: COMMENT_ID, file_type: FILE_TYPE, ...PAGE },
    ["file_token", "comment_id"],
  );
  add(
    "feishu_drive_add_comment",
    "write",
    "Adds a comment on a whole Feishu or Lark document.",
    { file_token: FILE_TOKEN, content: CONTENT, file_type: FILE_TYPE },
    ["file_token", "content"],
  );
  add(
    "feishu_drive_reply_comment",
    "write",
    "Replies to a comment on a passage of a Feishu or Lark document. Comments on the whole document accept no replies: use feishu_drive_add_comment.",
    { file_token: FILE_TOKEN, comment_id: COMMENT_ID, content: CONTENT, file_type: FILE_TYPE },
    ["file_token", "comment_id", "content"],
  );
};

function available({ env }: Probe): Availability {
  if (env("FEISHU_APP_SECRET") === undefined) return { ok: false, reason: "FEISHU_APP_SECRET is not set." };
  const wrong = wrongDomain(env);
  return wrong === undefined || env("FEISHU_API_BASE_URL") !== undefined ? { ok: true } : { ok: false, reason: wrong };
}

export default register;
