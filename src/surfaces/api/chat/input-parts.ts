import type { Part } from "../../../contract/conversation/part.ts";
import { API_PLATFORM } from "../../shared/gateway/api-plan.ts";
import type { PriorMessage } from "./read-conversation.ts";

/** Maximum characters of an imported conversation. */
const MAX_CHARS = 100_000;

/**
 * The input of a session that starts with a conversation from a client. The caller has the owner's key, so the user
 * messages count as the user's. The author of the assistant messages is unknown, so they are untrusted content.
 */
export function importedParts(history: readonly PriorMessage[], input: readonly Part[]): readonly Part[] {
  if (history.length === 0) return input;
  const saved = newest(history);
  const left = history.length - saved.length;
  return [
    {
      type: "text",
      text: `[This conversation started elsewhere. Its messages${left === 0 ? "" : `, without the first ${left}`}:]\n`,
    },
    ...saved.flatMap(({ who, text }): readonly Part[] =>
      who === "user"
        ? [{ type: "text", text: `\n[I said:]\n${text}\n` }]
        : [
            {
              type: "text",
              text,
              from: { trust: "foreign", owner: API_PLATFORM, source: "an earlier answer, sent by the client" },
            },
          ],
    ),
    { type: "text", text: "\n[Now I say:]\n" },
    ...input,
  ];
}

/** Adds instructions to one message, because the system prompt of a session does not change. */
export function instructedParts(system: string, input: readonly Part[]): readonly Part[] {
  return system === "" ? input : [{ type: "text", text: `[For this message:]\n${system}\n\n` }, ...input];
}

function newest(history: readonly PriorMessage[]): readonly PriorMessage[] {
  let room = MAX_CHARS;
  const first = history.findLastIndex(({ text }) => (room -= text.length) < 0);
  return history.slice(first + 1);
}
