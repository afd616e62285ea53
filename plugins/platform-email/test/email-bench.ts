import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json, PlatformMessage } from "hermes-agent/plugin";
import { quietLog, storageIn, waitFor } from "hermes-agent/testing";
import { emailPlatform } from "../email-platform.ts";
import { PASSWORD, startDovecot } from "./dovecot.ts";
import { startSmtpServer } from "./smtp-server.ts";

export const ADDRESS = "hermes@example.net";

export interface WrittenMail {
  readonly from: string;
  readonly text: string;
  readonly subject?: string;
  readonly id?: string;
  /** More header lines. */
  readonly headers?: readonly string[];
  /** The result that the mail server reports; default: DMARC passes. */
  readonly verified?: string;
  readonly type?: string;
  readonly file?: { readonly name: string; readonly bytes: string };
}

const PACKAGES: { readonly [name: string]: () => Promise<unknown> } = {
  imapflow: () => import("imapflow"),
  nodemailer: () => import("nodemailer"),
  "postal-mime": () => import("postal-mime"),
};

let ids = 0;

/** A message as a mail server stores it. */
export function mailOf(mail: WrittenMail): { readonly id: string; readonly source: string } {
  const { from, text, subject = "Re: tea", headers = [], type = "text/plain", file } = mail;
  const id = mail.id ?? `<m${++ids}@example.com>`;
  const verified = mail.verified ?? `dmarc=pass header.from=${from.split("@")[1]}`;
  const part = (kind: string, content: string, more: readonly string[] = []): string =>
    [`Content-Type: ${kind}`, "Content-Transfer-Encoding: base64", ...more, "", lines(content), ""].join("\r\n");
  const body =
    file === undefined
      ? part(`${type}; charset=utf-8`, text)
      : [
          'Content-Type: multipart/mixed; boundary="cut"',
          "",
          "--cut",
          part("text/plain; charset=utf-8", text),
          "--cut",
          part("application/octet-stream", file.bytes, [`Content-Disposition: attachment; filename="${file.name}"`]),
          "--cut--",
          "",
        ].join("\r\n");
  const head = [
    ...(verified === "" ? [] : [`Authentication-Results: mx.example.net; ${verified}`]),
    `From: ${from.split("@")[0]} <${from}>`,
    `To: ${ADDRESS}`,
    ...(subject === "" ? [] : [`Subject: ${subject}`]),
    `Message-ID: ${id}`,
    ...headers,
    "MIME-Version: 1.0",
  ];
  return { id, source: [...head, body].join("\r\n") };
}

function lines(content: string): string {
  return (
    Buffer.from(content)
      .toString("base64")
      .match(/.{1,76}/g) ?? []
  ).join("\r\n");
}

/** Servers, the platform connected to them, and what its adapter passes to the gateway. */
export async function emailBench(given: { readonly env?: { readonly [name: string]: string } } = {}) {
  const imap = await startDovecot();
  const smtp = await startSmtpServer(ADDRESS, PASSWORD);
  const home = mkdtempSync(join(tmpdir(), "hermes-email-"));
  const env: { readonly [name: string]: string } = {
    EMAIL_ADDRESS: ADDRESS,
    EMAIL_PASSWORD: PASSWORD,
    EMAIL_IMAP_HOST: "127.0.0.1",
    EMAIL_IMAP_PORT: String(imap.port),
    EMAIL_SMTP_HOST: "127.0.0.1",
    EMAIL_SMTP_PORT: String(smtp.port),
    EMAIL_AUTHSERV_ID: "mx.example.net",
    ...given.env,
  };
  const stored = new Map<string, Json>();
  const platformWith = (changed: { readonly [name: string]: string }) =>
    emailPlatform(
      {
        env: (name) => ({ ...env, ...changed })[name],
        home,
        log: quietLog(),
        storage: storageIn(stored),
        package: async (name) => PACKAGES[name]!(),
      },
      20,
    );
  const platform = platformWith({});
  const received: PlatformMessage[] = [];
  return {
    imap,
    smtp,
    platform,
    platformWith,
    home,
    env,
    received: received as readonly PlatformMessage[],
    deliver(mail: WrittenMail): string {
      const { id, source } = mailOf(mail);
      imap.deliver(source);
      return id;
    },
    async connected() {
      const adapter = await platform.adapter_factory({
        enabled: true,
        extra: {},
        message: async (message) => void received.push(message),
      });
      await adapter.connect({ is_reconnect: false });
      return Object.assign(adapter, { [Symbol.asyncDispose]: async () => adapter.disconnect() });
    },
    /** The texts received so far, once there are that many. */
    async texts(count: number): Promise<readonly string[]> {
      await waitFor(() => received.length >= count, { what: `${count} messages`, timeoutMs: 20_000 });
      return received.map(({ text }) => text);
    },
    async [Symbol.asyncDispose]() {
      await smtp[Symbol.asyncDispose]();
      await imap[Symbol.asyncDispose]();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
