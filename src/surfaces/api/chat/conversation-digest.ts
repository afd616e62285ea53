import { createHash } from "node:crypto";
import type { PriorMessage } from "./read-conversation.ts";

/**
 * The session id of a conversation that starts with this text. Same as in the original, so that its clients find the
 * session.
 */
export function derivedSessionId(system: string, firstUser: string): string {
  return `api-${sha256(`${system}\n${firstUser}`).slice(0, 16)}`;
}

/** Identifies a conversation that a client resends. Clients may change white space; everything else must be equal. */
export function conversationDigest(system: string, message: readonly PriorMessage[]): string {
  return sha256(JSON.stringify([plain(system), ...message.map(({ who, text }) => [who, plain(text)])]));
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
