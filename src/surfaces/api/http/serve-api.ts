import { setTimeout as wait } from "node:timers/promises";
import { createServer, type IncomingMessage, type ServerOptions, type ServerResponse } from "node:http";
import { UserError } from "../../../contract/common/failure.ts";
import type { Logger } from "../../../contract/common/logger.ts";
import { asTyped } from "../../shared/process/called-as.ts";
import { findRoute } from "../../shared/http/find-route.ts";
import { listenOn } from "../../shared/http/listen.ts";
import { HTTP_LIMITS } from "../../shared/http/http-limits.ts";
import { jsonObjectOf, readBody } from "../../shared/http/read-body.ts";
import { ApiFailure, wrongRequest } from "./api-failure.ts";
import type { ApiSettings } from "../../shared/gateway/api-plan.ts";
import type { ApiRoute } from "./api-route.ts";
import { EventStream } from "./event-stream.ts";
import { WrongKeys } from "./wrong-keys.ts";
import { bearerOf } from "../../shared/http/same-secret.ts";
import { corsHeaders, refusedKey, refusedOrigin, SECURITY_HEADERS } from "./gate.ts";

export interface ServedApi extends AsyncDisposable {
  readonly url: string;
}

export interface ServePorts {
  readonly log: Logger;
  mask(text: string): string;
  readonly settings: ApiSettings;
  readonly routes: readonly ApiRoute[];
  readonly keepAliveMs: number;
  /** How slowly a client may send. Default: {@link HTTP_LIMITS}. */
  readonly limits?: ServerOptions;
}

const MAX_BODY_BYTES = 10_000_000;
const JSON_TYPE = "application/json; charset=utf-8";

/**
 * Answers requests until disposed; checks the caller before the request.
 * @throws {UserError} if it cannot listen on the address.
 */
export async function serveApi({
  log,
  mask,
  settings,
  routes,
  keepAliveMs,
  limits = HTTP_LIMITS,
}: ServePorts): Promise<ServedApi> {
  const ended = new AbortController();
  const wrongKeys = new WrongKeys();
  const server = createServer(limits, (request, response) => {
    answer(request, response).catch((cause: unknown) => {
      log.error("The API server cannot send a response.", { cause });
      response.destroy();
    });
  });
  const url = await listenOn(server, {
    host: settings.host,
    port: settings.port,
    rival: "the gateway of another home",
    hints: {
      port: "Choose another port with API_SERVER_PORT.",
      host: "Set API_SERVER_HOST to an address of this machine.",
    },
  });
  return {
    url,
    async [Symbol.asyncDispose]() {
      ended.abort();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const headers =
      refusedOrigin(request.headers, settings.origins) === undefined
        ? { ...SECURITY_HEADERS, ...corsHeaders(request.headers, settings.origins) }
        : SECURITY_HEADERS;
    try {
      await answerRoute(request, response, headers);
    } catch (error) {
      if (response.headersSent || response.destroyed) return void response.destroy();
      const failure = failureOf(error, request);
      if (failure.status === 401 || failure.status === 403)
        log.info(`The API server refused ${request.method} ${request.url}: ${failure.code}.`);
      end(response, failure.status, { ...headers, ...failure.headers }, failure.body);
    }
  }

  async function answerRoute(
    request: IncomingMessage,
    response: ServerResponse,
    headers: { readonly [name: string]: string },
  ): Promise<void> {
    const asked = request.url ?? "/";
    if (!URL.canParse(asked, "http://api")) throw wrongRequest("The request path is not a valid URL.");
    const { pathname, searchParams: query } = new URL(asked, "http://api");
    const unknownProgram = refusedOrigin(request.headers, settings.origins);
    if (unknownProgram !== undefined) throw unknownProgram;
    if (request.method === "OPTIONS") return void response.writeHead(200, headers).end();
    const method = request.method === "HEAD" ? "GET" : (request.method ?? "");
    const found = findRoute(routes, method, pathname);
    const unknown = found?.route.open === true ? undefined : refusedKey(request.headers, settings.key);
    if (unknown !== undefined) {
      if (bearerOf(request.headers.authorization) !== undefined)
        await wait(wrongKeys.delayMs(request.socket.remoteAddress ?? ""), undefined, { signal: ended.signal });
      throw unknown;
    }
    if (found === undefined)
      throw new ApiFailure(`No route ${request.method} ${pathname}; GET /v1/capabilities lists all routes.`, {
        status: 404,
        code: "not_found",
      });
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const body = method === "GET" ? {} : jsonObjectOf(await wholeBody(request));
    const given = await found.route.answer({
      params: found.params,
      headers: request.headers,
      query,
      body,
      gone: AbortSignal.any([gone.signal, ended.signal]),
    });
    const own = { ...headers, ...given.headers };
    if (given.kind === "json") return end(response, given.status ?? 200, own, given.value);
    response.writeHead(200, { ...own, "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" });
    response.flushHeaders();
    using stream = new EventStream(response, keepAliveMs);
    await given.write(stream);
    response.end();
  }

  function failureOf(error: unknown, request: IncomingMessage): ApiFailure {
    if (error instanceof ApiFailure) return error;
    if (error instanceof UserError)
      return wrongRequest(mask(asTyped([error.message, error.hint].filter((text) => text !== undefined).join(" "))));
    log.error(`The API server failed at ${request.method} ${request.url}`, { cause: error });
    return new ApiFailure("Internal error of the agent. See its log: hermes logs", {
      status: 500,
      code: "internal_error",
    });
  }
}

async function wholeBody(request: IncomingMessage): Promise<Buffer> {
  const body = await readBody(request, MAX_BODY_BYTES);
  if (body === undefined)
    throw new ApiFailure(`The request body is larger than ${MAX_BODY_BYTES} bytes.`, {
      status: 413,
      code: "body_too_large",
    });
  return body;
}

function end(
  response: ServerResponse,
  status: number,
  headers: { readonly [name: string]: string },
  value: unknown,
): void {
  response.writeHead(status, { ...headers, "content-type": JSON_TYPE });
  response.end(JSON.stringify(value));
}
