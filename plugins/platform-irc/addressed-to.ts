import { foldName } from "./wire/irc-line.ts";

/** The text of a channel message addressed to one of these nicknames; `undefined` if it is not addressed to them. */
export function addressedTo(nicknames: readonly string[], text: string): string | undefined {
  const message = text.trim();
  for (const nickname of nicknames) {
    const at = message.startsWith("@") ? 1 : 0;
    if (foldName(message.slice(at, at + nickname.length)) !== foldName(nickname)) continue;
    const rest = message.slice(at + nickname.length);
    if (/^(?:[:,\s]|$)/.test(rest)) return rest.slice(1).trim();
  }
  return undefined;
}
