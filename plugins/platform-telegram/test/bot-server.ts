import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Message, Update } from "../telegram-types.ts";

export const TOKEN = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";
export const BOT = { id: 110201543, username: "tea_bot" };

export interface Asked {
  readonly method: string;
  readonly params: { readonly [name: string]: unknown };
}

/** A JSON answer, a text that may not be JSON, no answer, or half of one. */
type Mishap = readonly [number, unknown] | { readonly status: number; readonly text: string } | "drop" | "half";

/** A local Bot API of one bot: keeps updates until they are confirmed, and fails on request. */
export async function startBotServer() {
  const updates: Update[] = [];
  const asked: Asked[] = [];
  const files = new Map<string, Uint8Array>();
  const waiting: (() => void)[] = [];
  /** Requests that the service carried out. */
  const completed: Asked[] = [];
  const watchers: (() => void)[] = [];
  const given: Update[] = [];
  const sent: Asked[] = [];
  const sentWaiting: ((asked: Asked) => void)[] = [];
  /** Failures for the next requests of a method. */
  const mishaps = new Map<string, Mishap[]>();
  let number = 0;

  const answer = (response: ServerResponse, status: number, body: unknown): void =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  const ok = (response: ServerResponse, result: unknown): void => answer(response, 200, { ok: true, result });
  const server = createServer((incoming, response) => void respond(incoming, response).catch(() => response.destroy()));

  async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, kind, rest = ""] = /^\/(bot|file\/bot)[^/]+\/(.*)$/.exec(incoming.url ?? "") ?? [];
    if (!incoming.url?.includes(`bot${TOKEN}/`))
      return answer(response, 401, { ok: false, error_code: 401, description: "Unauthorized" });
    if (kind !== "bot") {
      const file = files.get(rest);
      return file === undefined ? answer(response, 404, {}) : void response.end(file);
    }
    const params = await paramsOf(incoming);
    asked.push({ method: rest, params });
    const mishap = mishaps.get(rest)?.shift();
    if (mishap === "drop") return void response.destroy();
    if (mishap === "half")
      return void response.writeHead(200, { "content-length": "100" }).write('{"ok":', () => response.destroy());
    if (mishap !== undefined && "text" in mishap)
      return void response.writeHead(mishap.status, { "content-type": "application/json" }).end(mishap.text);
    if (mishap !== undefined) return answer(response, mishap[0], mishap[1]);
    if (params["chat_id"] !== "404") completed.push({ method: rest, params });
    for (const look of watchers.splice(0)) look();
    if (rest === "getMe") return ok(response, { id: BOT.id, is_bot: true, username: BOT.username });
    if (rest === "getUpdates") return poll(params, response);
    if (rest === "getFile")
      return ok(response, { file_id: params["file_id"], file_path: `files/${String(params["file_id"])}` });
    if (rest === "getChat") return ok(response, { id: params["chat_id"], type: "supergroup", title: "Tea" });
    if (!/^send(?!ChatAction)|^editMessageText$/.test(rest)) return ok(response, true);
    // The Bot API counts UTF-16 units after it has read the markup, and refuses empty texts.
    const text = String(params["text"] ?? "x").replaceAll(/<[^>]+>|&\w+;/g, (mark) =>
      mark.startsWith("&") ? "&" : "",
    );
    if (text === "" || text.length > 4_096)
      return answer(response, 400, { ok: false, error_code: 400, description: "Bad Request: message is too long" });
    if (rest === "editMessageText" && Number(params["message_id"]) > 100_000)
      return answer(response, 400, {
        ok: false,
        error_code: 400,
        description: "Bad Request: message to edit not found",
      });
    if (params["chat_id"] === "404")
      return answer(response, 400, { ok: false, error_code: 400, description: "Bad Request: chat not found" });
    const one = { method: rest, params };
    const next = sentWaiting.shift();
    if (next === undefined) sent.push(one);
    else next(one);
    ok(response, { message_id: 1_000 + ++number });
  }

  async function poll(
    { offset = 0, timeout = 0 }: { readonly offset?: number; readonly timeout?: number },
    response: ServerResponse,
  ): Promise<void> {
    while ((updates[0]?.update_id ?? Infinity) < Number(offset)) updates.shift();
    if (updates.length === 0 && timeout > 0) {
      const more = Promise.withResolvers<void>();
      waiting.push(more.resolve);
      response.on("close", () => more.resolve());
      await more.promise;
    }
    ok(response, updates.slice(0, 100));
  }

  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  let id = 0;
  /** The next request that fits and was not read yet. */
  const reader = () => {
    const taken = new Set<Asked>();
    return async (fits: (asked: Asked) => boolean): Promise<Asked> => {
      for (;;) {
        const found = completed.find((one) => fits(one) && !taken.has(one));
        if (found !== undefined) return (taken.add(found), found);
        const more = Promise.withResolvers<void>();
        watchers.push(more.resolve);
        await more.promise;
      }
    };
  };
  const bench = {
    reader,
    nextUpdate: (): number => 500 + ++id,
    /** The last update that a user caused. */
    last: (): Update | undefined => given.at(-1),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    files,
    /** Requests of this method. */
    of: (method: string): readonly Asked[] => asked.filter((one) => one.method === method),
    /** Adds messages of a user; all arrive in one response. */
    write(...messages: readonly Partial<Message>[]): void {
      for (const message of messages) {
        const update: Update = {
          update_id: 500 + ++id,
          message: {
            message_id: id,
            date: 1_700_000_000,
            chat: { id: 7, type: "private" },
            from: { id: 7, first_name: "Ada" },
            ...message,
          },
        };
        updates.push(update);
        given.push(update);
      }
      for (const wake of waiting.splice(0)) wake();
    },
    /** Adds a button press by a user. */
    press(user: number, chat: Message["chat"], data: string): void {
      bench.give({
        update_id: 500 + ++id,
        callback_query: {
          id: `cb${id}`,
          from: { id: user, first_name: "P" },
          message: { message_id: 1_000, date: 0, chat, from: { id: BOT.id, is_bot: true } },
          data,
        },
      });
    },
    /** Adds an update, possibly a repeated one. */
    give(update: Update): void {
      updates.push(update);
      for (const wake of waiting.splice(0)) wake();
    },
    mishap(method: string, ...what: readonly Mishap[]): void {
      mishaps.set(method, [...(mishaps.get(method) ?? []), ...what]);
    },
    sent: (): Promise<Asked> =>
      sent.length > 0 ? Promise.resolve(sent.shift()!) : new Promise((resolve) => void sentWaiting.push(resolve)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
  return bench;
}

/** Parses parameters; files of a form become name and bytes. */
async function paramsOf(incoming: IncomingMessage): Promise<Asked["params"]> {
  const body = Buffer.concat(await Array.fromAsync(incoming as AsyncIterable<Buffer>));
  const type = incoming.headers["content-type"] ?? "";
  if (!type.startsWith("multipart/")) return JSON.parse(body.toString() || "{}") as Asked["params"];
  const form = await new Response(body, { headers: { "content-type": type } }).formData();
  const params: { [name: string]: unknown } = {};
  for (const [name, value] of form)
    params[name] =
      typeof value === "string"
        ? value
        : { name: value.name, bytes: Buffer.from(await value.arrayBuffer()).toString("latin1") };
  return params;
}
