import type { AuthProvider, Transport } from "@modelcontextprotocol/client";
import { definedFields, parseExact, ToolFailure, type FetchOptions, type GuardedFetch } from "hermes-agent/plugin";
import type { HttpPlace } from "./server-entry.ts";

/** Maximum size of one answer or one stream. */
const MAX_BYTES = 64_000_000;

export type HttpFetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** The guarded fetch in the form that the MCP package wants. It connects to exactly the address that was checked. */
export function guardedFetch(fetch: GuardedFetch, setting: string): HttpFetch {
  return async (input, init = {}) => {
    const url = String(input);
    const headers = Object.fromEntries(new Headers(init.headers).entries());
    const body =
      init.body === undefined || init.body === null
        ? undefined
        : typeof init.body === "string"
          ? init.body
          : init.body instanceof URLSearchParams
            ? init.body.toString()
            : undefined;
    if (body === undefined && init.body !== undefined && init.body !== null)
      throw new ToolFailure("crashed", "The MCP client sent a request whose body is not text.");
    if (init.body instanceof URLSearchParams)
      headers["content-type"] ??= "application/x-www-form-urlencoded;charset=UTF-8";
    const options: FetchOptions = {
      method: (init.method ?? "GET").toUpperCase() as NonNullable<FetchOptions["method"]>,
      headers,
      setting,
      timeoutMs: Infinity,
      maxBytes: MAX_BYTES,
      body,
      ...definedFields({ signal: init.signal ?? undefined }),
    };
    const reply = await fetch(url, options);
    const empty = reply.status === 204 || reply.status === 205 || reply.status === 304;
    if (empty) await reply.bytes();
    const response = new Response(
      empty ? null : ReadableStream.from(withExactIntegers(reply.body, reply.headers["content-type"])),
      {
        status: reply.status,
        headers: reply.headers,
      },
    );
    Object.defineProperty(response, "url", { value: reply.url });
    return response;
  };
}

export async function httpTransport(
  { url, headers }: HttpPlace,
  way: "http" | "sse",
  fetch: HttpFetch,
  auth: AuthProvider | undefined,
): Promise<Transport> {
  const { SSEClientTransport, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const options = definedFields({
    fetch,
    requestInit: { headers: { ...headers } },
    authProvider: auth,
  });
  // The package's types and ours have the same shape; they differ only in how they write optional fields.
  return (
    way === "sse"
      ? new SSEClientTransport(new URL(url), options)
      : new StreamableHTTPClientTransport(new URL(url), options)
  ) as Transport;
}

/**
 * The MCP package parses messages itself and would round whole numbers beyond 2^53: they reach it as strings. A stream of
 * events has one message a `data:` line, anything else is one message.
 */
async function* withExactIntegers(
  body: AsyncIterable<Uint8Array>,
  type: string | undefined,
): AsyncGenerator<Uint8Array> {
  const events = type?.startsWith("text/event-stream") === true;
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let parts: string[] = [];
  for await (const bytes of body) {
    const text = decoder.decode(bytes, { stream: true });
    const end = events ? text.lastIndexOf("\n") + 1 : 0;
    if (end > 0) {
      const lines = [...parts, text.slice(0, end)].join("").split("\n");
      yield encoder.encode(lines.map(exactMessage).join("\n"));
      parts = [];
    }
    parts.push(text.slice(end));
  }
  const rest = parts.join("") + decoder.decode();
  if (rest !== "") yield encoder.encode(exactMessage(rest));
}

function exactMessage(text: string): string {
  if (!/\d{16}/.test(text)) return text;
  const [, mark = "", json = ""] = /^(data: ?)?([^]*)$/.exec(text) ?? [];
  try {
    return `${mark}${JSON.stringify(parseExact(json))}`;
  } catch {
    return text; // Part of a message over several lines, or no message.
  }
}
