import type { AgentEvent } from "../../../contract/conversation/fact.ts";
import type { Json } from "../../../contract/common/json.ts";
import type { Usage } from "../../../contract/providers/model.ts";
import { textOf } from "../../../contract/conversation/part.ts";
import type { ToolDeclaration } from "../../../contract/tools/tool.ts";
import { CallEvents } from "./call-events.ts";
import { RunApprovals } from "./run-approvals.ts";
import { RunEvents } from "./run-events.ts";
import { ShownText } from "../chat/streamed-text.ts";
import type { ApiTurnEnd } from "../conversations/turn-facts.ts";
import { definedFields } from "../../../contract/common/defined-fields.ts";

export type RunStatus =
  | "queued"
  | "running"
  | "waiting_for_approval"
  | "stopping"
  | "completed"
  | "failed"
  | "cancelled";

export interface RunPorts {
  readonly id: string;
  readonly sessionId: string;
  readonly model: string;
  toolOf(name: string): Pick<ToolDeclaration, "emoji"> | undefined;
  mask(text: string): string;
}

/** One run: a turn in the background, with its events. */
export class Run {
  readonly id: string;
  readonly sessionId: string;
  readonly model: string;
  readonly events = new RunEvents();
  readonly approvals: RunApprovals;
  readonly #createdAt = Date.now();
  readonly #calls: CallEvents;
  readonly #shown = new ShownText((delta) => this.events.add("message.delta", { delta }));
  #begun = false;
  #stopping = false;
  #end: RunEnd | undefined;

  constructor({ id, sessionId, model, toolOf, mask }: RunPorts) {
    this.id = id;
    this.sessionId = sessionId;
    this.model = model;
    this.approvals = new RunApprovals(this.events);
    this.#calls = new CallEvents(toolOf, mask);
  }

  get status(): RunStatus {
    if (this.#end !== undefined) return this.#end.status;
    if (this.#stopping) return "stopping";
    if (this.approvals.waits) return "waiting_for_approval";
    return this.#begun ? "running" : "queued";
  }

  get over(): boolean {
    return this.#end !== undefined;
  }

  /** The run as the API returns it. */
  get object(): object {
    const last = this.events.last;
    return runObject({
      id: this.id,
      sessionId: this.sessionId,
      model: this.model,
      status: this.status,
      createdAt: this.#createdAt,
      updatedAt: last?.at ?? this.#createdAt,
      lastEvent: last?.name,
      end: this.#end,
    });
  }

  receive(event: AgentEvent): void {
    this.#begun = true;
    if (event.kind === "live") return void (event.live.type === "text.delta" && this.#shown.delta(event.live.text));
    const { fact } = event.recorded;
    if (fact.type === "model.asked") this.#shown.asked();
    if (fact.type === "model.answered") {
      const thought = fact.parts.flatMap((part) => (part.type === "reasoning" ? [part.text] : [])).join("");
      if (thought !== "") this.events.add("reasoning.available", { text: thought });
      this.#shown.answered(textOf(fact.parts.filter(({ type }) => type === "text")));
    }
    const call = this.#calls.onFact(fact);
    if (call?.kind === "started")
      this.events.add("tool.started", {
        tool: call.call.tool,
        preview: call.call.label,
        tool_call_id: call.call.callId,
      });
    if (call?.kind === "ended")
      this.events.add("tool.completed", {
        tool: call.call.tool,
        duration: call.durationMs / 1000,
        error: call.ending.kind !== "ok",
        tool_call_id: call.call.callId,
      });
  }

  stopping(): void {
    this.#stopping = true;
  }

  ended(end: ApiTurnEnd | { readonly failure: string }): void {
    this.#end = runEnd(end);
    const { status, output, usage, error } = this.#end;
    this.events.add(
      `run.${status}`,
      definedFields({
        output,
        usage,
        error,
      }),
    );
    this.events.end();
  }
}

/** How a run ended, as the API returns it. */
export interface RunEnd {
  readonly status: "completed" | "failed" | "cancelled";
  readonly output: string;
  readonly usage?: { readonly [key: string]: Json };
  readonly error?: string;
}

/** A turn that reached its request limit has an answer too. */
export function runEnd(end: ApiTurnEnd | { readonly failure: string }): RunEnd {
  if ("failure" in end) return { status: "failed", output: "", error: end.failure };
  const { reason, text, detail, usage } = end;
  return {
    status: reason === "cancelled" || reason === "failed" ? reason : "completed",
    output: text,
    usage: usageOf(usage),
    error: detail,
  };
}

export function runObject({
  id,
  sessionId,
  model,
  status,
  createdAt,
  updatedAt,
  lastEvent,
  end,
}: {
  readonly id: string;
  readonly sessionId: string;
  readonly model: string;
  readonly status: RunStatus;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly lastEvent: string | undefined;
  readonly end?: RunEnd;
}): object {
  return {
    object: "hermes.run",
    run_id: id,
    session_id: sessionId,
    model,
    status,
    created_at: createdAt / 1000,
    updated_at: updatedAt / 1000,
    last_event: lastEvent ?? null,
    ...(end === undefined ? {} : { output: end.output, usage: end.usage ?? null, error: end.error ?? null }),
  };
}

function usageOf({ inputTokens, outputTokens }: Usage): { readonly [key: string]: Json } {
  return { input_tokens: inputTokens, output_tokens: outputTokens, total_tokens: inputTokens + outputTokens };
}
