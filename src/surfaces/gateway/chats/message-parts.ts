import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Part, Provenance } from "../../../contract/conversation/part.ts";
import type { PlatformMessage } from "../../../contract/providers/platform.ts";
import { attachmentOf } from "../../shared/conversation/attachment.ts";

const QUOTE_CHARS = 500;
const CONTEXT_CHARS = 8_000;
const NAME_CHARS = 64;

/**
 * A chat's message as a session reads it. What others wrote (what it answers, what was said before it) carries its author, so that it is data
 * and never an order.
 * @param shared Several people write in this conversation, so it says who this is.
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
            from: from("what others said in the chat before"),
          } as const,
        ]),
    ...(reply_to_text === ""
      ? []
      : [
          {
            type: "text",
            text: reply_to_text.slice(0, QUOTE_CHARS),
            from: from("the message that is answered"),
          } as const,
        ]),
    { type: "text", text },
    ...files,
  ];
}

/** An image by value; of anything else, where it lies. */
async function filePart(path: string): Promise<Part> {
  try {
    return attachmentOf(path, await readFile(path)).part;
  } catch {
    // No image, or not one that models read: tools can still look at the file.
    return { type: "text", text: `\n[A file came with it: ${basename(path)}, at ${path}]` };
  }
}

/** A name is a stranger's choice: one short line, without brackets of its own. */
function nameOf({ user_name, user_id = "?" }: PlatformMessage): string {
  // oxlint-disable-next-line no-control-regex -- taking control characters out is its purpose
  const clean = (user_name ?? "")
    .replaceAll(/[\u0000-\u001f\u007f-\u009f[\]]/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  return (clean === "" ? user_id : clean).slice(0, NAME_CHARS);
}
