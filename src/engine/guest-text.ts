const MAX_CHARS = 10_000;

/**
 * What `pre_llm_call` handlers gave, as it joins one request; `undefined` when they gave nothing.
 * @param spill Keeps the whole of a long piece and returns where; absent or failing, the rest of it is left out.
 */
export async function guestText(pieces: readonly (string | { readonly context: string })[], spill?: (text: string) => Promise<string>): Promise<string | undefined> {
  const texts: string[] = [];
  for (const piece of pieces) {
    const text = (typeof piece === "string" ? piece : typeof piece === "object" && typeof piece.context === "string" ? piece.context : "").trim();
    if (text === "") continue;
    texts.push(text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS).toWellFormed()}\n[${text.length - MAX_CHARS} more characters ${await restOf(text, spill)}]`);
  }
  return texts.length === 0 ? undefined : texts.join("\n\n");
}

async function restOf(text: string, spill: ((text: string) => Promise<string>) | undefined): Promise<string> {
  try {
    return spill === undefined ? "were left out" : `are in ${await spill(text)}`;
  } catch {
    return "were left out"; // A full disk is no reason to keep the turn waiting.
  }
}
