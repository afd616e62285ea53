import type { Message, ToolOffer } from "../contract/model.ts";

/** Of English text and code; a picture is counted apart. */
const CHARS_PER_TOKEN = 3.8;
const IMAGE_TOKENS = 1_600;

/** Messages of the past are the same objects in every request, so each is counted once. */
const counted = new WeakMap<object, number>();

/** About how much of a model's window a request takes. */
export function estimateTokens(request: { readonly system: string; readonly tools: readonly ToolOffer[]; readonly messages: readonly Message[] }): number {
  const prefix = request.system.length / CHARS_PER_TOKEN + once(request.tools, () => JSON.stringify(request.tools).length / CHARS_PER_TOKEN);
  return Math.ceil(request.messages.reduce((sum, message) => sum + once(message, () => tokensOf(message)), prefix));
}

function once(key: object, count: () => number): number {
  const known = counted.get(key);
  if (known !== undefined) return known;
  const value = count();
  counted.set(key, value);
  return value;
}

function tokensOf(message: Message): number {
  let images = 0;
  const text = JSON.stringify(message, (key, value: unknown) => {
    if (typeof value === "object" && value !== null && "type" in value && value.type === "image") return (images++, undefined);
    return key === "provider" ? undefined : value; // What a provider signed is not read as text.
  });
  return text.length / CHARS_PER_TOKEN + images * IMAGE_TOKENS;
}
