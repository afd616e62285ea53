import {
  definedFields,
  ToolFailure,
  UserError,
  type ChatPost,
  type Destination,
  type JsonObject,
} from "hermes-agent/plugin";
import type { MessageInput } from "./message-input.ts";
import { homesOf, placesOf, targetOf, type Speaker } from "./send-target.ts";

/**
 * Puts the message into the outbox of the chats, from which the gateway sends it.
 * @param key Of this call: what was put there under it once is not sent again.
 */
export async function sendMessage(
  input: MessageInput,
  chats: ChatPost,
  { whose }: Speaker,
  key: string,
): Promise<JsonObject> {
  const text = input.message?.trim() ?? "";
  if (text === "") throw new ToolFailure("bad_arguments", "There is no message to send.");
  if (/^\s*MEDIA:\s*\S/m.test(text))
    throw new ToolFailure("bad_arguments", "Files cannot be sent from here; a message is text.", {
      hint: "Leave out MEDIA: and say where the file is.",
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
        hint: `${cause.hint ?? ""} action='list' shows where messages can go.`.trim(),
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
    ? "It is in the outbox, and the gateway sends it."
    : "It is in the outbox, and is sent once the gateway runs.";
  return { success: true, ...(sent.length === 1 ? sent[0] : { sent }), note };
}

/** What can be written as a target: home channels, then chats that wrote lately. In the chat of somebody else no ids of chats but its own are told. */
export async function listTargets(chats: ChatPost, { whose, chat }: Speaker): Promise<JsonObject> {
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
  return { targets: lines.length === 0 ? "No home channel is set, and no chat has written yet." : lines.join("\n") };
}
