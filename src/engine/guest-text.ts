const MAX_CHARS = 10_000;

/** What `pre_llm_call` handlers gave, as it joins one request; `undefined` when they gave nothing. */
export function guestText(pieces: readonly (string | { readonly context: string })[]): string | undefined {
  const texts = pieces
    .map((piece) => (typeof piece === "string" ? piece : typeof piece === "object" && typeof piece.context === "string" ? piece.context : "").trim())
    .filter((text) => text !== "")
    .map((text) => (text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS).toWellFormed()}\n[${text.length - MAX_CHARS} more characters were left out]`));
  return texts.length === 0 ? undefined : texts.join("\n\n");
}
