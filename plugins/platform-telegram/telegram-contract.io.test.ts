import { platformContract } from "hermes-agent/testing";
import { startBotServer } from "./test/bot-server.ts";
import { telegramBench } from "./test/telegram-bench.ts";

platformContract("telegram", async () => {
  const server = await startBotServer();
  const bench = await telegramBench(server.url, { env: { HERMES_TELEGRAM_TEXT_BATCH_DELAY_SECONDS: "0" } });
  const people = new Map([["ada", 7]]);
  return {
    platform: {
      ...bench.platform,
      // The suite calls people by name; Telegram counts them.
      adapter_factory: (config) =>
        bench.platform.adapter_factory({
          ...config,
          message: (event) =>
            config.message({ ...event, user_id: [...people].find(([, id]) => String(id) === event.user_id)![0] }),
        }),
    },
    extra: bench.extra,
    chat: "7",
    async write(chat, user, text) {
      server.write({
        chat: { id: Number(chat), type: "private" },
        from: { id: people.get(user)!, first_name: user },
        text,
      });
    },
    async arrived() {
      const { params } = await server.sent();
      return { chat_id: String(params["chat_id"]), text: wordsOf(String(params["text"])) };
    },
    async changed() {
      for (;;) {
        const { method, params } = await server.sent();
        if (method === "editMessageText")
          return { message_id: String(params["message_id"]), text: wordsOf(String(params["text"])) };
      }
    },
    async received() {
      const { params } = await server.sent();
      const { name, bytes } = params["document"] as { readonly name: string; readonly bytes: string };
      return { name, bytes: Buffer.from(bytes, "latin1").toString(), caption: wordsOf(String(params["caption"])) };
    },
    refusing: "404",
    async [Symbol.asyncDispose]() {
      await bench[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
});

function wordsOf(html: string): string {
  return html
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}
