import { ToolFailure, type ChatPost, type Destination, type Reach, type Risk } from "hermes-agent/plugin";
import type { MessageInput } from "./message-input.ts";

/** @throws {ToolFailure} for what names no place. */
export function placesOf(
  target: string | undefined,
  chats: Pick<ChatPost, "platforms" | "destinations">,
): readonly Destination[] {
  const named = target?.trim() ?? "";
  if (named === "")
    throw new ToolFailure("bad_arguments", "The target is missing.", {
      hint: "PLATFORM for its home channel, PLATFORM:CHAT, PLATFORM:CHAT:THREAD; action='list' shows them.",
    });
  const places = chats.destinations(named, null);
  if (places.length === 0)
    throw new ToolFailure("not_found", "No chat platform has a home channel.", { hint: "Name a chat: PLATFORM:CHAT." });
  const unknown = places.find(({ platform }) => !chats.platforms().some(({ name }) => name === platform));
  if (unknown !== undefined)
    throw new ToolFailure("not_found", `There is no chat platform "${unknown.platform}".`, {
      hint: `There is: ${
        chats
          .platforms()
          .map(({ name }) => name)
          .join(", ") || "none"
      }.`,
    });
  return places;
}

/** As it is written. */
export function targetOf({ platform, chatId, threadId }: Destination): string {
  return [platform, ...(chatId === undefined ? [] : [chatId]), ...(threadId === undefined ? [] : [threadId])].join(":");
}

export type Speaker = Awaited<ReturnType<ChatPost["speaker"]>>;

/** The owner's own chats, as they are written. */
export function homesOf(chats: Pick<ChatPost, "destinations">): ReadonlySet<string> {
  return new Set(chats.destinations("all", null).map(targetOf));
}

/** A home channel is the owner's own; any other chat is somebody's, and so is a home channel to somebody else. Nothing is sent there without a yes. */
export function riskOfSending(
  { target, message }: MessageInput,
  chats: Pick<ChatPost, "platforms" | "destinations">,
  { whose }: Speaker,
): Risk | undefined {
  let places: readonly Destination[];
  try {
    places = placesOf(target, chats);
  } catch {
    return undefined; // Nothing is sent: the call itself says why.
  }
  const homes = homesOf(chats);
  const isHome = (place: Destination): boolean => homes.has(targetOf(place));
  // The id of a home channel is not told to whom it is somebody's.
  const others = places
    .filter((place) => whose !== undefined || !isHome(place))
    .map((place) => (isHome(place) ? place.platform : targetOf(place)));
  if (others.length === 0) return undefined;
  return {
    answer: "ask",
    key: `message to ${others.join(", ")}`,
    reasons: [`Sends to ${others.join(", ")}: “${short(message ?? "")}”`],
    effects: [],
  };
}

export function reachOfSending({ target, message }: MessageInput): readonly Reach[] {
  return [{ kind: "send", what: `${target ?? "a chat"}: “${short(message ?? "")}”` }];
}

function short(text: string): string {
  return text.length > 300 ? `${text.slice(0, 299).toWellFormed()}…` : text;
}
