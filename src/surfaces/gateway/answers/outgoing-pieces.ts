import type { WaitingMessage } from "../../../contract/services/gateway-service.ts";
import type { OutgoingFile } from "../../../contract/conversation/outgoing-file.ts";
import { splitText } from "./split-text.ts";

/** What is sent and confirmed by itself. */
export type OutgoingPiece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "file"; readonly file: OutgoingFile; readonly caption: string };

/**
 * An answer in pieces: its words, then its files. Words that are short enough stand under the first file, where the platform has captions.
 * The same answer always gives the same pieces, for what was confirmed of it is counted.
 */
export function outgoingPieces(
  { text, files = [], edits }: Pick<WaitingMessage, "text" | "files" | "edits">,
  { maxText, maxCaption }: { readonly maxText: number; readonly maxCaption: number },
): readonly OutgoingPiece[] {
  // What stands in the chat already is no caption any more.
  const captioned = edits === undefined && files.length > 0 && text !== "" && text.length <= maxCaption;
  const words =
    captioned || (text === "" && files.length > 0)
      ? []
      : splitText(text, maxText).map((piece) => ({ kind: "text", text: piece }) as const);
  return [
    ...words,
    ...files.map((file, at) => ({ kind: "file", file, caption: captioned && at === 0 ? text : "" }) as const),
  ];
}
