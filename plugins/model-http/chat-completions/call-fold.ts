import type { AnswerPart, JsonObject, ModelEvent } from "hermes-agent/plugin";
import { freshCallId } from "../wire/call-ids.ts";
import { BrokenStream } from "../wire/server-sent-events.ts";

interface CallDraft {
  readonly index: number | undefined;
  id: string;
  tool: string;
  args: string;
  extra: JsonObject | undefined;
}

type Fields = { readonly [key: string]: unknown };

/** Assembles the calls of one answer from their pieces, whatever indexes and ids the server uses. */
export class CallFold {
  readonly #calls: CallDraft[] = [];

  /** Number of characters, to estimate tokens. */
  get chars(): number {
    return this.#calls.reduce((sum, call) => sum + call.tool.length + call.args.length, 0);
  }

  take(delta: Fields): ModelEvent[] {
    const legacy = delta["function_call"];
    const pieces = Array.isArray(delta["tool_calls"])
      ? (delta["tool_calls"] as Fields[])
      : legacy === undefined || legacy === null
        ? []
        : [{ index: 0, function: legacy }];
    return pieces.flatMap((piece) => this.#takePiece(piece));
  }

  /**
   * The calls in index order, with the arguments as the model wrote them; dispatch rejects incomplete ones.
   * @param reportedDone The server gave a reason for the end. Without one nothing says that the last call is whole, except
   *   its own text.
   * @throws {BrokenStream} A call that was cut off. One without a name that is whole is a mistake of the model's, and
   *   answered as one.
   */
  end(from: string, usedIds: ReadonlySet<string>, reportedDone: boolean): AnswerPart[] {
    if (
      !reportedDone &&
      this.#calls.some((call) => call.tool === "" || (call.args !== "" && !isWholeObject(call.args)))
    )
      throw new BrokenStream("the answer stream ended in the middle of a tool call");
    const used = new Set(usedIds);
    return this.#calls
      .filter(({ tool, args }) => tool !== "" || args !== "")
      .map((call, position) => ({ call, order: call.index ?? position }))
      .sort((left, right) => left.order - right.order)
      .map(({ call }) => ({
        type: "tool-call",
        callId: freshCallId(call.id, "call", used),
        tool: call.tool,
        args: call.args,
        provider: call.extra === undefined ? undefined : { from, extra: call.extra },
      }));
  }

  #takePiece(piece: Fields): ModelEvent[] {
    const work = (piece["function"] ?? {}) as Fields;
    const id = typeof piece["id"] === "string" ? piece["id"] : "";
    const tool = typeof work["name"] === "string" ? work["name"] : "";
    const args =
      typeof work["arguments"] === "string"
        ? work["arguments"]
        : work["arguments"] === undefined || work["arguments"] === null
          ? ""
          : JSON.stringify(work["arguments"]);
    const draft = this.#draftFor(typeof piece["index"] === "number" ? piece["index"] : undefined, { id, tool, args });
    const isNew = draft.tool === "" && tool !== "";
    if (draft.id === "") draft.id = id;
    if (draft.tool === "") draft.tool = tool;
    // Some servers repeat the complete arguments at the end.
    if (args !== draft.args || !isWholeObject(args)) draft.args += args;
    const { index: _index, id: _id, type: _type, function: _function, ...extra } = piece;
    if (Object.keys(extra).length > 0) draft.extra = { ...draft.extra, ...(extra as JsonObject) };
    return isNew ? [{ type: "call.delta", tool: draft.tool }] : [];
  }

  /** Which call a piece belongs to: by index, by id; some servers number every call 0, or none. */
  #draftFor(index: number | undefined, piece: Pick<CallDraft, "id" | "tool" | "args">): CallDraft {
    const { id, tool } = piece;
    const known =
      index === undefined ? this.#withoutIndex(id, tool) : this.#calls.findLast((call) => call.index === index);
    if (known !== undefined && !beginsAnother(known, piece)) return known;
    const draft: CallDraft = { index, id: "", tool: "", args: "", extra: undefined };
    this.#calls.push(draft);
    return draft;
  }

  #withoutIndex(id: string, tool: string): CallDraft | undefined {
    if (id !== "") return this.#calls.find((call) => call.id === id);
    return tool === "" ? this.#calls.at(-1) : undefined;
  }
}

/**
 * Whether a piece with the index of a known call is the next call: it has another id, or the known call is whole and
 * the piece names a tool again. A server that repeats a call at the end adds nothing.
 */
function beginsAnother(known: CallDraft, { id, tool, args }: Pick<CallDraft, "id" | "tool" | "args">): boolean {
  if (tool === "" || known.tool === "") return false;
  if (id !== "" && known.id !== "") return known.id !== id;
  if (!isWholeObject(known.args)) return false;
  return tool !== known.tool || (args !== "" && args !== known.args);
}

/** Whether the text is one whole JSON object: a call that was cut off never is. */
function isWholeObject(args: string): boolean {
  try {
    const value: unknown = JSON.parse(args);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
