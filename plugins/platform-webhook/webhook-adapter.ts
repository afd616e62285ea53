import { randomUUID } from "node:crypto";
import {
  isObject,
  UserError,
  type ChatPost,
  type GuardedFetch,
  type Json,
  type JsonObject,
  type Logger,
  type PlatformAdapter,
  type PlatformConfig,
  type SendResult,
  type ServedRoute,
  type WebhookReply,
  type WebhookRequest,
} from "hermes-agent/plugin";
import { pacedHttp, sendResult } from "hermes-agent/platform";
import { NO_AUTH, type Route, type WebhookRoutes } from "./webhook-routes.ts";
import { deliveryId, signedDelivery } from "./webhook-signature.ts";
import { promptOf, rendered, type Delivery } from "./webhook-text.ts";

const PREFIX = "/webhooks/";
const WINDOW_MS = 60_000;

export interface WebhookSettings {
  readonly host: string | undefined;
  readonly port: number | undefined;
  readonly maxBytes: number;
  /** Deliveries of a route within a minute; 0: no limit. */
  readonly rateLimit: number;
  readonly githubToken: string;
  readonly githubUrl: string;
}

export interface WebhookPorts extends Pick<PlatformConfig, "message" | "webhooks"> {
  readonly routes: WebhookRoutes;
  readonly fetch: GuardedFetch;
  readonly log: Logger;
  chats(): Promise<Pick<ChatPost, "deliver">>;
  /** The instructions of a skill; `undefined`: there is none of that name. */
  skill(name: string): Promise<string | undefined>;
}

/** Where the answer of a delivery goes. */
interface Target {
  readonly deliver: string;
  readonly chatId?: string;
  readonly threadId?: string;
  readonly repo?: string;
  readonly number?: string;
}

/** Accepts deliveries on `/webhooks/NAME`, and passes the agent's answers on to the chats that the routes name. */
export class WebhookAdapter implements PlatformAdapter {
  readonly #settings: WebhookSettings;
  readonly #ports: WebhookPorts;
  readonly #recent = new Map<string, number[]>();
  #served: ServedRoute | undefined;

  constructor(settings: WebhookSettings, ports: WebhookPorts) {
    this.#settings = settings;
    this.#ports = ports;
  }

