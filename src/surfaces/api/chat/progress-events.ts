import type { AgentEvent } from "../../../contract/conversation/fact.ts";
import { textOf } from "../../../contract/conversation/part.ts";
import type { TurnPorts } from "../conversations/turn-ports.ts";
import type { EventStream } from "../http/event-stream.ts";
import { CallEvents } from "../runs/call-events.ts";
import type { ShownText } from "./streamed-text.ts";

/** Streams a turn while it runs: its text through `shown`, its tool calls as `hermes.tool.progress` events. */
export function progressListener(
  stream: EventStream,
  shown: ShownText,
  app: TurnPorts["app"],
): (event: AgentEvent) => void {
  const calls = new CallEvents(
    (name) => app.tools.get(name),
    (text) => app.mask(text),
  );
  return (event) => {
    if (event.kind === "live") return void (event.live.type === "text.delta" && shown.delta(event.live.text));
    const { fact } = event.recorded;
    if (fact.type === "model.asked") shown.asked();
    if (fact.type === "model.answered") shown.answered(textOf(fact.parts.filter(({ type }) => type === "text")));
    const call = calls.onFact(fact);
    if (call === undefined) return;
    const { tool, callId, emoji, label } = call.call;
    stream.data(
      call.kind === "started"
        ? { tool, emoji, label, toolCallId: callId, status: "running" }
        : { tool, toolCallId: callId, status: "completed" },
      { event: "hermes.tool.progress" },
    );
  };
}
