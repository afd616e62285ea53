import type { WaitingMessage } from "../../../contract/services/gateway-service.ts";
import type { OutgoingFile } from "../../../contract/conversation/outgoing-file.ts";
import { lengthIn, splitText, type LengthUnit } from "./split-text.ts";

/** One message or file, sent and confirmed separately. */
export type OutgoingPiece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "file"; readonly file: OutgoingFile; readonly caption: string };

/**
 * Splits an answer into pieces: its text, then its files. A short text becomes the caption of the first file if the
 * platform has captions. The same answer must always give the same pieces, because the store counts the confirmed ones.
 */
export function outgoingPieces(
  { text, files = [], edits }: Pick<WaitingMessage, "text" | "files" | "edits">,
  { maxText, maxCaption, unit }: { readonly maxText: number; readonly maxCaption: number; readonly unit?: LengthUnit },
): readonly OutgoingPiece[] {
  // A text that the chat shows already cannot become a caption.
  const captioned =
    edits === undefined && files.length > 0 && text !== "" && lengthIn(text, unit ?? "utf16") <= maxCaption;
  const words =
    captioned || (text === "" && files.length > 0)
      ? []
      : splitText(text, maxText, unit).map((piece) => ({ kind: "text", text: piece }) as const);
  return [
    ...words,
    ...files.map((file, at) => ({ kind: "file", file, caption: captioned && at === 0 ? text : "" }) as const),
  ];
}
