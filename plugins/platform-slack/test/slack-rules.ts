import type { IncomingMessage } from "node:http";

export const APP_TOKEN = "xapp-1-app-token-of-the-test";
export const BOT_TOKEN = "xoxb-bot-token-of-the-test";
/** Of a second workspace. */
export const OTHER_TOKEN = "xoxb-other-token-of-the-test";
export const BOT = "U0BOT";

export type Row = { readonly [name: string]: unknown };

export interface Team {
  readonly id: string;
  readonly name: string;
  readonly channels: { readonly [id: string]: Row };
}

export const TEAMS: { readonly [token: string]: Team } = {
  [BOT_TOKEN]: {
    id: "T1",
    name: "Tea house",
    channels: {
      C51: { name: "free" },
      C52: { name: "team" },
      D41: { is_im: true, user: "U702" },
    },
  },
  [OTHER_TOKEN]: { id: "T2", name: "Boat house", channels: { C61: { name: "boats" } } },
};
export const USERS: { readonly [id: string]: string } = { U701: "ada", U702: "bob" };

/** Parameters of each method; `!` marks the required ones. */
const PARAMETERS: { readonly [method: string]: string } = {
  "auth.test": "",
  "apps.connections.open": "",
  "users.info": "user!",
  "users.conversations": "types exclude_archived limit cursor",
  "conversations.info": "channel!",
  "conversations.open": "users!",
  "conversations.replies": "channel! ts! limit",
  "chat.postMessage": "channel! text! thread_ts reply_broadcast blocks",
  "chat.update": "channel! ts! text! blocks",
  "chat.delete": "channel! ts!",
  "reactions.add": "channel! timestamp! name!",
  "reactions.remove": "channel! timestamp! name!",
  "files.getUploadURLExternal": "filename! length!",
  "files.completeUploadExternal": "files! channel_id thread_ts initial_comment",
  "files.info": "file!",
};

export interface Call {
  readonly team: string;
  readonly method: string;
  readonly params: { readonly [name: string]: string };
}

/** An error that Slack names. */
export class Fault extends Error {}

/** Slack takes the token as a header, or as a parameter. */
export function tokenOf(request: IncomingMessage, body: Buffer): string {
  const header = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "")?.[1];
  return header ?? new URLSearchParams(body.toString()).get("token") ?? "";
}

export function paramsOf(request: IncomingMessage, body: Buffer): { readonly [name: string]: string } {
  const type = request.headers["content-type"] ?? "";
  if (body.length > 0 && !type.startsWith("application/x-www-form-urlencoded")) throw new Fault("invalid_post_type");
  const { token: _, ...params } = Object.fromEntries(new URLSearchParams(body.toString()));
  return params;
}

/** What Slack would refuse. */
export function check({ method, params }: Call, token: string): void {
  const known = PARAMETERS[method];
  if (known === undefined) throw new Fault("unknown_method");
  if (token === "") throw new Fault("not_authed");
  if (token !== APP_TOKEN && TEAMS[token] === undefined) throw new Fault("invalid_auth");
  if ((token === APP_TOKEN) !== (method === "apps.connections.open")) throw new Fault("not_allowed_token_type");
  const names = known.split(" ");
  const unknown = Object.keys(params).find((name) => !names.includes(name) && !names.includes(`${name}!`));
  if (unknown !== undefined) throw new Fault(`invalid_arguments: ${unknown}`);
  for (const name of names)
    if (name.endsWith("!") && (params[name.slice(0, -1)] ?? "") === "")
      throw new Fault(name === "text!" ? "no_text" : `invalid_arguments: ${name}`);
  if ((params["text"] ?? "").length > 40_000) throw new Fault("msg_too_long");
  const blocks = JSON.parse(params["blocks"] ?? "[]") as readonly {
    readonly type: string;
    readonly text?: { readonly type: string; readonly text: string };
    readonly elements?: readonly { readonly value: string; readonly action_id: string; readonly text: Row }[];
  }[];
  const buttons = blocks.flatMap(({ elements = [] }) => elements);
  const wrong =
    blocks.length > 50 ||
    blocks.some(({ type, text }) => type === "section" && (text?.type !== "mrkdwn" || text.text.length > 3_000)) ||
    blocks.some(({ type, elements = [] }) => type === "actions" && (elements.length === 0 || elements.length > 25)) ||
    buttons.some(({ value, text }) => value.length > 2_000 || String(text["text"]).length > 75) ||
    new Set(buttons.map(({ action_id }) => action_id)).size !== buttons.length;
  if (wrong) throw new Fault("invalid_blocks");
}

/** The bytes of an uploaded file: the body, or the only file of a form. */
export async function contentOf(request: IncomingMessage, body: Buffer): Promise<Buffer> {
  const type = request.headers["content-type"] ?? "";
  if (!type.startsWith("multipart/form-data")) return body;
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
  const parts = [...form.values()].filter((value) => typeof value !== "string");
  return parts.length === 1 ? Buffer.from(await parts[0]!.arrayBuffer()) : Buffer.alloc(0);
}
