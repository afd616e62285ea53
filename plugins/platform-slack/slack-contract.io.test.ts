import { platformContract, type PlayedPlatform } from "hermes-agent/testing";
import type { JsonObject, PlatformConfig, WorkState } from "hermes-agent/plugin";
import { slackBench } from "./test/slack-bench.ts";
import { BOT, escaped, startSlackServer, typeOf, unescaped, USERS, type Call } from "./test/slack-server.ts";

const SIGNS: { readonly [name: string]: WorkState } = { eyes: "working", white_check_mark: "done", x: "failed" };

platformContract("slack", play, { folder: import.meta.dirname });

async function play(): Promise<PlayedPlatform> {
  const server = await startSlackServer();
  const bench = slackBench(server.url);
  const wrong = slackBench(server.url, { env: { SLACK_BOT_TOKEN: "xoxb-a-wrong-token" } });
  // The suite calls users by name; Slack gives them ids.
  const named = (config: PlatformConfig): PlatformConfig => ({
    ...config,
    message: (event) => config.message({ ...event, user_id: USERS[event.user_id ?? ""] }),
  });
  const idOf = (user: string): string => Object.keys(USERS).find((id) => USERS[id] === user)!;
  let last: JsonObject = {};
  let shown: Call | undefined;
  return {
    platform: { ...bench.platform, adapter_factory: (config) => bench.platform.adapter_factory(named(config)) },
    home: bench.home,
    chat: "C51",
    otherChat: "D41",
    group: "C52",
    async write(chat, user, text, more = {}) {
      const mention = chat === "C52" && (more.mention ?? true);
      const parent = "1600000000.000001";
      if (more.quoting !== undefined)
        server.threads.set(parent, [{ ts: parent, user: idOf("bob"), text: more.quoting }]);
      if (more.file !== undefined) server.files.set("/files/f1", more.file.bytes);
      const words = mention ? `<@${BOT}> ${escaped(text)}` : escaped(text);
      last = {
        type: "message",
        subtype: more.file === undefined ? undefined : "file_share",
        channel: chat,
        channel_type: typeOf(chat),
        ts: server.newTs(),
        thread_ts: more.thread ?? more.answering ?? (more.quoting === undefined ? undefined : parent),
        user: idOf(user),
        bot_id: more.bot === true ? "B7" : undefined,
        text: words,
        files:
          more.file === undefined
            ? undefined
            : [
                {
                  id: "F1",
                  name: more.file.name,
                  size: more.file.size ?? more.file.bytes.length,
                  subtype: more.file.kind === "voice" ? "slack_audio" : undefined,
                  url_private_download: `${server.origin}/files/f1`,
                },
              ],
      };
      server.dispatch(last);
      // Slack reports a mention a second time.
      if (mention) server.dispatch({ ...last, type: "app_mention", subtype: undefined, channel_type: undefined });
    },
    async arrived() {
      shown = await server.next(({ method }) => method === "chat.postMessage");
      const { channel = "", text = "", thread_ts } = shown.params;
      return {
        chat_id: channel,
        text: unescaped(text),
        thread: thread_ts,
        reply_to: thread_ts,
        buttons: buttonsOf(shown).map((one) => one.text.text),
      };
    },
    async changed() {
      const { params } = await server.next(({ method }) => method === "chat.update");
      return { message_id: params["ts"]!, text: unescaped(params["text"]!) };
    },
    async received() {
      const { params } = await server.next(({ method }) => method === "files.completeUploadExternal");
      const [{ id }] = JSON.parse(params["files"]!) as [{ readonly id: string }];
      const { name, bytes } = server.uploads.get(id)!;
      return { name, bytes, caption: params["initial_comment"] ?? "" };
    },
    async edit(chat, user, id, text) {
      const before = { ts: id, user: idOf(user), text: last["text"] };
      server.dispatch({
        type: "message",
        subtype: "message_changed",
        channel: chat,
        channel_type: typeOf(chat),
        ts: server.newTs(),
        message: { ...before, text: escaped(text), edited: { user: idOf(user), ts: server.newTs() } },
        previous_message: before,
      });
    },
    async remove(chat, user, id) {
      server.dispatch({
        type: "message",
        subtype: "message_deleted",
        channel: chat,
        channel_type: typeOf(chat),
        ts: server.newTs(),
        deleted_ts: id,
        previous_message: { ts: id, user: idOf(user), text: "" },
      });
    },
    async acknowledged() {
      const { params } = await server.next(({ method }) => method === "reactions.add");
      return { message_id: params["timestamp"]!, state: SIGNS[params["name"]!] ?? "cancelled" };
    },
    async press(chat, user, label) {
      server.interact({
        type: "block_actions",
        team: { id: "T1", domain: "tea" },
        user: { id: idOf(user), username: user, team_id: "T1" },
        channel: { id: chat, name: "free" },
        message: { ts: "1700000000.000009" },
        actions: [
          { type: "button", action_ts: server.newTs(), ...buttonsOf(shown!).find((one) => one.text.text === label) },
        ],
      });
    },
    async deleted() {
      const { params } = await server.next(({ method }) => method === "chat.delete");
      return { message_id: params["ts"]! };
    },
    async redeliver() {
      server.dispatch(last);
    },
    throttle(seconds) {
      server.misbehave((reply) => {
        reply.writeHead(429, { "content-type": "application/json", "retry-after": String(seconds) });
        reply.end(JSON.stringify({ ok: false, error: "ratelimited" }));
      });
    },
    breakSend(how) {
      server.misbehave((reply) => {
        if (how === "error") return void reply.end(JSON.stringify({ ok: false, error: "fatal_error" }));
        if (how === "half") reply.writeHead(200, { "content-length": "50" }).write("{");
        setTimeout(() => reply.destroy(), 20);
      });
    },
    async cut() {
      server.cut();
    },
    rejected: { platform: wrong.platform, secret: "xoxb-a-wrong-token" },
    refusing: "C404",
    async [Symbol.asyncDispose]() {
      bench[Symbol.dispose]();
      wrong[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

function buttonsOf({ params }: Call): readonly { readonly value: string; readonly text: { readonly text: string } }[] {
  const blocks = JSON.parse(params["blocks"] ?? "[]") as readonly {
    readonly elements?: readonly { readonly value: string; readonly text: { readonly text: string } }[];
  }[];
  return blocks.flatMap(({ elements = [] }) => elements);
}
