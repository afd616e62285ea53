import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { ModelFailure } from "hermes-agent/plugin";
import { agentFor, PROXY_REFUSED, wayTo, type ProxyAccess, type Way } from "./agents.ts";
import { decoded } from "./decoded.ts";
import { isLoopback, judgedLookup, REFUSED_ADDRESS, refusedHost } from "./judged-lookup.ts";
import { definedFields } from "hermes-agent/plugin";

/** One request on the wire. `service` is what failure messages call the other side; it never contains the key. */
export interface WireRequest {
  readonly service: string;
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly body?: string;
  /** The request is prepared and sent when this resolves; if it rejects, nothing is sent. */
  readonly after?: Promise<void>;
  /** Time for name look-up, connection and TLS together. */
  readonly connectMs: number;
  readonly signal: AbortSignal;
  /** The way out by the user's variables; loopback is never proxied. */
  readonly proxy?: ProxyAccess;
}

export interface WireReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Throws when the connection breaks. */
  readonly body: AsyncIterable<Uint8Array>;
  /**
   * Must be called on every path: `keep` lets the rest run out so that the connection can be used again, else it is
   * closed.
   */
  release(keep: boolean): void;
}

export type WireResult =
  | { readonly kind: "reply"; readonly reply: WireReply }
  | { readonly kind: "failure"; readonly failure: ModelFailure };

/**
 * Sends one request over `node:http(s)` and resolves at the reply's head. Not the global `fetch`: that loads undici,
 * which costs more than the rest of a start together. Never rejects and never follows a redirect, since the headers
 * carry a key.
 */
export async function send(request: WireRequest): Promise<WireResult> {
  if (request.signal.aborted) return failed("cancelled", `The request to ${request.service} was cancelled.`, false);
  let url: URL;
  try {
    url = new URL(request.url);
  } catch {
    return failed(
      "bad_request",
      `The base URL of ${request.service} is ${request.url === "" ? "not set" : "not a URL"}. Set it with \`hermes config set model.base_url URL\`.`,
      false,
    );
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return failed(
      "bad_request",
      `The base URL of ${request.service} must start with http:// or https://, not ${url.protocol}//.`,
      false,
    );
  }
  const way = await wayTo(url, request.proxy);
  if (way.kind === "unusable")
    return failed("network", `${way.reason}, so ${request.service} cannot be reached. ${PROXY_HELP}`, false);
  const refused = isLoopback(url.hostname) ? undefined : await refusedHost(url.hostname, way.kind === "http");
  if (refused !== undefined) return failed("bad_request", `Cannot use ${place(request, url)}: ${refused}`, false);
  const first = await attempt(request, url, way, false);
  // A kept-open connection may have been closed by the other side just as we used it: that says nothing about the
  // service.
  const settled = first.kind === "stale" ? await attempt(request, url, way, true) : first;
  return settled.kind === "stale"
    ? failed("network", `The connection to ${place(request, url)} was closed before an answer came.`, true)
    : settled;
}

const PROXY_HELP = "Set HTTPS_PROXY to a proxy that it can use, or except the host with NO_PROXY.";

function attempt(
  request: WireRequest,
  url: URL,
  way: Way,
  fresh: boolean,
): Promise<WireResult | { readonly kind: "stale" }> {
  return new Promise((resolve) => {
    const secure = url.protocol === "https:";
    const wire = secure ? process.getBuiltinModule("node:https") : process.getBuiltinModule("node:http");
    let outgoing: ClientRequest;
    let timedOut = false;
    try {
      outgoing = wire.request(url, {
        method: request.method,
        headers: {
          ...request.headers,
          ...definedFields({
            "content-length": request.body === undefined ? undefined : String(Buffer.byteLength(request.body)),
          }),
        },
        agent: agentFor(url, way, fresh),
        lookup: isLoopback(url.hostname) ? undefined : judgedLookup,
      });
    } catch (cause) {
      // Node refuses header values with line breaks or non-Latin characters before anything is sent; its message would
      // show the name only.
      resolve(
        failed(
          "auth",
          `The key or a header for ${request.service} contains characters that cannot be sent. Set the key again with \`hermes setup\`. (${codeOf(cause) || "invalid header"})`,
          false,
        ),
      );
      return;
    }

    const connecting = setTimeout(() => {
      timedOut = true;
      outgoing.destroy();
    }, request.connectMs);
    let reached = false;
    const connected = (): void => {
      reached = true;
      clearTimeout(connecting);
    };
    const abort = (): void => void outgoing.destroy();
    const letGo = (): void => request.signal.removeEventListener("abort", abort);
    const settle = (result: Awaited<ReturnType<typeof attempt>>): void => {
      clearTimeout(connecting);
      if (result.kind !== "reply") letGo();
      resolve(result.kind === "failure" && !reached ? unsent(result) : result);
    };
    request.signal.addEventListener("abort", abort, { once: true });

    outgoing.once("socket", (socket: Socket & { secureConnecting?: boolean }) => {
      if (!socket.connecting && socket.secureConnecting !== true) connected();
      else socket.once(secure ? "secureConnect" : "connect", connected);
    });
    outgoing.once("close", () => {
      letGo();
      // Settled long before unless it was destroyed without an error; resolving twice does nothing.
      settle(
        request.signal.aborted
          ? cancelled(request)
          : failed("network", `The connection to ${place(request, url)} was closed before an answer came.`, true),
      );
    });
    outgoing.once("response", (incoming: IncomingMessage) => {
      settle(judgeHead(request, url, incoming, letGo));
    });
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      if (request.signal.aborted) settle(cancelled(request));
      else if (timedOut)
        settle(
          failed(
            "timeout",
            `${place(request, url)} did not accept a connection within ${request.connectMs / 1000} s.`,
            true,
          ),
        );
      else if (!fresh && outgoing.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE"))
        settle({ kind: "stale" });
      else settle(connectionFailure(request, url, error));
    });
    if (request.after === undefined) outgoing.end(request.body);
    else
      request.after.then(
        () => outgoing.end(request.body),
        () => outgoing.destroy(),
      );
  });
}

