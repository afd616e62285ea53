import {
  definedFields,
  ToolFailure,
  isObject,
  type BrowserProvider,
  type FetchOptions,
  type FetchReply,
  type Json,
  type JsonObject,
  type PluginContext,
} from "hermes-agent/plugin";

/** A service that runs browsers, as its plugin describes it. */
export interface BrowserService {
  readonly name: string;
  readonly label: string;
  /** Text shown beside the name in a picker. */
  readonly tag: string;
  readonly needs: readonly { readonly key: string; readonly prompt: string; readonly url?: string }[];
  /** Asked for a session; an answer that is none of its refusals is one. */
  begin(ask: Ask): Promise<{ readonly answer: JsonObject; readonly features: JsonObject }>;
  /** The request that ends a session. */
  end(id: string): { readonly path: string; readonly method: "POST" | "PATCH" | "DELETE"; readonly body?: JsonObject };
  /** Where the service is, the variable that may hold another address, and the header that holds its key. */
  place(): {
    readonly base: string;
    readonly configured: string;
    readonly headers: { readonly [name: string]: string };
  };
  /** Fields of the answer that may hold the browser's address. */
  readonly addressKeys: readonly string[];
  /** Advice for the user about a limit: appended to a 402 or a 429. */
  readonly aboutLimits: string;
}

/**
 * Sends one request with the key. @returns also where the service refuses, for what it has another way; `refusal` says
 * it in words.
 */
export type Ask = (path: string, body: JsonObject) => Promise<Answered>;

export interface Answered {
  readonly status: number;
  readonly answer: JsonObject;
  refusal(): ToolFailure;
}

const BEGIN_MS = 30_000;
const END_MS = 10_000;
const LAST_MS = 4_000;

/** The common part of all such services: open a session with a key, end it with a key, and explain failures. */
export function browserProvider(
  service: BrowserService,
  ctx: Pick<PluginContext, "env" | "fetch" | "log">,
): BrowserProvider {
  const { name, label } = service;
  const missing = (): readonly string[] =>
    service.needs.map(({ key }) => key).filter((key) => (ctx.env(key) ?? "") === "");

  const send = async (
    path: string,
    method: NonNullable<FetchOptions["method"]>,
    body: JsonObject | undefined,
    timeoutMs: number,
  ): Promise<FetchReply> => {
    const { base, configured, headers } = service.place();
    // A redirect is an answer: the key is for this address. And ending is not given up because the plugin is being
    // unloaded.
    return ctx.fetch(`${base.replace(/\/+$/, "")}${path}`, {
      method,
      headers: {
        ...headers,
        accept: "application/json",
        ...definedFields({ "content-type": body === undefined ? undefined : "application/json" }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      timeoutMs,
      maxBytes: 1_000_000,
      maxRedirects: 0,
      configured,
      signal: AbortSignal.timeout(timeoutMs),
    });
  };
  const ask: Ask = async (path, body) => {
    const { status, text } = await send(path, "POST", body, BEGIN_MS).then(async (reply) => ({
      status: reply.status,
      text: await reply.text(),
    }));
    return { status, answer: objectIn(text), refusal: () => refusalOf(service, status, text) };
  };
  const end = async (id: string, timeoutMs: number): Promise<boolean> => {
    if (missing().length > 0) return false;
    const { path, method, body } = service.end(encodeURIComponent(id));
    const { status } = await send(path, method, body, timeoutMs);
    // A session that the service no longer knows has ended.
    if ((status >= 200 && status < 300) || status === 404 || status === 410) return true;
    ctx.log.warning(`${label} did not end a session: status ${status}.`, { session: id });
    return false;
  };

  return {
    name,
    display_name: label,
    is_available: () => missing().length === 0,
    async create_session(task_id) {
      const lacking = missing();
      if (lacking.length > 0)
        throw new ToolFailure("unavailable", `${label} needs ${lacking.join(" and ")}.`, {
          hint: "Run `hermes setup browser` to enter it.",
        });
      const { answer, features } = await service.begin(ask);
      const id = answer["id"];
      if (typeof id !== "string" || id === "")
        throw new ToolFailure("unavailable", `${label} sent an answer that describes no session.`);
      const address =
        service.addressKeys
          .map((key) => answer[key])
          .find((value): value is string => typeof value === "string" && value !== "") ?? "";
      return { session_name: `hermes_${task_id}_${id.slice(0, 8)}`, bb_session_id: id, cdp_url: address, features };
    },
    close_session: (id) => end(id, END_MS).catch(() => false), // The result reports that the service was unreachable.
    emergency_cleanup: (id) =>
      end(id, LAST_MS).then(
        () => undefined,
        () => undefined,
      ), // The next start tries again.
    get_setup_schema: () => ({
      name: label,
      badge: "paid",
      tag: service.tag,
      env_vars: service.needs.map((need) => ({ ...need })),
    }),
  };
}

function refusalOf({ label, needs, aboutLimits }: BrowserService, status: number, text: string): ToolFailure {
  const output = reasonIn(text);
  // The text of the service is untrusted.
  const from = output === "." ? undefined : { source: label };
  if (status === 401 || status === 403)
    return new ToolFailure("auth_error", `${label} refused the key (${status}): check ${needs[0]!.key}${output}`, {
      from,
    });
  if (status === 402)
    return new ToolFailure("unavailable", `${label} requires payment (402)${output}`, {
      hint: aboutLimits,
      from,
    });
  if (status === 429)
    return new ToolFailure(
      "unavailable",
      `${label} opens no more sessions now (429): too many are open, or too many requests arrived at once${output}`,
      { hint: aboutLimits, from },
    );
  return new ToolFailure("unavailable", `${label} opened no session: status ${status}${output}`, { from });
}

/** In the service's words: `: The plan allows one session.` */
function reasonIn(text: string): string {
  const { error, message, detail } = objectIn(text);
  const output = [isObject(error) ? error["message"] : error, message, detail].find(
    (one): one is string => typeof one === "string" && one !== "",
  );
  return output === undefined ? "." : `: ${output.replaceAll(/\s+/g, " ").slice(0, 300)}`;
}

function objectIn(text: string): JsonObject {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : {};
  } catch {
    return {}; // A page of some proxy says nothing to a model.
  }
}
