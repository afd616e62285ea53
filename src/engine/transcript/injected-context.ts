/** How to shorten long pieces. */
export interface InjectionLimits {
  /** Longer pieces go into a file, and the request has where, and both ends. */
  readonly maxChars: number;
  readonly headChars: number;
  readonly tailChars: number;
}

export const INJECTION_LIMITS: InjectionLimits = { maxChars: 10_000, headChars: 500, tailChars: 500 };

/**
 * What `pre_llm_call` handlers gave, as it joins one request; `undefined` when they gave nothing.
 * @param spill Keeps the whole of a long piece and returns where; absent or failing, the rest of it is left out.
 */
export async function injectedContext(
  pieces: readonly (string | { readonly context: string })[],
  limits: InjectionLimits,
  spill?: (text: string) => Promise<string>,
): Promise<string | undefined> {
  const texts: string[] = [];
  for (const piece of pieces) {
    const text = (
      typeof piece === "string"
        ? piece
        : typeof piece === "object" && typeof piece.context === "string"
          ? piece.context
          : ""
    ).trim();
    if (text === "") continue;
    texts.push(text.length <= limits.maxChars ? text : await shortened(text, limits, spill));
  }
  return texts.length === 0 ? undefined : texts.join("\n\n");
}

async function shortened(
  text: string,
  { maxChars, headChars, tailChars }: InjectionLimits,
  spill: ((text: string) => Promise<string>) | undefined,
): Promise<string> {
  let file: string | undefined;
  try {
    file = await spill?.(text);
  } catch {
    // A full disk is no reason to keep the turn waiting.
  }
  if (file === undefined)
    return `${text.slice(0, maxChars).toWellFormed()}\n[${text.length - maxChars} more characters were left out]`;
  const head = headChars === 0 ? "" : `\n--- head ---\n${text.slice(0, headChars).toWellFormed()}`;
  const tail = tailChars === 0 ? "" : `\n--- tail ---\n${text.slice(-tailChars).toWellFormed()}`;
  return `[A context of ${text.length} characters; all of it is in ${file}]${head}${tail}`;
}