  async connect(): Promise<boolean> {
    if (this.#served !== undefined) return true;
    const { webhooks } = this.#ports;
    if (webhooks === undefined) throw new UserError("Webhooks need the gateway's listener, which is not here.");
    const { host, port, maxBytes } = this.#settings;
    this.#served = await webhooks.route({
      path: `${PREFIX}*`,
      host,
      port,
      maxBytes,
      refuse: (request) => this.#refusal(request.path),
      verify: (request) => this.#isSigned(request),
      identify: (request) => this.#identity(request),
      repeated: { body: { status: "duplicate" } },
      handle: (request) => this.#handle(request),
    });
    return true;
  }

  async disconnect(): Promise<void> {
    const served = this.#served;
    this.#served = undefined;
    await served?.[Symbol.asyncDispose]();
  }

  /** @param chat_id `webhook:ROUTE:DELIVERY`. @param options.metadata.thread_id The target, if the payload names it. */
  async send(
    chat_id: string,
    text: string,
    { metadata }: { readonly metadata?: JsonObject } = {},
  ): Promise<SendResult> {
    if (this.#served === undefined) return { success: false, error: "Webhooks are not connected.", retryable: true };
    const [, name = ""] = chat_id.split(":");
    const route = this.#ports.routes.find(name);
    const target = targetIn(metadata?.["thread_id"]) ?? (route === undefined ? undefined : targetOf(route, undefined));
    if (target === undefined)
      return { success: false, error: `The webhook route ${name} no longer exists.`, retryable: false };
    const key = String(metadata?.["idempotency_key"] ?? `${chat_id}:${randomUUID()}`);
    return this.#deliver(target, text, { key, name });
  }

  get_chat_info(chat_id: string): { readonly name: string; readonly type: string } {
    return { name: chat_id, type: "dm" };
  }

  #refusal(path: string): WebhookReply | undefined {
    const route = this.#routeAt(path);
    if (route === undefined) return { status: 404, body: { error: "There is no such route." } };
    return route.enabled ? undefined : { status: 403, body: { error: "The route is switched off." } };
  }

  #routeAt(path: string): Route | undefined {
    const name = path.slice(PREFIX.length);
    return /^[\w-]+$/.test(name) ? this.#ports.routes.find(name) : undefined;
  }

  #isSigned(request: WebhookRequest): boolean {
    const route = this.#routeAt(request.path);
    if (route === undefined) return false;
    if (route.secret === NO_AUTH) return isLocal(request.remote) && isLoopback(this.#settings.host);
    return signedDelivery(request, route.secret).ok;
  }

  #identity(request: WebhookRequest): { readonly id?: string; readonly at?: number } {
    const route = this.#routeAt(request.path);
    const id = deliveryId(request.headers);
    return {
      id: route === undefined || id === undefined ? undefined : `${route.name}/${id}`,
      at: route === undefined || route.secret === NO_AUTH ? undefined : signedDelivery(request, route.secret).at,
    };
  }

  async #handle(request: WebhookRequest): Promise<WebhookReply> {
    const route = this.#routeAt(request.path)!;
    if (!this.#inRate(route.name))
      return { status: 429, again: true, headers: { "retry-after": "60" }, body: { error: "Too many deliveries." } };
    const delivery = deliveryOf(request);
    if (delivery === undefined) return { status: 400, body: { error: "The body is neither JSON nor a form." } };
    const { event } = delivery;
    if (route.events.length > 0 && !route.events.includes(event))
      return { body: { status: "ignored", event, reason: "filter", route: route.name } };
    const id = deliveryId(request.headers) ?? randomUUID();
    if (route.deliverOnly) return this.#deliverOnly(route, delivery, id);
    const { text, content } = promptOf(route, delivery);
    const target = targetOf(route, delivery);
    await this.#ports.message({
      text: [...(await this.#skillsOf(route)), text].join("\n\n"),
      chat_id: `webhook:${route.name}:${id}`,
      chat_type: "dm",
      chat_name: route.name,
      user_id: route.name,
      user_name: route.name,
      message_id: id,
      channel_context: content,
      thread_id: Object.keys(route.deliverExtra).length === 0 ? undefined : JSON.stringify(target),
    });
    return { status: 202, body: { status: "accepted", route: route.name, event, delivery_id: id } };
  }

  async #deliverOnly(route: Route, delivery: Delivery, id: string): Promise<WebhookReply> {
    const text = rendered(route.prompt === "" ? "{__raw__}" : route.prompt, delivery);
    const key = `webhook:${route.name}:${id}`;
    const sent = await this.#deliver(targetOf(route, delivery), text, { key, name: route.name });
    return sent.success
      ? { body: { status: "delivered", route: route.name, delivery_id: id } }
      : { status: 502, body: { status: "failed", error: sent.error ?? "" } };
  }

  async #skillsOf({ name: route, skills }: Route): Promise<readonly string[]> {
    const texts = await Promise.all(
      skills.map(async (name) => {
        const body = await this.#ports.skill(name);
        if (body === undefined) this.#ports.log.warning(`The webhook route ${route} names an unknown skill: ${name}.`);
        return body === undefined ? [] : [`Follow the skill "${name}":\n${body.trim()}`];
      }),
    );
    return texts.flat();
  }

  #inRate(name: string): boolean {
    const { rateLimit } = this.#settings;
    if (rateLimit === 0) return true;
    const now = Date.now();
    const recent = (this.#recent.get(name) ?? []).filter((at) => now - at < WINDOW_MS);
    this.#recent.set(name, recent);
    if (recent.length >= rateLimit) return false;
    recent.push(now);
    return true;
  }

  async #deliver(
    target: Target,
    text: string,
    { key, name }: { readonly key: string; readonly name: string },
  ): Promise<SendResult> {
    if (target.deliver === "log") {
      this.#ports.log.info(`Webhook ${name}: ${text}`, { route: name });
      return { success: true };
    }
    if (target.deliver === "github_comment") return this.#comment(target, text);
    try {
      const { deliver: platform, chatId, threadId } = target;
      await (await this.#ports.chats()).deliver({ platform, chatId, threadId, key }, text);
      return { success: true };
    } catch (cause) {
      if (!(cause instanceof UserError)) throw cause;
      return { success: false, error: [cause.message, cause.hint].join(" ").trim(), retryable: false };
    }
  }

  async #comment({ repo = "", number = "" }: Target, text: string): Promise<SendResult> {
    const { githubToken, githubUrl } = this.#settings;
    if (githubToken === "" || !/^[\w.-]+\/[\w.-]+$/.test(repo) || !/^\d+$/.test(number))
      return {
        success: false,
        error: "github_comment needs GITHUB_TOKEN, and repo and pr_number in deliver_extra.",
        retryable: false,
      };
    const http = pacedHttp({
      fetch: this.#ports.fetch,
      label: "GitHub",
      secrets: [githubToken],
      configured: "platforms.webhook.extra.github_url",
      headers: () => ({ authorization: `Bearer ${githubToken}`, accept: "application/vnd.github+json" }),
    });
    return sendResult(async () => {
      const { body } = await http.request(`${githubUrl}/repos/${repo}/issues/${number}/comments`, {
        json: { body: text },
      });
      return { success: true, message_id: isObject(body) ? String(body["id"] ?? "") : undefined };
    });
  }
}

