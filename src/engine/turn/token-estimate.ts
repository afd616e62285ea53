import type { Message, ToolOffer } from "../../contract/providers/model.ts";

/** Average for English text and code; images are counted separately. */
const CHARS_PER_TOKEN = 3.8;
const IMAGE_TOKENS = 1_600;

/** Messages of the past are the same objects in every request, so each is counted once. */
const counted = new WeakMap<object, number>();

/** About how much of a model's window a request takes. */
export function estimateTokens(request: {
  readonly system: string;
  readonly tools: readonly ToolOffer[];
  readonly messages: readonly Message[];
}): number {
  const prefix =
    request.system.length / CHARS_PER_TOKEN +
    once(request.tools, () => JSON.stringify(request.tools).length / CHARS_PER_TOKEN);
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
  const parts = message.role === "tool" ? message.results.flatMap((result) => result.parts) : message.parts;
  const images = parts.filter(({ type }) => type === "image").length;
  const plain = images === 0 && !parts.some((part) => "provider" in part && part.provider !== undefined);
  return JSON.stringify(message, plain ? undefined : readAsText).length / CHARS_PER_TOKEN + images * IMAGE_TOKENS;
}

/** Without pictures, and without what a provider signed. */
function readAsText(key: string, value: unknown): unknown {
  const image = typeof value === "object" && value !== null && "type" in value && value.type === "image";
  return image || key === "provider" ? undefined : value;
}
