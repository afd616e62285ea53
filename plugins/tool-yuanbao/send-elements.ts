import { createHash } from "node:crypto";
import { OutcomeUnknown, ToolFailure, type JsonObject } from "hermes-agent/plugin";
import type { Line } from "./wire/line.ts";
import { ANSWER, TO_GROUP, TO_USER, type Element } from "./wire/messages.ts";

/** One message of a call. */
export interface Piece {
  readonly elements: readonly Element[];
  /** A phrase that names the content, for errors of later messages. */
  readonly what: string;
}

export interface Sending {
  /** `direct:ACCOUNT` or `group:CODE`. */
  readonly chat: string;
  /** The group from which a direct chat started. */
  readonly group?: string | undefined;
  /** The group message to reply to. */
  readonly answers?: string | undefined;
  /** Idempotency key of the call: repeated messages have the same IDs, so that the service can deduplicate them. */
  readonly key: string;
}

/**
 * Sends the messages in order. @returns The ID of the last one. An error names the messages that were sent before it.
 */
export async function sendPieces(
  pieces: readonly Piece[],
  sending: Sending,
  line: Line,
  signal: AbortSignal,
): Promise<string> {
  let last = "";
  for (const [at, { elements, what }] of pieces.entries()) {
    try {
      last = await send(elements, { ...sending, key: `${sending.key}:${at}` }, line, signal);
    } catch (cause) {
      throw at === 0 ? cause : message(cause, what, pieces.slice(0, at), last);
    }
  }
  return last;
}

async function send(
  elements: readonly Element[],
  { chat, group, answers, key }: Sending,
  line: Line,
  signal: AbortSignal,
): Promise<string> {
  const digest = createHash("sha256").update(key).digest();
  const [id, random] = [digest.toString("hex", 0, 16), digest.readUInt32BE(16)];
  const [kind, to] = [chat.slice(0, chat.indexOf(":")), chat.slice(chat.indexOf(":") + 1)];
  const from = line.token.bot;
  if (kind === "group")
    await line.ask(
      {
        command: "send_group_message",
        request: TO_GROUP,
        response: ANSWER,
        values: { id, group: to, from, random: String(random), elements, answers: answers ?? "" },
        id,
        changes: true,
      },
      signal,
    );
  else
    await line.ask(
      {
        command: "send_c2c_message",
        request: TO_USER,
        response: ANSWER,
        values: { id, to, from, random, elements, group: group ?? "" },
        id,
        changes: true,
      },
      signal,
    );
  return id;
}

function message(cause: unknown, what: string, before: readonly Piece[], message_id: string): unknown {
  const delivered = before.map((piece) => piece.what);
  const data: JsonObject = { delivered, message_id };
  const words = `${delivered.join(", ")} sent, but not ${what}`;
  if (cause instanceof OutcomeUnknown)
    return new OutcomeUnknown(`${delivered.join(", ")} sent; the outcome of ${what} is unknown. ${cause.message}`, {
      data: { ...cause.data, ...data },
      cause,
    });
  if (cause instanceof ToolFailure)
    return new ToolFailure(cause.code, `${words}: ${cause.message}`, {
      data: { ...cause.data, success: false, ...data },
      from: cause.from,
      cause,
      hint: "Send again only what was not sent.",
    });
  return cause;
}
