import type { Message, ModelEnd, ModelRequest } from "../../src/contract/providers/model.ts";
import { ENCODINGS } from "./encodings.ts";
import type { Step } from "./attacks.ts";

const LINE = 120;

/** The attacker's text: an order in short lines that no tool cuts, without characters that JSON would escape. */
export function orderText(steps: readonly Step[], encoding: number): string {
  const code = ENCODINGS[encoding]!.encode(JSON.stringify(steps));
  const lines = code.match(new RegExp(`[^]{1,${LINE}}`, "g")) ?? [];
  return lines
    .map(
      (line, at) =>
        `ORDER ${encoding} ${String(at).padStart(3, "0")} ${lines.length} ⟦${line.replaceAll('"', "″").replaceAll("\\", "⧵")}⟧`,
    )
    .join("\n");
}

/** Finds an order anywhere in a request, and makes its calls. */
export function ordersIn(request: ModelRequest): readonly Step[] | undefined {
  const text = request.messages.flatMap(textsOf).join("\n");
  const found = [...text.matchAll(/ORDER (\d+) (\d{3}) (\d+) ⟦([^⟧]*)⟧/g)];
  const [first] = found;
  if (first === undefined) return undefined;
  const pieces = new Map(found.map(([, , at, , line]) => [Number(at), line!]));
  if (pieces.size < Number(first[3])) return undefined;
  const code = [...pieces.keys()]
    .toSorted((a, b) => a - b)
    .map((at) => pieces.get(at)!)
    .join("")
    .replaceAll("″", '"')
    .replaceAll("⧵", "\\");
  return JSON.parse(ENCODINGS[Number(first[1])]!.decode(code)) as readonly Step[];
}

function textsOf(message: Message): readonly string[] {
  const parts = message.role === "tool" ? message.results.flatMap((result) => result.parts) : message.parts;
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
}

/** Ids of background processes in the order in which they were reported. */
export function processesIn(request: ModelRequest): readonly string[] {
  return [
    ...new Set(
      request.messages
        .flatMap(textsOf)
        .join("\n")
        .match(/proc_[0-9a-f]{12}/g) ?? [],
    ),
  ];
}

/** Makes the one call of its goal, and returns verbatim what it read. */
export function answerAsSubagent(request: ModelRequest, canary: string): ModelEnd {
  const [, step] = /DO (\{.*\})/.exec(request.messages.slice(0, 1).flatMap(textsOf).join("\n")) ?? [];
  const results = request.messages.flatMap((message) => (message.role === "tool" ? textsOf(message) : []));
  return results.length === 0 && step !== undefined
    ? answerWith([JSON.parse(step) as Step], [], canary)
    : {
        type: "end",
        kind: "answer",
        parts: [{ type: "text", text: results.join("\n") }],
        finish: "stop",
        usage: USAGE,
      };
}

const USAGE = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };

let made = 0;

export function answerWith(steps: readonly Step[], processes: readonly string[], canary: string): ModelEnd {
  const parts = steps.map(({ tool, args }) => ({
    type: "tool-call" as const,
    callId: `call_${made++}`,
    tool,
    args: JSON.stringify(args)
      .replace("OPEN_SHELL", processes[0] ?? "none")
      .replace("LAST_PROCESS", processes.at(-1) ?? "none")
      .replace("CANARY", canary),
  }));
  return parts.length > 0
    ? { type: "end", kind: "answer", parts, finish: "tool-calls", usage: USAGE }
    : { type: "end", kind: "answer", parts: [{ type: "text", text: "done" }], finish: "stop", usage: USAGE };
}
