import { mayBecomeSilent } from "../../shared/conversation/turn-answer.ts";
import { mediaTags } from "../../shared/conversation/media-tags.ts";

/** Fewer characters are not worth a message. */
const MIN = 4;

/**
 * The text to show of an incomplete answer; `undefined`: nothing yet. Hides file tags, incomplete tags, and text that
 * may become a silence marker. Text beyond one message is shown only when the answer is complete.
 * @param room Maximum characters of a message on the platform; 0: no limit.
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
