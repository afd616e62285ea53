import type { Json } from "../../contract/common/json.ts";
import { parseExact } from "../../contract/common/parse-exact.ts";
import { ToolFailure } from "../../contract/common/failure.ts";
import type { FetchOptions, FetchReply, GuardedFetch } from "../../contract/providers/web.ts";
import { MAX_REDIRECTS } from "../../safety/urls/judge-hop.ts";
import { findInText } from "../../safety/urls/secret-search.ts";
import { dial, type Dialled } from "./dial.ts";
import type { FetchPorts } from "./fetch-ports.ts";
import { othersSecrets } from "./own-secrets.ts";
import { judgeRoute } from "./judge-route.ts";
import { readBody } from "./read-body.ts";
import { abortable } from "../../engine/async/abortable.ts";

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_BYTES = 10_000_000;

/** The guarded way out of this process. Loaded when something is first fetched. */
export function createFetch(ports: FetchPorts): GuardedFetch {
  return async (text, options = {}) => {
    const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const stop = new AbortController();
    const late = () =>
      new ToolFailure("timeout", `${hostOf(text)} did not answer completely within ${timeoutMs / 1000} s.`);
    const timer = Number.isFinite(timeoutMs) ? setTimeout(() => stop.abort(late()), timeoutMs) : undefined;
    const cancel = () =>
      stop.abort(options.signal?.reason ?? new ToolFailure("cancelled", "The request was cancelled."));
    options.signal?.addEventListener("abort", cancel, { once: true });
    if (options.signal?.aborted) cancel();
    const letGo = () => {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", cancel);
    };
    try {
      const reply = await follow(text, options, ports, stop.signal, letGo);
      timer?.unref();
      return reply;
    } catch (cause) {
      letGo();
      throw stop.signal.aborted ? stop.signal.reason : cause;
    }
  };
}

interface Outgoing {
  readonly method: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string | Uint8Array | undefined;
}

async function follow(
  text: string,
  options: FetchOptions,
  ports: FetchPorts,
  signal: AbortSignal,
  letGo: () => void,
): Promise<FetchReply> {
  const policy = await ports.policy();
  const maxRedirects = Math.min(options.maxRedirects ?? MAX_REDIRECTS, MAX_REDIRECTS);
  let outgoing: Outgoing = {
    method: options.method ?? (options.body === undefined ? "GET" : "POST"),
    headers: lowerCase(options.headers ?? {}),
    body: options.body,
  };
  let location = text;
  let from: URL | undefined;
  for (let hops = 0; ; hops++) {
    signal.throwIfAborted();
    const allowPrivate =
      policy.allowPrivate === true ||
      (ports.privateOrigin !== undefined &&
        originOf(location, from) === ports.privateOrigin &&
        (from?.origin ?? ports.privateOrigin) === ports.privateOrigin);
    const hop = await abortable(
      judgeRoute(
        location,
        {
          ...policy,
          allowPrivate,
          hosts: options.hosts,
          secrets: othersSecrets(
            ports,
            "address",
            URL.canParse(location, from?.href) ? new URL(location, from).hostname : undefined,
          ),
        },
        ports,
        from,
      ),
      signal,
    );
    if (hop.kind === "blocked") throw refused(text, from, hop.key, hop.reason);
    const { url, address, proxy } = hop;
    outgoing = from === undefined ? outgoing : forNextHop(outgoing, from, url);
    judgeContent(outgoing, url, ports);
    const reply = await dial({ ...outgoing, url, address, proxy, signal });
    const next = hops < maxRedirects || maxRedirects > 0 ? redirectOf(reply) : undefined;
    if (next === undefined) return replyOf(reply, url, from !== undefined, options, signal, letGo);
    reply.destroy();
    if (hops >= maxRedirects) throw refused(text, url, "redirects", `It redirects more than ${maxRedirects} times.`);
    if (reply.status === 303 || ((reply.status === 301 || reply.status === 302) && outgoing.method === "POST"))
      outgoing = { ...outgoing, method: outgoing.method === "HEAD" ? "HEAD" : "GET", body: undefined };
    location = next;
    from = url;
  }
}

