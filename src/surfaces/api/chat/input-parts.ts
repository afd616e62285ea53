import type { Part } from "../../../contract/conversation/part.ts";
import { API_PLATFORM } from "../../shared/gateway/api-plan.ts";
import type { PriorMessage } from "./read-conversation.ts";

/** Of a conversation from elsewhere, what a session begins with. */
const MAX_CHARS = 100_000;

/**
 * What a session is told that has not held this conversation itself. The caller has the owner's key, so what the user said are the person's words;
 * what some assistant answered was written by nobody known: it carries an author, and is data.
 */
export function importedParts(history: readonly PriorMessage[], input: readonly Part[]): readonly Part[] {
  if (history.length === 0) return input;
  const saved = newest(history);
  const left = history.length - saved.length;
  return [
    {
      type: "text",
      text: `[This conversation began elsewhere. What was said in it${left === 0 ? "" : `, without its first ${left} messages`}:]\n`,
    },
    ...saved.flatMap(({ who, text }): readonly Part[] =>
      who === "user"
        ? [{ type: "text", text: `\n[I said:]\n${text}\n` }]
        : [
            {
              type: "text",
              text,
              from: { trust: "foreign", owner: API_PLATFORM, source: "an earlier answer, as a program sends it" },
            },
          ],
    ),
    { type: "text", text: "\n[Now I say:]\n" },
    ...input,
  ];
}

/** Instructions that came later than the system prompt of the session, which stays as it is. */
export function instructedParts(system: string, input: readonly Part[]): readonly Part[] {
  return system === "" ? input : [{ type: "text", text: `[For this message:]\n${system}\n\n` }, ...input];
}

function newest(history: readonly PriorMessage[]): readonly PriorMessage[] {
  let room = MAX_CHARS;
  const first = history.findLastIndex(({ text }) => (room -= text.length) < 0);
  return history.slice(first + 1);
}
