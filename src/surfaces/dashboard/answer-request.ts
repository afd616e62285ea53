import type { IncomingMessage, ServerResponse } from "node:http";
import type { App } from "../../contract/services/app.ts";
import { UserError } from "../../contract/common/failure.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import { asTyped } from "../shared/process/called-as.ts";
import { findRoute } from "../shared/http/find-route.ts";
import { jsonObjectOf, readBody } from "../shared/http/read-body.ts";
import { refuseName, refuseOrigin, refuseUnknown, type Door } from "./guard.ts";
import { libraryFile, pageFile, sharedFile, terminalFile, type PageFile } from "./page-files.ts";
import type { Answer, Route } from "./route.ts";
import { HEADERS, sendEvents, sendLines } from "./send-stream.ts";
import type { PluginParts } from "./serve-parts.ts";

const MAX_BODY_BYTES = 1_000_000;
const JSON_TYPE = "application/json; charset=utf-8";

interface AnswerPorts {
  readonly app: App;
  readonly door: Door;
  readonly parts: PluginParts;
  /** URL path of the plugin pages' files. */
  readonly partsBase: string;
  readonly routes: readonly Route[];
  /** Whether there is a terminal tab. */
  readonly chat: boolean;
  /** Called when a browser sent the token. */
  entered(): void;
  /** Aborts when the dashboard closes. */
  readonly signal: AbortSignal;
}

/** Answers a request. It rejects only if the answer could not be sent. */
type AnswerRequest = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export function createAnswer({
  app,
  door,
  parts,
  partsBase,
  routes,
  chat,
  entered,
  signal,
}: AnswerPorts): AnswerRequest {
  return answer;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = request.url ?? "/";
    if (!URL.canParse(asked, "http://dashboard"))
      return refuse(response, 400, { error: "The request path is not a valid URL." });
    const { pathname, searchParams } = new URL(asked, "http://dashboard");
    const framed = pathname.startsWith(partsBase);
    const unknownProgram = refuseName(request.headers, door) ?? (framed ? undefined : refuseOrigin(request.headers));
    if (unknownProgram !== undefined) return refuse(response, unknownProgram.status, unknownProgram);
    if (pathname.startsWith("/api/")) return answerApi(request, response, pathname, searchParams);
    if (request.method !== "GET" && request.method !== "HEAD")
      return refuse(response, 405, { error: "Only GET and HEAD are allowed for files." });
    if (framed)
      return give(
        response,
        await parts.file(pathname.slice(partsBase.length), searchParams),
        // Only the frame's document runs scripts: a page of the plugin's own would start without `frame.js`.
        isFrame(pathname.slice(partsBase.length))
          ? frameHeaders(request.headers.host ?? "", partsBase)
          : { ...frameHeaders("", ""), "content-security-policy": "sandbox; default-src 'none'" },
      );
    return give(response, await fileAt(pathname), chat ? CHAT_HEADERS : PAGE_HEADERS);
  }

  async function fileAt(pathname: string): Promise<PageFile | undefined> {
    if (pathname === "/") {
      const page = await pageFile("index.html");
      return page === undefined || !chat
        ? page
        : { ...page, content: String(page.content).replace("<html", "<html data-terminal") };
    }
    if (/^\/shared\/display\/[\w-]+\.ts$/.test(pathname)) return sharedFile(pathname.slice(1));
    if (/^\/library\/[\w-]+\.js$/.test(pathname)) return libraryFile(pathname.slice("/library/".length));
    const name = pathname.startsWith("/page/") ? pathname.slice("/page/".length) : "";
    if (name === "xterm.mjs" || name === "xterm.css") return chat ? terminalFile(name) : undefined;
    return /^[\w-]+(\/[\w-]+)?\.\w+$/.test(name) ? pageFile(name) : undefined;
  }

  async function answerApi(
    request: IncomingMessage,
    response: ServerResponse,
    pathname: string,
    query: URLSearchParams,
  ): Promise<void> {
    const unknown = refuseUnknown(request.headers, door);
    if (unknown !== undefined) return refuse(response, unknown.status, unknown);
    entered();
    const found = findRoute(routes, request.method ?? "", pathname);
    if (found === undefined) return refuse(response, 404, { error: `No route ${request.method} ${pathname}.` });
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    try {
      const body = request.method === "GET" ? {} : await bodyOf(request, found.route.maxBodyBytes ?? MAX_BODY_BYTES);
      const given = await found.route.answer({
        app,
        params: found.params,
        query,
        body,
        signal: AbortSignal.any([gone.signal, signal]),
      });
      await send(response, given);
    } catch (error) {
      if (response.headersSent) return void response.destroy();
      if (error instanceof UserError)
        return refuse(response, 400, {
          error: app.mask(asTyped(error.message)),
          hint: error.hint === undefined ? undefined : app.mask(asTyped(error.hint)),
        });
      app.log.error(`The dashboard failed at ${request.method} ${pathname}`, { cause: error });
      refuse(response, 500, {
        error: app.mask(error instanceof Error ? error.message : String(error)),
        hint: "See the page Logs for details.",
      });
    }
  }

  async function send(response: ServerResponse, given: Answer): Promise<void> {
    if (given.kind === "json") return end(response, 200, JSON_TYPE, JSON.stringify(given.value, masked));
    if (given.kind === "file") {
      response.setHeader("content-disposition", `attachment; filename="${given.name.replaceAll(/[^\w.-]/g, "_")}"`);
      return end(response, 200, "text/plain; charset=utf-8", given.text);
    }
    if (given.kind === "events") return sendEvents(response, given.events, masked);
    return sendLines(response, given.values, masked);
  }

  /** Masks secrets that the services did not mask already. */
  function masked(_key: string, value: unknown): unknown {
    return typeof value === "string" ? app.mask(value) : value;
  }
}

