/** Below that a model reads so little that half of it would be used up by the first files. */
const WIDE = 512_000;
const MIN_SHARE = 0.75;
const MIN_TOKENS = 64_000;
/** Of a window that is no larger than the least. */
const SMALL_SHARE = 0.85;

/** How long a conversation may get: a share of what the model reads, once what it may answer is set aside. */
export function thresholdTokens(
  {
    context_length: window,
    max_output_tokens: answer,
  }: { readonly context_length: number; readonly max_output_tokens: number },
  share: number,
): number {
  const usable = Math.max(window - answer, Math.floor(window / 2));
  const wanted = Math.floor(usable * (window < WIDE ? Math.max(share, MIN_SHARE) : share));
  return window <= MIN_TOKENS
    ? Math.floor(usable * SMALL_SHARE)
    : Math.min(Math.max(wanted, MIN_TOKENS), Math.floor(window * SMALL_SHARE));
}
