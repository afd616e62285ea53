import type { ModelClient, ModelEvent } from "../../contract/providers/model.ts";
import type { KnownMask } from "../../safety/secrets/known-values.ts";

/**
 * A model whose streamed text is masked. A value may arrive in pieces, so a possible beginning is delayed until it is
 * certain. The whole answer is masked when it is stored.
 */
export function maskedClient(client: ModelClient, mask: KnownMask): ModelClient {
  return {
    waits: client.waits,
    stream: (request, signal) =>
      mask.any ? maskStream(client.stream(request, signal), mask) : client.stream(request, signal),
  };
}

async function* maskStream(events: AsyncIterable<ModelEvent>, mask: KnownMask): AsyncGenerator<ModelEvent, void> {
  let held: { readonly type: "text.delta" | "thinking.delta"; readonly text: string } | undefined;
  for await (const event of events) {
    // Between two pieces of a value it is no reason to show the first.
    if (event.type === "alive") {
      yield event;
      continue;
    }
    if (held !== undefined && event.type !== held.type) {
      // Words that broke off in the middle of a value are not shown; the end of an answer is.
      if (event.type !== "end" || event.kind === "answer") yield { type: held.type, text: mask(held.text) };
      held = undefined;
    }
    if (event.type !== "text.delta" && event.type !== "thinking.delta") {
      yield event;
      continue;
    }
    const text = mask((held?.text ?? "") + event.text);
    const open = mask.openEnd(text);
    held = open === 0 ? undefined : { type: event.type, text: text.slice(text.length - open) };
    if (open < text.length) yield { type: event.type, text: text.slice(0, text.length - open) };
  }
}