const PAGE_HEADERS = {
  ...HEADERS,
  "cross-origin-resource-policy": "same-origin",
  "x-frame-options": "DENY",
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** The terminal adds inline style sheets. */
const CHAT_HEADERS = {
  ...PAGE_HEADERS,
  "content-security-policy": PAGE_HEADERS["content-security-policy"].replace(
    "style-src 'self'",
    "style-src 'self' 'unsafe-inline'",
  ),
};

function isFrame(path: string): boolean {
  return /^[^/]+\/?$/.test(path);
}

/**
 * Rights of a plugin's page: only its own scripts and images. It has no origin, so the policy names its URL. Not every
 * browser knows `webrtc`, so `frame.js` takes WebRTC away too; trusted types keep documents with a new one out of it.
 */
function frameHeaders(host: string, base: string): { readonly [name: string]: string } {
  const own = `http://${host}${base} https://${host}${base}`;
  return {
    ...HEADERS,
    "access-control-allow-origin": "*",
    "content-security-policy": `sandbox allow-scripts; default-src 'none'; script-src ${own}; style-src ${own}; img-src ${own} data:; font-src ${own}; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; webrtc 'block'; require-trusted-types-for 'script'; trusted-types default`,
  };
}

function give(
  response: ServerResponse,
  file: PageFile | undefined,
  headers: { readonly [name: string]: string },
): void {
  if (file === undefined) return refuse(response, 404, { error: "No such file." });
  response.writeHead(200, { ...headers, "content-type": file.type });
  response.end(file.content);
}

function refuse(
  response: ServerResponse,
  status: number,
  { error, hint }: { readonly error: string; readonly hint?: string },
): void {
  end(response, status, JSON_TYPE, JSON.stringify({ error, hint }));
}

function end(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { ...HEADERS, "content-type": type });
  response.end(text);
}

async function bodyOf(request: IncomingMessage, maxBytes: number): Promise<JsonObject> {
  const body = await readBody(request, maxBytes);
  if (body === undefined) throw new UserError("The request body is too large.");
  return jsonObjectOf(body);
}
