import { ToolFailure, type ChatPost, type Destination, type Egress, type Risk } from "hermes-agent/plugin";
import type { MessageInput } from "./message-input.ts";

/** @throws {ToolFailure} for an invalid target. */
export function placesOf(
  target: string | undefined,
  chats: Pick<ChatPost, "platforms" | "destinations">,
): readonly Destination[] {
  const named = target?.trim() ?? "";
  if (named === "")
    throw new ToolFailure("bad_arguments", "target is missing.", {
      hint: "Use PLATFORM for its home channel, PLATFORM:CHAT or PLATFORM:CHAT:THREAD; action='list' lists the targets.",
    });
  const places = chats.destinations(named, null);
  if (places.length === 0)
    throw new ToolFailure("not_found", "No chat platform has a home channel.", { hint: "Name a chat: PLATFORM:CHAT." });
  const unknown = places.find(({ platform }) => !chats.platforms().some(({ name }) => name === platform));
  if (unknown !== undefined)
    throw new ToolFailure("not_found", `Unknown chat platform "${unknown.platform}".`, {
      hint: `Platforms: ${
        chats
          .platforms()
          .map(({ name }) => name)
          .join(", ") || "none"
      }.`,
    });
  return places;
}

/** The text form of a target. */
export function targetOf({ platform, chatId, threadId }: Destination): string {
  return [platform, ...(chatId === undefined ? [] : [chatId]), ...(threadId === undefined ? [] : [threadId])].join(":");
}

export type Speaker = Awaited<ReturnType<ChatPost["speaker"]>>;

/** Text forms of the owner's own chats. */
export function homesOf(chats: Pick<ChatPost, "destinations">): ReadonlySet<string> {
  return new Set(chats.destinations("all", null).map(targetOf));
}

/**
 * A home channel belongs to the owner. Sending to any other chat, or by another user to a home channel, needs approval.
 */
export function riskOfSending(
  { target, message }: MessageInput,
  chats: Pick<ChatPost, "platforms" | "destinations">,
  { whose }: Speaker,
): Risk | undefined {
  let places: readonly Destination[];
  try {
    places = placesOf(target, chats);
  } catch {
    return undefined; // The call will be refused with this error, so there is nothing to ask about.
  }
  const homes = homesOf(chats);
  const isHome = (place: Destination): boolean => homes.has(targetOf(place));
  // Do not show the ID of a home channel to other users.
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

export function reachOfSending({ target, message }: MessageInput): readonly Egress[] {
  return [{ kind: "send", what: `${target ?? "a chat"}: “${short(message ?? "")}”` }];
}

function short(text: string): string {
  return text.length > 300 ? `${text.slice(0, 299).toWellFormed()}…` : text;
}