function redirectOf({ status, headers }: Dialled): string | undefined {
  return [301, 302, 303, 307, 308].includes(status) ? headers["location"] : undefined;
}

/** Headers that do not identify the user, so any host may receive them. */
const ANYWHERE = new Set([
  "accept",
  "accept-language",
  "user-agent",
  "content-type",
  "range",
  "if-none-match",
  "if-modified-since",
]);

/**
 * Another origin is another party: nothing that could be a credential goes along, nor does a body that was meant for
 * the first.
 */
function forNextHop(outgoing: Outgoing, from: URL, to: URL): Outgoing {
  if (from.origin === to.origin) return outgoing;
  if (outgoing.body !== undefined)
    throw refused(
      from.href,
      to,
      "redirects",
      `${from.host} redirects the request's body to ${to.host}, which it was not meant for.`,
    );
  return {
    ...outgoing,
    headers: Object.fromEntries(Object.entries(outgoing.headers).filter(([name]) => ANYWHERE.has(name))),
  };
}

/** Stored secrets do not leave in headers or bodies either, but for the asker's own to where they belong. */
function judgeContent({ headers, body }: Outgoing, url: URL, ports: FetchPorts): void {
  const inHeaders = Object.values(headers).some((value) =>
    findInText(value, othersSecrets(ports, "header", url.hostname)),
  );
  if (inHeaders)
    throw refused(
      url.href,
      undefined,
      "secret",
      `A header for ${url.host} contains a stored secret that this request did not declare.`,
    );
  if (
    body !== undefined &&
    findInText(
      typeof body === "string" ? body : Buffer.from(body).toString("latin1"),
      othersSecrets(ports, "body", url.hostname),
    )
  )
    throw refused(url.href, undefined, "secret", `The body for ${url.host} contains a stored secret.`);
}

function replyOf(
  reply: Dialled,
  url: URL,
  redirected: boolean,
  options: FetchOptions,
  signal: AbortSignal,
  letGo: () => void,
): FetchReply {
  const body = readBody(reply, {
    maxBytes: options.maxBytes ?? DEFAULT_MAX_BYTES,
    signal,
    host: url.host,
    done: letGo,
  });
  const bytes = async (): Promise<Uint8Array> => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  const text = async (): Promise<string> => decode(await bytes(), reply.headers["content-type"]);
  return {
    status: reply.status,
    headers: reply.headers,
    url: url.href,
    redirected,
    body,
    bytes,
    text,
    async json() {
      const message = await text();
      try {
        return parseExact(message) as Json;
      } catch (cause) {
        throw new ToolFailure("unreachable", `${url.host} did not answer with JSON.`, { cause });
      }
    },
  };
}

function decode(bytes: Uint8Array, contentType: string | undefined): string {
  const named = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType ?? "")?.[1];
  try {
    return new TextDecoder(named ?? "utf-8").decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes); // An unknown encoding; most text is UTF-8.
  }
}

function lowerCase(headers: { readonly [name: string]: string }): { readonly [name: string]: string } {
  const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  // The judged host is the one that is named, and the connection is ours to manage.
  for (const name of [
    "host",
    "connection",
    "content-length",
    "transfer-encoding",
    "proxy-authorization",
    "expect",
    "upgrade",
    "te",
    "trailer",
  ])
    delete plain[name];
  return plain;
}

function refused(text: string, via: URL | undefined, key: string, reason: string): ToolFailure {
  const where = via === undefined ? "" : ` (redirected by ${via.host})`;
  return new ToolFailure("blocked", `${hostOf(text)} was not fetched${where}: ${reason}`, {
    data: { blocked_by: key },
  });
}

function originOf(text: string, base: URL | undefined): string | undefined {
  return URL.canParse(text, base?.href) ? new URL(text, base).origin : undefined;
}

/** For sentences: the rest of a URL may hold what should not be repeated. */
function hostOf(text: string): string {
  return URL.canParse(text) && new URL(text).host !== "" ? new URL(text).host : "The URL";
}
