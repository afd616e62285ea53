import { platformContract, type PlayedPlatform } from "hermes-agent/testing";
import type { PlatformConfig, WorkState } from "hermes-agent/plugin";
import { mattermostBench } from "./test/mattermost-bench.ts";
import { startMattermostServer, type Call } from "./test/mattermost-server.ts";

const SIGNS: { readonly [emoji: string]: WorkState } = { eyes: "working", white_check_mark: "done", x: "failed" };

platformContract("mattermost", play, { folder: import.meta.dirname });

async function play(): Promise<PlayedPlatform> {
  const server = await startMattermostServer();
  const bench = mattermostBench(server.url, { env: { MATTERMOST_REPLY_MODE: "thread" } });
  const wrong = mattermostBench(server.url, { env: { MATTERMOST_TOKEN: "a-wrong-token" } });
  // The suite calls users by name; Mattermost has ids.
  const named = (config: PlatformConfig): PlatformConfig => ({
    ...config,
    message: (event) => config.message({ ...event, user_id: event.user_id?.replace(/^u-/, "") }),
  });
  const sent = ({ method, path, body }: Call): boolean =>
    method === "POST" && path === "/posts" && body["file_ids"] === undefined;
  let last = "";
  return {
    platform: { ...bench.platform, adapter_factory: (config) => bench.platform.adapter_factory(named(config)) },
    home: bench.home,
    chat: "51",
    otherChat: "41",
    group: "52",
    async write(channel_id, user, text, more = {}) {
      const mention = channel_id === "52" && (more.mention ?? true);
      const { file } = more;
      if (file !== undefined) server.uploads.set("f1", file);
      const quoted =
        more.quoting === undefined
          ? undefined
          : server.store({ channel_id, user_id: "u-bob", message: more.quoting }).id;
      last = server.write({
        channel_id,
        user_id: `u-${user}`,
        message: mention ? `@hermes ${text}` : text,
        root_id: more.thread ?? more.answering ?? quoted ?? "",
        props: more.bot === true ? { from_bot: "true" } : {},
        file_ids: file === undefined ? [] : ["f1"],
        metadata:
          file === undefined ? {} : { files: [{ id: "f1", name: file.name, size: file.size ?? file.bytes.length }] },
      }).id;
    },
    async arrived() {
      const { body } = await server.next(sent);
      const root = body["root_id"] === undefined ? undefined : String(body["root_id"]);
      return { chat_id: String(body["channel_id"]), text: String(body["message"]), thread: root, reply_to: root };
    },
    async changed() {
      const { path, body } = await server.next(({ method }) => method === "PUT");
      return { message_id: path.split("/")[2]!, text: String(body["message"]) };
    },
    async received() {
      const { body } = await server.next((call) => call.method === "POST" && call.body["file_ids"] !== undefined);
      const file = server.uploads.get((body["file_ids"] as readonly string[])[0]!)!;
      return { ...file, caption: String(body["message"] ?? "") };
    },
    edit: async (_chat, _user, id, text) => server.edit(id, text),
    remove: async (_chat, _user, id) => server.remove(id),
    async acknowledged() {
      const { body } = await server.next(({ method, path }) => method === "POST" && path === "/reactions");
      return { message_id: String(body["post_id"]), state: SIGNS[String(body["emoji_name"])] ?? "cancelled" };
    },
    async typing() {
      const { body } = await server.next(({ path }) => path.endsWith("/typing"));
      return { chat_id: String(body["channel_id"]) };
    },
    async deleted() {
      const { path } = await server.next(({ method, path: at }) => method === "DELETE" && at.startsWith("/posts/"));
      return { message_id: path.split("/")[2]! };
    },
    redeliver: async () => server.repeat(last),
    throttle(seconds) {
      server.misbehave((reply) => {
        const headers = {
          "x-ratelimit-limit": "1",
          "x-ratelimit-remaining": "0",
          "x-ratelimit-reset": String(seconds),
        };
        reply.writeHead(429, { ...headers, "retry-after": String(seconds) }).end("limit exceeded");
      });
    },
    breakSend(how) {
      server.misbehave((reply) => {
        if (how === "error") return void reply.writeHead(500).end();
        if (how === "half") reply.writeHead(201, { "content-length": "50" }).write("{");
        setTimeout(() => reply.destroy(), 20);
      });
    },
    cut: async () => server.cut(),
    rejected: { platform: wrong.platform, secret: "a-wrong-token" },
    refusing: "404",
    async [Symbol.asyncDispose]() {
      bench[Symbol.dispose]();
      wrong[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
