import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Part, Provenance } from "../../../contract/conversation/part.ts";
import type { PlatformMessage } from "../../../contract/providers/platform.ts";
import { attachmentOf } from "../../shared/conversation/attachment.ts";

const QUOTE_CHARS = 500;
const CONTEXT_CHARS = 8_000;
const NAME_CHARS = 64;

/**
 * Converts a chat message for the session. Text of other users (the message replied to, earlier messages) carries its
 * author, so that it is data and never an instruction.
 * @param shared Several users write in this conversation, so the message names its author.
 */
export async function messageParts(
  message: PlatformMessage,
  plugin: string,
  shared: boolean,
): Promise<string | readonly Part[]> {
  const { channel_context = "", reply_to_text = "", media_urls = [] } = message;
  const text = shared ? `[${nameOf(message)}] ${message.text}` : message.text;
  if (channel_context === "" && reply_to_text === "" && media_urls.length === 0) return text;
  const from = (source: string): Provenance => ({ trust: "foreign", owner: plugin, source });
  const files = await Promise.all(media_urls.map(filePart));
  return [
    ...(channel_context === ""
      ? []
      : [
          {
            type: "text",
            text: channel_context.slice(-CONTEXT_CHARS),
            from: from("earlier messages of the chat"),
          } as const,
        ]),
    ...(reply_to_text === ""
      ? []
      : [
          {
            type: "text",
            text: reply_to_text.slice(0, QUOTE_CHARS),
            from: from("the message replied to"),
          } as const,
        ]),
    { type: "text", text },
    ...files,
  ];
}

/** An image as data; any other file as a path. */
async function filePart(path: string): Promise<Part> {
  try {
    return attachmentOf(path, await readFile(path)).part;
  } catch {
    // Not an image that models read: tools can still read the file.
    return { type: "text", text: `\n[Attached file: ${basename(path)}, at ${path}]` };
  }
}

/** The user chooses the name, so reduce it to one short line without brackets. */
function nameOf({ user_name, user_id = "?" }: PlatformMessage): string {
  // oxlint-disable-next-line no-control-regex -- taking control characters out is its purpose
  const clean = (user_name ?? "")
    .replaceAll(/[\u0000-\u001f\u007f-\u009f[\]]/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  return (clean === "" ? user_id : clean).slice(0, NAME_CHARS);
}
