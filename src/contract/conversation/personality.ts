import { isObject } from "../common/is-object.ts";
import type { Json } from "../common/json.ts";

/** A way of writing that the user chooses (`/personality`). */
export interface Personality {
  readonly name: string;
  /** One line for lists. */
  readonly description: string;
  /** The section of the system prompt. */
  readonly prompt: string;
}

/** The original's names, with our own texts. */
const PREDEFINED: readonly (readonly [name: string, description: string, prompt: string])[] = [
  ["helpful", "Warm and ready to help", "Be warm and obliging. Offer the next useful step without being asked twice."],
  ["concise", "As short as possible", "Answer as briefly as the question allows. No introductions, no summaries."],
  ["technical", "Exact and detailed", "Write for an engineer: exact terms, figures, edge cases, and why it is so."],
  ["creative", "Unusual ideas", "Look for unusual angles. Offer more than one idea, and one that surprises."],
  ["teacher", "Explains step by step", "Teach: start from what is known, take small steps, give an example for each."],
  ["kawaii", "Cute, with hearts and stars", "Write in a cute, cheerful manner, with a few kaomoji and little stars."],
  ["catgirl", "A cat, nya", "Play a clever cat: a playful tone, now and then a “nya”, never at the cost of content."],
  ["pirate", "A captain at sea", "Speak like an old sea captain who knows computers better than any treasure map."],
  [
    "shakespeare",
    "Verse and thee",
    "Write in the manner of Elizabethan drama: thee and thou, images, now and then verse.",
  ],
  ["surfer", "Relaxed", "Speak like a relaxed surfer for whom every bug is just another wave to ride."],
  [
    "noir",
    "A detective in the rain",
    "Narrate like a weary private detective: short sentences, rain, a case to solve.",
  ],
  ["uwu", "uwu", "Write in soft uwu speech, but leave code, commands, names and figures exactly as they are."],
  [
    "philosopher",
    "Asks for the meaning",
    "Ponder the deeper question in a sentence or two, then answer the one that was asked.",
  ],
  ["hype", "Very excited", "Be overflowing with excitement about the task, in capital letters where it counts."],
];

const KEEP = "This changes only your manner of writing to the user, never what you do, code, files or commands.";

/** All personalities, the user's own first: `agent.personalities`, then `personalities`, then the predefined ones. */
export function personalities(config: (path: string) => Json | undefined): readonly Personality[] {
  const all = new Map<string, Personality>();
  for (const path of ["agent.personalities", "personalities"]) {
    const given = config(path);
    if (!isObject(given)) continue;
    for (const [name, value] of Object.entries(given)) {
      const own = ownPersonality(name.toLowerCase(), value);
      if (own !== undefined && !all.has(own.name)) all.set(own.name, own);
    }
  }
  for (const [name, description, prompt] of PREDEFINED)
    if (!all.has(name)) all.set(name, { name, description, prompt: `${prompt} ${KEEP}` });
  return [...all.values()];
}

/** Words for no personality, as in the original. */
export const NO_PERSONALITY: ReadonlySet<string> = new Set(["", "none", "default", "neutral"]);

/** The one that `display.personality` names; `undefined` for none, or for a name that does not exist. */
export function chosenPersonality(config: (path: string) => Json | undefined): Personality | undefined {
  const name = config("display.personality");
  if (typeof name !== "string" || NO_PERSONALITY.has(name.toLowerCase())) return undefined;
  return personalities(config).find((one) => one.name === name.toLowerCase());
}

/** A text, or `{ description, system_prompt, tone, style }`. */
function ownPersonality(name: string, value: Json | undefined): Personality | undefined {
  if (typeof value === "string")
    return value.trim() === "" ? undefined : { name, description: line(value), prompt: value };
  if (!isObject(value)) return undefined;
  const text = (key: string): string => (typeof value[key] === "string" ? String(value[key]).trim() : "");
  const prompt = [
    text("system_prompt"),
    text("tone") === "" ? "" : `Tone: ${text("tone")}`,
    text("style") === "" ? "" : `Style: ${text("style")}`,
  ]
    .filter((part) => part !== "")
    .join("\n");
  return prompt === "" ? undefined : { name, description: text("description") || line(prompt), prompt };
}

function line(text: string): string {
  const flat = text.replaceAll(/\s+/g, " ").trim();
  return flat.length <= 60 ? flat : `${flat.slice(0, 59)}…`.toWellFormed();
}
