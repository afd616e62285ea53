import type { AuthProvider, Transport } from "@modelcontextprotocol/client";
import { definedFields, ToolFailure, type FetchOptions, type GuardedFetch } from "hermes-agent/plugin";
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
    const response = new Response(empty ? null : ReadableStream.from(reply.body), {
      status: reply.status,
      headers: reply.headers,
    });
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
