import type { AgentEvent, Fact } from "../../contract/fact.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { ToolDeclaration } from "../../contract/tool.ts";
import { shownOf } from "../../contract/outcome.ts";
import { textOf } from "../../contract/part.ts";
import type { Io } from "./io.ts";
import { toolLine } from "./tool-line.ts";

/**
 * Draws a turn for a plain terminal or a pipe: the answer's words on stdout as they come, tool lines and waits on stderr.
 * @returns A listener, and `end` which closes the last line.
 */
export function eventPrinter(io: Io, toolOf: (name: string) => ToolDeclaration | undefined, options: { readonly quiet: boolean }): { readonly listener: (event: AgentEvent) => void; end(): void } {
  const calls = new Map<string, { readonly tool: string; readonly args: JsonObject | undefined }>();
  let streamed = "";
  let openLine = false;

  const print = (text: string): void => {
    if (text === "") return;
    io.out(text);
    openLine = !text.endsWith("\n");
  };
  const note = (text: string): void => {
    if (options.quiet) return;
    if (openLine && io.colour) io.out("\n");
    openLine = false;
    io.note(`${io.style("dim", text)}\n`);
  };
  const onFact = (fact: Fact): void => {
    switch (fact.type) {
      case "model.answered": {
        const words = textOf(fact.parts);
        if (!options.quiet) print(words.startsWith(streamed) ? words.slice(streamed.length) : `\n${words}`);
        streamed = "";
        if (openLine) print("\n");
        return;
      }
      case "model.failed":
        streamed = "";
        return note(`⚠ ${fact.failure.message}`);
      case "tool.called":
        return void calls.set(fact.callId, { tool: fact.tool, args: fact.args });
      case "tool.settled": {
        const call = calls.get(fact.callId);
        calls.delete(fact.callId);
        if (call === undefined) return;
        const ok = fact.outcome.kind === "ok";
        const text = ok ? "" : errorOf(textOf(shownOf(fact.outcome)));
        return note(toolLine({ name: call.tool, declaration: toolOf(call.tool), args: call.args, result: { ok, text, durationMs: fact.durationMs } }, io.columns));
      }
      default:
    }
  };
  return {
    listener: (event) => {
      if (event.kind === "fact") return onFact(event.recorded.fact);
      if (event.live.type === "text.delta" && !options.quiet) {
        streamed += event.live.text;
        print(event.live.text);
      } else if (event.live.type === "model.waiting") note(`… ${event.live.text}`);
    },
    end: () => {
      if (openLine) print("\n");
    },
  };
}

function errorOf(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return typeof error === "string" ? error : text;
  } catch {
    return text; // Not JSON: the text itself is the message.
  }
}
