import { createHash } from "node:crypto";
import type { PriorMessage } from "./read-conversation.ts";

/** The session of a conversation that begins with these words: what the original calls it, so that its programs find the same. */
export function derivedSessionId(system: string, firstUser: string): string {
  return `api-${sha256(`${system}\n${firstUser}`).slice(0, 16)}`;
}

/** By which a conversation is known again when it is sent again. Programs tidy up spaces; nothing else of it may differ. */
export function conversationDigest(system: string, message: readonly PriorMessage[]): string {
  return sha256(JSON.stringify([plain(system), ...message.map(({ who, text }) => [who, plain(text)])]));
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