function targetOf({ deliver, deliverExtra }: Route, delivery: Delivery | undefined): Target {
  const value = (...keys: readonly string[]): string | undefined => {
    const found = keys.map((key) => deliverExtra[key]).find((one) => one !== undefined && one !== null);
    const text = found === undefined ? "" : String(found);
    return text === "" ? undefined : delivery === undefined ? text : rendered(text, delivery);
  };
  return {
    deliver,
    chatId: value("chat_id"),
    threadId: value("thread_id", "message_thread_id"),
    repo: value("repo"),
    number: value("pr_number"),
  };
}

function targetIn(thread: Json | undefined): Target | undefined {
  if (typeof thread !== "string" || !thread.startsWith("{")) return undefined;
  const target: unknown = JSON.parse(thread);
  return isObject(target) && typeof target["deliver"] === "string" ? (target as unknown as Target) : undefined;
}

/** The event and its payload; `undefined`: the body is neither JSON nor a form. */
function deliveryOf({ headers, body }: WebhookRequest): Delivery | undefined {
  const text = Buffer.from(body).toString("utf8");
  const payload = payloadOf(text, headers["content-type"] ?? "");
  if (payload === undefined) return undefined;
  const named = [payload["event_type"], payload["type"]].find((one) => typeof one === "string");
  const event = headers["x-github-event"] ?? headers["x-gitlab-event"] ?? named ?? "";
  return { event: String(event), payload };
}

function payloadOf(text: string, type: string): JsonObject | undefined {
  if (type.includes("x-www-form-urlencoded")) {
    const form = Object.fromEntries(new URLSearchParams(text));
    // GitHub can send its JSON in a form field.
    return form["payload"] === undefined ? form : payloadOf(form["payload"], "application/json");
  }
  try {
    const value = JSON.parse(text === "" ? "{}" : text) as Json;
    return isObject(value) ? (value as JsonObject) : { value };
  } catch {
    return undefined;
  }
}

function isLocal(address: string): boolean {
  return address === "::1" || /^(?:::ffff:)?127\./.test(address);
}

/** The gateway's own address is on this machine unless the user set another. */
function isLoopback(host: string | undefined): boolean {
  return host === undefined || host === "localhost" || host === "::1" || host.startsWith("127.");
}
