import { platformContract, type PlayedPlatform } from "hermes-agent/testing";
import type { PlatformConfig } from "hermes-agent/plugin";
import PostalMime from "postal-mime";
import { withDovecot } from "./test/dovecot.ts";
import { emailBench, mailOf } from "./test/email-bench.ts";

platformContract("email", play, { ...withDovecot, folder: import.meta.dirname });

async function play(): Promise<PlayedPlatform> {
  const bench = await emailBench();
  // The suite calls users by name.
  const named = (config: PlatformConfig): PlatformConfig => ({
    ...config,
    message: (event) => config.message({ ...event, user_id: event.user_id?.split("@")[0] }),
  });
  let last = "";
  return {
    platform: { ...bench.platform, adapter_factory: (config) => bench.platform.adapter_factory(named(config)) },
    extra: { max_attachment_bytes: 1_000 },
    home: bench.home,
    chat: "ada@example.com",
    otherChat: "bob@example.com",
    async write(_chat, user, text, { file, quoting } = {}) {
      const { source } = mailOf({
        from: `${user}@example.com`,
        text: quoting === undefined ? text : `${text}\n\nOn Sunday, Bob wrote:\n> ${quoting}\n`,
        file:
          file === undefined
            ? undefined
            : { name: file.name, bytes: file.size === undefined ? file.bytes : "x".repeat(2_000) },
      });
      last = source;
      bench.imap.deliver(source);
    },
    async arrived() {
      const { to, source } = await bench.smtp.next();
      const { text = "", inReplyTo } = await PostalMime.parse(source);
      return { chat_id: to, text: text.trim(), reply_to: inReplyTo };
    },
    async received() {
      const { text = "", attachments } = await PostalMime.parse((await bench.smtp.next()).source);
      const { filename, content } = attachments[0]!;
      return { name: filename ?? "", bytes: Buffer.from(content as ArrayBuffer).toString(), caption: text.trim() };
    },
    redeliver: async () => bench.imap.deliver(last),
    breakSend: (how) => bench.smtp.misbehave(how),
    cut: () => bench.imap.restart(),
    rejected: { platform: bench.platformWith({ EMAIL_PASSWORD: "a-wrong-password" }), secret: "a-wrong-password" },
    refusing: "unknown@example.com",
    [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose](),
  };
}
