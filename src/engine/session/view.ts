import type { Recorded } from "../../contract/conversation/fact.ts";
import { shownOf } from "../../contract/tools/outcome.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";
import { textOf, type AnswerPart, type ImagePart, type Part } from "../../contract/conversation/part.ts";
import type { SessionView, ViewEntry } from "../../contract/conversation/session.ts";
import { COMPACTION_NOTE, turnEndNote } from "../../contract/conversation/turn-notes.ts";
import { Transcript } from "../transcript/transcript.ts";

type ToolEntry = Extract<ViewEntry, { kind: "tool" }>;
type ViewSubagent = NonNullable<ToolEntry["subagents"]>[number];

/** A conversation for display, folded from its facts. Content that was compacted away for the model is still here. */
export function viewOf(facts: Iterable<Recorded>): SessionView {
  const transcript = new Transcript();
  const entries: ViewEntry[] = [];
  /** The fact of each entry. */
  const places: number[] = [];
  const tools = new Map<string, number>();
  /** Stores how a running subagent ended. */
  const subagents = new Map<string, (ended: ViewSubagent["ended"]) => void>();
  let model: string | undefined;
  /** The entry of an answer that the output limit cut. The next answer continues it. */
  let cut: number | undefined;
  for (const recorded of facts) {
    for (let at = places.length; at < entries.length; at++) places.push(recorded.seq - 1);
    transcript.applyStored(recorded);
    const { at, fact } = recorded;
    switch (fact.type) {
      case "message.added":
        if (fact.origin !== "system") cut = undefined;
        if (fact.origin === "system") entries.push({ kind: "note", at, text: textOf(fact.parts), role: "hidden" });
        else
          entries.push({
            kind: "user",
            at,
            text: textOf(fact.parts),
            origin: fact.origin,
            ...definedFields({ images: imagesOf(fact.parts) }),
          });
        break;
      case "model.asked":
        model = fact.model;
        break;
      case "model.answered": {
        const text = textOf(fact.parts);
        const thinking = fact.parts.flatMap((part) => (part.type === "reasoning" ? [part.text] : [])).join("");
        const begun = cut === undefined ? undefined : entries[cut];
        if (cut !== undefined && begun?.kind === "assistant")
          entries[cut] = { ...begun, at, text: begun.text + text, thinking: begun.thinking + thinking };
        else if (text !== "" || thinking !== "") {
          cut = entries.length;
          entries.push({ kind: "assistant", at, text, thinking });
        }
        if (fact.finish !== "length" || fact.parts.some(({ type }) => type === "tool-call")) cut = undefined;
        break;
      }
      case "model.failed": {
        if (fact.text !== undefined) entries.push({ kind: "assistant", at, text: fact.text, thinking: "" });
        // Retries for the same reason are shown once; the end of the turn says how many there were.
        const last = entries.at(-1);
        if (last?.kind !== "note" || last.text !== fact.failure.message)
          entries.push({ kind: "note", at, text: fact.failure.message, role: "hidden" });
        break;
      }
      case "tool.called":
        if (tools.has(fact.callId)) break; // Run again after an interruption: still the same call.
        tools.set(fact.callId, entries.length);
        entries.push({
          kind: "tool",
          at,
          callId: fact.callId,
          tool: fact.tool,
          args: fact.args,
          outcome: "",
          ok: false,
          durationMs: 0,
        });
        break;
      case "tool.settled": {
        const index = tools.get(fact.callId);
        if (index === undefined) break;
        tools.delete(fact.callId); // The first end stands.
        entries[index] = {
          ...(entries[index] as ToolEntry),
          outcome: textOf(shownOf(fact.outcome)),
          ok: fact.outcome.kind === "ok",
          durationMs: fact.durationMs,
          ...definedFields({
            failure: fact.outcome.kind === "ok" ? undefined : fact.outcome,
            images: imagesOf(shownOf(fact.outcome)),
          }),
        };
        break;
      }
      case "subagent.started": {
        const index = tools.get(fact.callId);
        if (index !== undefined) subagents.set(fact.sessionId, addSubagent(entries, index, fact.goal));
        break;
      }
      case "subagent.ended": {
        const { reason, durationMs } = fact;
        subagents.get(fact.sessionId)?.({ reason, durationMs });
        subagents.delete(fact.sessionId);
        break;
      }
      case "context.compacted":
        entries.push({ kind: "note", at, text: COMPACTION_NOTE });
        break;
      case "turns.undone":
        entries.splice(placesBefore(places, fact.from));
        places.splice(entries.length);
        tools.clear();
        break;
      case "turn.ended": {
        cut = undefined;
        const end = turnEndNote(fact);
        if (end !== undefined) entries.push({ kind: "note", at, ...end });
        break;
      }
    }
  }
  return {
    title: transcript.title,
    entries,
    usage: transcript.usage,
    costUsd: transcript.costUsd,
    turns: transcript.turns,
    model: model ?? transcript.model?.model,
    tools: transcript.prefix?.tools.map((tool) => tool.name) ?? [],
    state: Object.fromEntries(transcript.state),
  };
}

/** How many entries are of earlier facts. */
function placesBefore(places: readonly number[], seq: number): number {
  const first = places.findIndex((place) => place >= seq);
  return first < 0 ? places.length : first;
}

/** `undefined`: none. */
function imagesOf(parts: readonly (Part | AnswerPart)[]): readonly ImagePart[] | undefined {
  const images = parts.filter((part) => part.type === "image");
  return images.length === 0 ? undefined : images;
}

/** @returns Stores how it ended. */
function addSubagent(entries: ViewEntry[], index: number, goal: string): (ended: ViewSubagent["ended"]) => void {
  const before = (entries[index] as ToolEntry).subagents ?? [];
  const place = before.length;
  entries[index] = { ...(entries[index] as ToolEntry), subagents: [...before, { goal }] };
  return (ended) => {
    const entry = entries[index];
    if (entry?.kind === "tool" && entry.subagents?.[place] !== undefined)
      entries[index] = { ...entry, subagents: entry.subagents.with(place, { goal, ended }) };
  };
}
