import type { AgentEvent } from "../../../contract/conversation/fact.ts";
import { textOf } from "../../../contract/conversation/part.ts";
import type { TurnPorts } from "../conversations/turn-ports.ts";
import type { EventStream } from "../http/event-stream.ts";
import { CallEvents } from "../runs/call-events.ts";
import type { ShownText } from "./streamed-text.ts";

const PROGRESS = "hermes.tool.progress";

/**
 * Streams a turn while it runs: its text through `shown`, its tool calls as comments or `hermes.tool.progress` events.
 * Clients of the OpenAI API read every event as a chunk, whatever its name, and fail at one without choices. Only a
 * client that asks for them gets the events of the original; others get comments, which the standard makes them skip.
 */
export function progressListener(
  stream: EventStream,
  shown: ShownText,
  app: TurnPorts["app"],
  asEvents: boolean,
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
    const progress =
      call.kind === "started"
        ? { tool, emoji, label, toolCallId: callId, status: "running" }
        : { tool, toolCallId: callId, status: "completed" };
    if (asEvents) stream.data(progress, { event: PROGRESS });
    else stream.comment(`${PROGRESS} ${JSON.stringify(progress)}`);
  };
}
