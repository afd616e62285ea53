import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** The model's answer: text, or calls. */
export type Answer =
  | { readonly text: string }
  | { readonly calls: readonly { readonly name: string; readonly args: object }[] };

export interface ModelServer {
  readonly url: string;
  /** When each request had arrived completely, and when its answer was sent, in ms of `performance.now()`. */
  readonly requests: { readonly arrivedAt: number; answeredAt: number; readonly body: string }[];
  close(): Promise<void>;
}

/**
 * An OpenAI-compatible server on loopback that immediately answers the n-th request of a conversation with the n-th
 * answer.
 */
export async function startModelServer(answer: (request: number, body: string) => Answer): Promise<ModelServer> {
  const requests: ModelServer["requests"] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      if (!request.url?.endsWith("/chat/completions")) return void response.writeHead(404).end("{}");
      const record = { arrivedAt: performance.now(), answeredAt: 0, body };
      requests.push(record);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(events(answer(requests.length - 1, body)));
      response.end(() => {
        record.answeredAt = performance.now();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve()))),
  };
}

function events(answer: Answer): string {
  const chunk = (delta: object, finish: string | null): string =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "bench", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const usage = `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "bench", choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } })}\n\n`;
  if ("text" in answer)
    return `${chunk({ role: "assistant", content: answer.text }, null)}${chunk({}, "stop")}${usage}data: [DONE]\n\n`;
  const calls = answer.calls.map(({ name, args }, index) => ({
    index,
    id: `call_${index}_${Math.random().toString(36).slice(2, 10)}`,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  }));
  return `${chunk({ role: "assistant", content: null, tool_calls: calls }, null)}${chunk({}, "tool_calls")}${usage}data: [DONE]\n\n`;
}