function judgeHead(request: WireRequest, url: URL, incoming: IncomingMessage, letGo: () => void): WireResult {
  const status = incoming.statusCode ?? 0;
  if (status >= 300 && status < 400) {
    incoming.destroy();
    return failed(
      "bad_request",
      `${place(request, url)} redirects elsewhere (${status}), which is not followed because the request carries a key. Put the final address into \`model.base_url\`.`,
      false,
      status,
    );
  }
  const body = decoded(incoming);
  if (body === undefined) {
    incoming.destroy();
    return failed(
      "bad_response",
      `${place(request, url)} sent a compressed answer (${incoming.headers["content-encoding"]}), which Hermes did not request.`,
      false,
      status,
    );
  }
  // Without a reader an error must not crash the process; a reader gets it from the iterator.
  incoming.on("error", () => {});
  body.on("error", () => {});
  return {
    kind: "reply",
    reply: {
      status,
      headers: incoming.headers,
      body: body.iterator({ destroyOnReturn: false }),
      release(keep) {
        letGo();
        if (!keep || incoming.readableEnded) return void incoming.destroy();
        body.resume();
        const impatience = setTimeout(() => incoming.destroy(), DRAIN_MS);
        impatience.unref();
        incoming.once("close", () => clearTimeout(impatience));
      },
    },
  };
}

/** After its last event a server closes the answer at once or not at all. */
const DRAIN_MS = 1000;

/** The connection broke before or during an answer. */
export function connectionFailure(
  request: Pick<WireRequest, "service">,
  url: URL,
  error: unknown,
): WireResult & { kind: "failure" } {
  const code = codeOf(error);
  const where = place(request, url);
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return failed(
      "network",
      `The name ${url.hostname} cannot be found (${code}). Is the network up and the base URL right?`,
      true,
    );
  if (code === PROXY_REFUSED) return failed("network", `${where} cannot be reached: ${(error as Error).message}`, true);
  if (code === REFUSED_ADDRESS) return failed("bad_request", `Cannot use ${where}: ${(error as Error).message}`, false);
  if (code === "ECONNREFUSED")
    return failed(
      "network",
      `Nothing answers at ${url.host} (${request.service}). Is the server running and the base URL right?`,
      true,
    );
  if (/CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/.test(code))
    return failed(
      "network",
      `The certificate of ${where} is not trusted (${code}). For your own authority set NODE_EXTRA_CA_CERTS.`,
      false,
    );
  if (code === "EPROTO" || code.startsWith("ERR_SSL"))
    return failed("network", `${where} does not support TLS (${code}). Should the base URL start with http://?`, false);
  if (code === "ETIMEDOUT") return failed("timeout", `The connection to ${where} timed out.`, true);
  return failed("network", `The connection to ${where} broke (${code || "closed"}).`, true);
}

function cancelled(request: WireRequest): WireResult {
  return failed("cancelled", `The request to ${request.service} was cancelled.`, false);
}

function failed(
  code: ModelFailure["code"],
  message: string,
  retryable: boolean,
  status?: number,
): WireResult & { kind: "failure" } {
  return { kind: "failure", failure: { code, message, retryable, status } };
}

/** Nothing of the request has left. */
function unsent({ kind, failure }: WireResult & { kind: "failure" }): WireResult & { kind: "failure" } {
  return { kind, failure: { ...failure, sent: false } };
}

function place(request: Pick<WireRequest, "service">, url: URL): string {
  return `${request.service} (${url.host})`;
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  if (typeof code === "string") return code;
  // Happy Eyeballs reports one error per address; the first says enough.
  const first = (error as { errors?: readonly unknown[] } | undefined)?.errors?.[0];
  return first === undefined ? "" : codeOf(first);
}
