import {
  definedFields,
  ToolFailure,
  UserError,
  type ChatPost,
  type Destination,
  type JsonObject,
} from "hermes-agent/plugin";
import type { ListedChat } from "./channel-directory.ts";
import type { MessageInput } from "./message-input.ts";
import { homesOf, placesOf, targetOf, type Speaker } from "./send-target.ts";

/**
 * Puts the message into the outbox of the chat, from which the gateway sends it.
 * @param key Idempotency key of the call, so that the message is not queued twice.
 */
export async function sendMessage(
  input: MessageInput,
  chats: ChatPost,
  { whose }: Speaker,
  key: string,
): Promise<JsonObject> {
  const text = input.message?.trim() ?? "";
  if (text === "") throw new ToolFailure("bad_arguments", "message is empty.");
  if (/^\s*MEDIA:\s*\S/m.test(text))
    throw new ToolFailure("bad_arguments", "This tool sends only text, not files.", {
      hint: "Remove MEDIA: and write where the file is.",
    });
  const places = placesOf(input.target, chats);
  const homes = homesOf(chats);
  const hidden = (place: Destination): boolean => whose !== undefined && homes.has(targetOf(place));
  const sent: JsonObject[] = [];
  for (const place of places) {
    try {
      await chats.deliver({ ...place, key: `${key}:${targetOf(place)}` }, text);
    } catch (cause) {
      if (!(cause instanceof UserError)) throw cause;
      throw new ToolFailure("not_found", cause.message, {
        hint: `${cause.hint ?? ""} Use action='list' to list the targets.`.trim(),
        cause,
      });
    }
    sent.push(
      definedFields({
        platform: place.platform,
        chat_id: hidden(place) ? null : (place.chatId ?? null),
        thread_id: place.threadId === undefined || hidden(place) ? undefined : place.threadId,
      }),
    );
  }
  const note = (await chats.running())
    ? "The message is in the outbox; the gateway sends it."
    : "The message is in the outbox; the gateway sends it once it runs.";
  return { success: true, ...(sent.length === 1 ? sent[0] : { sent }), note };
}

/**
 * Lists targets: home channels, then recent chats, then those of the directory. In another user's chat, shows no chat
 * IDs except its own.
 */
export async function listTargets(
  chats: ChatPost,
  { whose, chat }: Speaker,
  directory: readonly ListedChat[] = [],
): Promise<JsonObject> {
  const homes = chats.destinations("all", null);
  if (whose !== undefined) {
    const own =
      chat === undefined
        ? []
        : [
            `${targetOf({ platform: chat.platform, chatId: chat.chat_id, threadId: chat.thread_id || undefined })} (this chat)`,
          ];
    return {
      targets: [...homes.map(({ platform }) => `${platform} (home channel of my owner)`), ...own].join("\n") || "None.",
    };
  }
  const received = (await chats.heard()).filter(
    ({ platform, chatId }) => !homes.some((home) => home.platform === platform && home.chatId === chatId),
  );
  const lines = [
    ...homes.map((home) => `${home.platform} (home channel, ${targetOf(home)})`),
    ...received.map(targetOf),
  ];
  const known = new Set([...homes, ...received].map(targetOf));
  for (const one of directory) if (!known.has(targetOf(one))) lines.push(`${targetOf(one)} (${one.name})`);
  return {
    targets: lines.length === 0 ? "No home channel is set, and no chat has sent a message yet." : lines.join("\n"),
  };
}
