import type { IncomingHttpHeaders } from "node:http";
import type { JsonObject } from "../../../contract/common/json.ts";
import { wrongRequest } from "../http/api-failure.ts";
import { readConversation, type SentConversation } from "./read-conversation.ts";

/** A parsed `POST /v1/chat/completions`. */
export interface ChatRequest {
  readonly sent: SentConversation;
  readonly stream: boolean;
  /** Send the progress of tools as events, not as comments. */
  readonly progressEvents: boolean;
  /** The model name that the client sent; the answer repeats it. */
  readonly model: string | undefined;
  readonly sessionId: string | undefined;
  /** A repeated request with the same key does not run again. */
  readonly idempotencyKey: string | undefined;
}

const LONGEST_KEY = 256;

/** @throws {ApiFailure} */
export function readChatRequest(body: JsonObject, headers: IncomingHttpHeaders): ChatRequest {
  const { stream = false, model } = body;
  if (typeof stream !== "boolean" && stream !== null) throw wrongRequest('"stream" must be true or false.', "stream");
  if (body["n"] !== undefined && body["n"] !== null && body["n"] !== 1)
    throw wrongRequest('"n" must be 1: an agent gives one answer.', "n");
  const key = headers["idempotency-key"];
  if (Array.isArray(key) || (key !== undefined && (key === "" || key.length > LONGEST_KEY)))
    throw wrongRequest(`Idempotency-Key must have 1 to ${LONGEST_KEY} characters.`);
  return {
    sent: readConversation(body["messages"], "messages"),
    stream: stream === true,
    progressEvents: headers["x-hermes-tool-progress"] === "events",
    model: typeof model === "string" && model !== "" ? model : undefined,
    sessionId: sessionIdOf(headers["x-hermes-session-id"], "X-Hermes-Session-Id"),
    idempotencyKey: key,
  };
}

/** A session id that is also safe as a file name. @throws {ApiFailure} */
export function sessionIdOf(given: unknown, name: string): string | undefined {
  if (given === undefined || given === null || given === "") return undefined;
  if (typeof given === "string" && /^[A-Za-z0-9][\w.-]{0,127}$/.test(given) && !given.includes("..")) return given;
  throw wrongRequest(
    `${name} must have 1 to 128 letters, digits, dots, dashes and underscores, and start with a letter or a digit.`,
  );
}
