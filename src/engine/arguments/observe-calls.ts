import type { ModelEnd } from "../../contract/providers/model.ts";
import { textOf, type AnswerPart } from "../../contract/conversation/part.ts";
import { spokenCalls, type SpokenCalls } from "./textual-calls.ts";
import type { TurnDesk } from "../turn/turn-resources.ts";

type Answer = Pick<Extract<ModelEnd, { kind: "answer" }>, "parts" | "finish">;

/** An answer as it was meant, and what the model is told when that cannot be known. */
export interface Heard extends Answer {
  readonly note?: string;
}

/**
 * Calls that a model wrote into its words become calls: those that change nothing, and any in the format that its kind is trained to call with.
 * Where strangers' words are in the conversation the model may be repeating theirs, so nothing that changes anything is taken from words.
 */
export async function hearCalls(desk: TurnDesk, { parts, finish }: Answer): Promise<Heard> {
  const { transcript, ports } = desk;
  if (finish !== "stop" || parts.some((part) => part.type === "tool-call")) return { parts, finish };
  const spoken = spokenCalls(textOf(parts), new Set((transcript.prefix?.tools ?? []).map(({ name }) => name)));
  if (spoken === undefined) return { parts, finish };
  const made = [
    ...parts.filter((part) => part.type === "reasoning"),
    ...wordsOf(spoken),
    ...spoken.calls.map(({ tool, args }): AnswerPart => ({ type: "tool-call", callId: ports.ids("call"), tool, args })),
  ];
  if ((spoken.marked && transcript.foreign.state === undefined) || (await changeNothing(desk, spoken)))
    return { parts: made, finish: "tool-calls" };
  const note = `[Your answer holds a call of ${spoken.calls[0]!.tool} in its text, and nothing was run. To run it, make the call itself. If the text was meant for the person, send it again.]`;
  return transcript.open?.said.has(note) === true ? { parts, finish } : { parts, finish, note };
}

function wordsOf({ text }: SpokenCalls): readonly AnswerPart[] {
  return text === "" ? [] : [{ type: "text", text }];
}

async function changeNothing(desk: TurnDesk, { calls }: SpokenCalls): Promise<boolean> {
  const judged = await Promise.all(
    calls.map(({ tool, args }) =>
      desk.ports.judgeEffect({ turnId: "", callId: "", tool, args, by: "model" }, desk.calls()),
    ),
  );
  return judged.every(({ parallel }) => parallel);
}
