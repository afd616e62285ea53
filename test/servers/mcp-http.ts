import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fromJsonSchema, McpServer, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";

export interface McpHttpServer extends AsyncDisposable {
  readonly url: string;
  /** Of the received requests, in order. */
  readonly seen: readonly { readonly method: string; readonly authorization: string | undefined }[];
  /** Forgets every conversation, as a restarted server does. */
  forget(): void;
}

/**
 * An HTTP server made with the protocol's own package, with two tools: `shout`, and `ids`, whose numbers are longer than
 * a JavaScript number can be.
 */
export async function startMcpHttp(): Promise<McpHttpServer> {
  const seen: { method: string; authorization: string | undefined }[] = [];
  const open = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const http = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    seen.push({ method: request.method ?? "", authorization: request.headers.authorization });
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
    const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
      typeof value === "string" ? [[name, value]] : [],
    );
    const known = open.get(request.headers["mcp-session-id"] as string);
    const isNew = body.includes('"initialize"');
    if (known === undefined && !isNew) return void response.writeHead(404).end();
    const answer = await (known ?? (await conversation())).handleRequest(
      new Request(url, {
        method: request.method ?? "GET",
        headers,
        body: body.length === 0 ? undefined : new Uint8Array(body),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers.entries()));
    response.flushHeaders();
    try {
      for await (const chunk of answer.body ?? [])
        response.write(
          Buffer.from(chunk)
            .toString()
            .replaceAll(/"number:(\d+)"/g, "$1"),
        );
    } catch {
      // Its conversation was closed during the stream.
    }
    response.end();
  }

  async function conversation(): Promise<WebStandardStreamableHTTPServerTransport> {
    const server = new McpServer({ name: "web", version: "1.0.0" });
    server.registerTool(
      "shout",
      {
        description: "Says it loudly.",
        inputSchema: fromJsonSchema({ type: "object", properties: { text: { type: "string" } }, required: ["text"] }),
      },
      ((args: { readonly text: string }) => ({ content: [{ type: "text", text: args.text.toUpperCase() }] })) as never,
    );
    server.registerTool("ids", { description: "Lists ids.", inputSchema: fromJsonSchema({ type: "object" }) }, (() => ({
      content: [{ type: "text", text: "ids" }],
      structuredContent: { channel: "number:823475887319941131", negative: "number:9223372036854775807", small: 7 },
    })) as never);
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void open.set(id, transport),
    });
    await server.connect(transport);
    return transport;
  }

  return {
    url,
    seen,
    forget: () => open.clear(),
    async [Symbol.asyncDispose]() {
      for (const transport of open.values()) await transport.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

/** A server that speaks only the older transport: a stream of events, and an address for messages. */
export async function startMcpSse(): Promise<{ readonly url: string } & AsyncDisposable> {
  let stream: ServerResponse | undefined;
  const http = createServer(async (request, response) => {
    if (request.method === "GET") {
      stream = response.writeHead(200, { "content-type": "text/event-stream" });
      return void stream.write("event: endpoint\ndata: /messages\n\n");
    }
    if (request.url !== "/messages") return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(
      Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString(),
    ) as { readonly id?: number; readonly method: string; readonly params: { readonly protocolVersion?: string } };
    response.writeHead(202).end();
    const results: { readonly [method: string]: object } = {
      initialize: {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "old", version: "1" },
      },
      "tools/list": {
        tools: [{ name: "wave", description: "Waves.", inputSchema: { type: "object", properties: {} } }],
      },
      "tools/call": { content: [{ type: "text", text: "waved" }] },
    };
    if (id !== undefined)
      stream?.write(
        `event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, result: results[method] ?? {} })}\n\n`,
      );
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/sse`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
