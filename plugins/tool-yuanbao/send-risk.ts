import { ToolFailure, type Egress, type Risk } from "hermes-agent/plugin";
import type { Service } from "./yuanbao-service.ts";
import { checked, memberNamed, type DirectInput } from "./send-direct.ts";
import { stickerChat, type StickerInput } from "./send-sticker.ts";
import { reachOfSending, riskOfSending, type Speaker } from "./chat-scope.ts";

/** Asks before sending to another chat; files leave the machine, so they ask even in the own chat. */
export function riskOfDirect(given: DirectInput, speaker: Speaker): Risk | undefined {
  const sending = directly(given, speaker);
  return sending === undefined ? undefined : riskOfSending(sending.chat, sending.to, sending.what, speaker);
}

export function reachOfDirect(given: DirectInput, speaker: Speaker): readonly Egress[] {
  const sending = directly(given, speaker);
  return sending === undefined ? [] : reachOfSending(sending.chat, sending.to, sending.what, speaker);
}

/** The member that a name refers to, for the approval prompt. */
export async function surveyDirect(
  given: DirectInput,
  speaker: Speaker,
  service: Service,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { name, group, user_id } = checked(given, speaker);
  if (user_id !== "" || speaker.whose !== undefined) return [];
  const found = await service.use((line) => memberNamed(name, group, line, signal), signal);
  return [`“${name}” is ${found.nickname}, account ${found.user_id}`];
}

export function riskOfSticker(given: StickerInput, speaker: Speaker): Risk | undefined {
  const chat = orNothing(() => stickerChat(given, speaker));
  return chat === undefined ? undefined : riskOfSending(chat, chat, stickerWords(given), speaker);
}

export function reachOfSticker(given: StickerInput, speaker: Speaker): readonly Egress[] {
  const chat = orNothing(() => stickerChat(given, speaker));
  return chat === undefined ? [] : reachOfSending(chat, chat, stickerWords(given), speaker);
}

function directly(
  given: DirectInput,
  speaker: Speaker,
): { readonly chat: string | undefined; readonly to: string; readonly what: string } | undefined {
  const input = orNothing(() => checked(given, speaker));
  if (input === undefined) return undefined;
  const { user_id, name, group, message, paths } = input;
  const files = paths.length === 0 ? [] : [`${paths.length === 1 ? "the file" : "the files"} ${paths.join(", ")}`];
  const what = [...(message === "" ? [] : [`“${short(message)}”`]), ...files].join(" and ");
  return {
    chat: user_id === "" || paths.length > 0 ? undefined : `direct:${user_id}`,
    to: user_id === "" ? `“${short(name)}” of group ${group}` : `direct:${user_id}`,
    what,
  };
}

function stickerWords({ sticker }: StickerInput): string {
  return (sticker ?? "").trim() === "" ? "any sticker" : `the sticker “${short(sticker!.trim())}”`;
}

/** `undefined` if the call will be refused anyway. */
function orNothing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (cause) {
    if (cause instanceof ToolFailure) return undefined;
    throw cause;
  }
}

function short(text: string): string {
  return text.length > 300 ? `${text.slice(0, 299).toWellFormed()}…` : text;
}
