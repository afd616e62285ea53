/** A number of tokens, with or without separators. */
const N = String.raw`(\d[\d,_.]*\d|\d)`;

/** How services name their window when they refuse a request; the first group is the window. */
const WORDINGS: readonly RegExp[] = [
  // OpenAI, vLLM, OpenRouter, DeepSeek, Mistral, xAI
  `maximum (?:context|prompt|input|sequence|model) length(?: allowed)?\\s*(?:is|of|=|:|\\()?\\s*(?:only\\s+)?${N}`,
  // Anthropic: prompt is too long: 210000 tokens > 200000 maximum
  `>\\s*${N}\\s*(?:tokens\\s*)?(?:maximum|limit|\\(max)`,
  // Anthropic: input length and `max_tokens` exceed context limit: 190000 + 21333 > 200000
  `context (?:limit|window|length)[^.]{0,80}>\\s*${N}`,
  // Gemini: exceeds the maximum number of tokens allowed (1048576)
  `maximum number of (?:input )?tokens(?: allowed)?\\s*(?:is|of|:|\\()?\\s*${N}`,
  // llama.cpp: exceeds the available context size (4096 tokens)
  `context (?:size|window|length|limit)[^.\\d]{0,40}${N}\\s*(?:tokens|\\))`,
  // Qwen: Range of input length should be [1, 30720]
  `range of input length should be \\[\\s*\\d+\\s*,\\s*${N}`,
  // TGI: \`inputs\` tokens + \`max_new_tokens\` must be <= 4096
  `must (?:be|have)\\s*(?:<=|less than(?: or equal to)?|at most)\\s*${N}(?!.*seconds)`,
  // LM Studio: trying to keep the first 9000 tokens when the model is loaded with context length of only 4096 tokens
  `context length of (?:only\\s+)?${N}`,
  `n_ctx["']?\\s*[:=]\\s*${N}`,
  `max_model_len["']?\\s*(?:[:=(]|of|is)?\\s*${N}`,
  `limit(?:ed)? (?:is|of|to)\\s*${N}\\s*tokens`,
  `supports? (?:at most|up to|a maximum of)\\s*${N}\\s*(?:completion |input |context )?tokens`,
].map((source) => new RegExp(source, "i"));

/** The window that a service names when it finds a request too long; `undefined` if it names none. */
export function windowInError(text: string): number | undefined {
  for (const wording of WORDINGS) {
    const found = wording.exec(text)?.[1];
    const tokens = found === undefined ? Number.NaN : Number(found.replace(/[,_.]/g, ""));
    if (tokens >= 256 && tokens <= 20_000_000) return tokens;
  }
  return undefined;
}
