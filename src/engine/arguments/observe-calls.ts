import type { ModelEnd } from "../../contract/providers/model.ts";
import { textOf, type AnswerPart } from "../../contract/conversation/part.ts";
import type { TextualCalls } from "./textual-calls.ts";
import { mayHoldCall } from "./words-on-the-way.ts";
import type { TurnResources } from "../turn/turn-resources.ts";

type Answer = Pick<Extract<ModelEnd, { kind: "answer" }>, "parts" | "finish">;

/** The answer with its textual calls extracted, and the note for the model if its meaning is unclear. */
export interface Received extends Answer {
  readonly note?: string;
}

/**
 * Turns calls that a model wrote in its text into calls: those that change nothing, and any in the format that this
 * model family is trained on. While the conversation holds untrusted content, the model may be repeating it, so no call
 * that changes anything is taken from text.
 */
export async function observeCalls(resources: TurnResources, { parts, finish }: Answer): Promise<Received> {
  const { transcript, ports } = resources;
  if (finish !== "stop" || parts.some((part) => part.type === "tool-call")) return { parts, finish };
  const text = textOf(parts);
  if (!mayHoldCall(text)) return { parts, finish };
  const { textualCalls, unreadableCall } = await import("./textual-calls.ts");
  const offered = new Set((transcript.prefix?.tools ?? []).map(({ name }) => name));
  const spoken = textualCalls(text, offered);
  if (spoken === undefined) {
    const broken = unreadableCall(text, offered);
    const notes = broken === undefined ? [] : unreadableNotes(broken);
    const note = notes.find((one) => transcript.open?.said.has(one) !== true);
    return note === undefined ? { parts, finish } : { parts, finish, note };
  }
  const made = [
    ...parts.filter((part) => part.type === "reasoning"),
    ...wordsOf(spoken),
    ...spoken.calls.map(({ tool, args }): AnswerPart => ({ type: "tool-call", callId: ports.ids("call"), tool, args })),
  ];
  if ((spoken.marked && transcript.untrusted.state === undefined) || (await changeNothing(resources, spoken)))
    return { parts: made, finish: "tool-calls" };
  const note = `[Your answer contains a call of ${spoken.calls[0]!.tool} in its text, and nothing was run. To run it, make the call itself. If the text was meant for the user, send it again.]`;
  return transcript.open?.said.has(note) === true ? { parts, finish } : { parts, finish, note };
}

/** A note for each time that Hermes asks the model again. */
function unreadableNotes({ tool, why }: { readonly tool: string; readonly why: string }): readonly string[] {
  const first = `[Your answer contains a call of ${tool} in its text that cannot be read (${why}), and nothing was run.`;
  return [
    `${first} To run it, make the call itself, with complete arguments. If the text was meant for the user, send it again.]`,
    `${first} Use the tool interface instead of writing the call into the text.]`,
  ];
}

function wordsOf({ text }: TextualCalls): readonly AnswerPart[] {
  return text === "" ? [] : [{ type: "text", text }];
}

async function changeNothing(resources: TurnResources, { calls }: TextualCalls): Promise<boolean> {
  const judged = await Promise.all(
    calls.map(({ tool, args }) =>
      resources.ports.judgeEffect({ turnId: "", callId: "", tool, args, by: "model" }, resources.calls()),
    ),
  );
  return judged.every(({ parallel }) => parallel);
}
