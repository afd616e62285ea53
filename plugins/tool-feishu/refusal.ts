import { definedFields, ToolFailure, objectOf, wordsOfHost, type Json } from "hermes-agent/plugin";
import { apiHost } from "./api-address.ts";
import { wantsRest, type SentMessage } from "./exchange.ts";

/** The app lacks a permission that its developer must request. */
const NO_SCOPE = 99991672;
const INVALID = 1069302;
/** Codes of the document, comment, file and wiki services, with any HTTP status. */
const NOT_THERE: ReadonlySet<number> = new Set([1770002, 1770003, 1069304, 1069305, 1069307, 1061003, 1061007, 131005]);
const NO_ACCESS: ReadonlySet<number> = new Set([1770032, 1069303, 1061004, 131006]);

/** Turns a refusal into an error with a hint. */
export function refusalOf(
  message: SentMessage,
  env: (name: string) => string | undefined,
  options: { readonly replies?: boolean } = {},
): ToolFailure {
  const { status, code, body, headers, url } = message;
  const words = wordsOf(body["msg"]);
  const log = objectOf(body["error"])["log_id"] ?? headers["x-tt-logid"];
  const data = definedFields({
    status,
    feishu_code: code,
    log_id: typeof log === "string" && /^\w{1,64}$/.test(log) ? log : undefined,
  });
  const failure = (kind: string, text: string, hint?: string): ToolFailure =>
    new ToolFailure(kind, words === "" ? `${text}.` : `${text}: ${words}`, {
      data,
      hint,
      from: words === "" ? undefined : wordsOfHost(url),
    });
  if (wantsRest(message)) return failure("unreachable", "Feishu's rate limit is reached");
  if (code === NO_SCOPE) {
    const scopes = scopesOf(body["error"]);
    const hint = `The user can add one at https://${apiHost(env)}/app, under Permissions & Scopes, and then publish a version of the app.`;
    return scopes.length === 0
      ? failure("refused", "The app lacks a permission for this", hint)
      : new ToolFailure("refused", `The app lacks a permission for this, one of: ${scopes.join(", ")}.`, {
          data,
          hint,
        });
  }
  if (NOT_THERE.has(code) || status === 404)
    return failure(
      "not_found",
      `Feishu found no such document or comment (${code})`,
      "Its type may differ: file_type must match, and a wiki page needs its whole URL.",
    );
  if (NO_ACCESS.has(code) || status === 403)
    return failure(
      "refused",
      `The app may not see or do this (${code})`,
      "The app sees only documents that are shared with it: in the document's menu …, More, Add document app. To comment, it also needs that permission.",
    );
  if (code === INVALID && options.replies === true)
    return failure(
      "refused",
      `Feishu accepts no reply to this comment (${code})`,
      "Comments on the whole document and resolved comments accept no replies. Use feishu_drive_add_comment to write a new one.",
    );
  return failure(status >= 500 ? "unreachable" : "refused", `Feishu answered with error ${code}`);
}

function wordsOf(message: Json | undefined): string {
  // Drops anything that looks like an app token.
  return typeof message === "string"
    ? message
        .replaceAll(/\s+/g, " ")
        .replaceAll(/\b[a-z]-[\w-]{16,}/g, "…")
        .trim()
        .slice(0, 300)
        .toWellFormed()
    : "";
}

function scopesOf(error: Json | undefined): readonly string[] {
  const violations = objectOf(error)["permission_violations"];
  const subjects = Array.isArray(violations)
    ? (violations as readonly Json[]).map((one) => objectOf(one)["subject"])
    : [];
  return subjects
    .filter((subject): subject is string => typeof subject === "string" && /^[a-z][\w.:-]{1,99}$/i.test(subject))
    .slice(0, 20);
}
