import { mayBecomeSilent } from "../../shared/conversation/turn-answer.ts";
import { mediaTags } from "./media-tags.ts";

/** Fewer signs are not worth a message. */
const MIN = 4;

/**
 * What is shown of an answer that is being written; `undefined`: nothing yet. Tags for files are not shown, nor the beginning of one, nor what may
 * become a word for silence. What is too long for one message is shown as far as it goes: the rest comes when it is whole.
 * @param room Characters of the platform's message; 0 is no limit.
 */
export function streamText(
  written: string,
  { cursor, room }: { readonly cursor: string; readonly room: number },
): string | undefined {
  const begun = written.replace(/(?:^|\s)(?:M|ME|MED|MEDI|MEDIA|MEDIA:[^\n]*|\[\[[^\]\n]*\]?)$/, "");
  const { text } = mediaTags(begun);
  if (text.trim().length < MIN || mayBecomeSilent(written)) return undefined;
  const most = room === 0 ? Infinity : Math.max(40, room - cursor.length - 100);
  return text.length > most ? `${text.slice(0, most).trimEnd()}…` : `${text.trimEnd()}${cursor}`;
}
