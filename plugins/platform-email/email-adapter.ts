import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import {
  UserError,
  type JsonObject,
  type Logger,
  type PlatformAdapter,
  type PlatformConfig,
  type PluginContext,
  type SendFileOptions,
  type SendResult,
} from "hermes-agent/plugin";
import { receiveFiles, type ReceivedFiles } from "hermes-agent/platform";
import { mailPackages, type MailPackages, type ParsedMail, type SmtpTransport } from "./mail-packages.ts";
import { whyAutomatic } from "./is-automatic.ts";
import { ownText, textOfHtml } from "./mail-text.ts";
import { Mailbox, openClient, type Position } from "./mailbox.ts";
import type { EmailSettings } from "./settings.ts";
import { verifiedSender } from "./verified-sender.ts";

const SMTP_MS = 30_000;
const MOST_REFERENCES = 20;

export interface EmailPorts extends Pick<PlatformConfig, "message" | "welcome"> {
  /** Folder for received files. */
  readonly home: string;
  readonly log: Logger;
  readonly storage: PluginContext["storage"];
  /** Loads a package, which is installed on first use. */
  load(name: string): Promise<unknown>;
  readonly firstPauseMs: number;
}

/** The last message of a sender, which answers refer to. */
interface Thread {
  readonly id: string;
  readonly references: readonly string[];
  readonly subject: string;
}

/** One mailbox: messages arrive over IMAP, answers leave over SMTP. */
export class EmailAdapter implements PlatformAdapter {
  readonly #settings: EmailSettings;
  readonly #ports: EmailPorts;
  #mailbox: Mailbox | undefined;
  #transport: SmtpTransport | undefined;

  constructor(settings: EmailSettings, ports: EmailPorts) {
    this.#settings = settings;
    this.#ports = ports;
  }

  async connect(): Promise<boolean> {
    if (this.#mailbox !== undefined) return true;
    const packages = await this.#packages();
    const { log, storage, firstPauseMs } = this.#ports;
    const mailbox = new Mailbox({
      settings: this.#settings,
      imapflow: packages.imapflow,
      log,
      firstPauseMs,
      position: {
        get: async () => (await storage.get("position")) as unknown as Position | undefined,
        set: ({ validity, uid }) => storage.set("position", { validity, uid }),
      },
      message: async (source, id) => this.#take(await packages.postalMime.parse(source), id),
    });
    this.#transport = this.#transportOf(packages);
    await mailbox.open();
    this.#mailbox = mailbox;
    return true;
  }

  disconnect(): void {
    this.#mailbox?.close();
    this.#mailbox = undefined;
    this.#transport?.close();
  }

  async send(chat_id: string, text: string, { reply_to }: { readonly reply_to?: string }): Promise<SendResult> {
    if (text.trim() === "") return { success: true };
    return this.#post(chat_id, reply_to, { text });
  }

  async send_document(
    chat_id: string,
    path: string,
    { caption = "", file_name = basename(path), reply_to }: SendFileOptions,
  ): Promise<SendResult> {
    const content = await readFile(path);
    return this.#post(chat_id, reply_to, { text: caption, attachments: [{ filename: file_name, content }] });
  }

  get_chat_info(chat_id: string): JsonObject {
    return { name: chat_id, type: "dm" };
  }

  /** The address, after both servers accepted the password. @throws {UserError} */
  async account(): Promise<string> {
    const packages = await this.#packages();
    (await openClient(this.#settings, packages.imapflow)).close();
    const transport = this.#transportOf(packages);
    try {
      await transport.verify();
    } catch (cause) {
      throw new UserError(`${this.#settings.smtp.host} refuses the connection: ${this.#reason(cause)}`, {
        hint: "Check EMAIL_SMTP_HOST, EMAIL_SMTP_PORT and EMAIL_PASSWORD.",
      });
    } finally {
      transport.close();
    }
    return this.#settings.address;
  }

  async #packages(): Promise<MailPackages> {
    const { address, password, imap, smtp } = this.#settings;
    if ([address, password, imap.host, smtp.host].includes(""))
      throw new UserError("Email has no address, password or server.", {
        hint: "Set EMAIL_ADDRESS, EMAIL_PASSWORD, EMAIL_IMAP_HOST and EMAIL_SMTP_HOST.",
      });
    return mailPackages((name) => this.#ports.load(name));
  }

  #transportOf({ nodemailer }: MailPackages): SmtpTransport {
    const { smtp, address, password } = this.#settings;
    return nodemailer.createTransport({
      host: smtp.host,
      port: smtp.port,
      secure: smtp.tls,
      requireTLS: !smtp.tls && !smtp.local,
      auth: { user: address, pass: password },
      connectionTimeout: SMTP_MS,
      greetingTimeout: SMTP_MS,
      socketTimeout: SMTP_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  async #post(to: string, reply_to: string | undefined, content: object): Promise<SendResult> {
    if (this.#mailbox === undefined) return { success: false, error: "Email is not connected.", retryable: true };
    if (!/^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/.test(to))
      return { success: false, error: `${JSON.stringify(to)} is not an email address.`, retryable: false };
    const { address } = this.#settings;
    const thread = (await this.#ports.storage.get(threadKey(to))) as unknown as Thread | undefined;
    const answered = reply_to?.startsWith("<") === true ? reply_to : thread?.id;
    const references = answered === thread?.id ? [...(thread?.references ?? []), answered] : [answered];
    const messageId = `<hermes.${randomUUID()}@${address.split("@")[1]}>`;
    try {
      await this.#transport!.sendMail({
        from: address,
        to,
        subject: thread === undefined ? "Hermes" : `Re: ${thread.subject}`,
        messageId,
        inReplyTo: answered,
        references: answered === undefined ? undefined : references,
        // Other programs must not answer an answer of a program.
        headers: { "Auto-Submitted": "auto-replied", "X-Auto-Response-Suppress": "All" },
        ...content,
      });
      return { success: true, message_id: messageId };
    } catch (cause) {
      return this.#failure(cause);
    }
  }

  /** @throws {Error} a `TimeoutError` if the server may have accepted the message. */
  #failure(cause: unknown): SendResult {
    const {
      responseCode,
      command = "",
      code = "",
    } = cause as {
      readonly responseCode?: number;
      readonly command?: string;
      readonly code?: string;
    };
    const error = `The mail server did not accept the message: ${this.#reason(cause)}`;
    if (responseCode !== undefined) return { success: false, error, retryable: responseCode < 500 };
    const early = ["CONN", "EHLO", "HELO", "STARTTLS", "AUTH", "API"].some((one) => command.startsWith(one));
    if (early || ["EDNS", "ECONNREFUSED", "EAUTH", "ETLS"].includes(code))
      return { success: false, error, retryable: code !== "EAUTH" };
    throw Object.assign(new Error(error, { cause }), { name: "TimeoutError" });
  }

  #reason(cause: unknown): string {
    const { message } = cause as Error;
    return message.replaceAll(this.#settings.password, "[secret]");
  }

  async #take(mail: ParsedMail, id: string): Promise<void> {
    const { message, welcome, log, storage } = this.#ports;
    const sender = verifiedSender(mail, this.#settings);
    if ("refused" in sender) return log.warning(`Email ignores a message: ${sender.refused}.`);
    const { address, name } = sender;
    const automatic = whyAutomatic(mail, address, this.#settings.address);
    if (automatic !== undefined) return log.info(`Email ignores a message: ${automatic}.`);
    const subject = (mail.subject ?? "").trim();
    const { text: written, quoted } = ownText(mail.text?.trim() ? mail.text : textOfHtml(mail.html ?? ""));
    const repeats = /^(?:re|aw|sv|回复|答复)\s*[:：]/i.test(subject);
    // A command has to begin the text.
    const shown = subject === "" || repeats || written.startsWith("/") ? written : `Subject: ${subject}\n\n${written}`;
    const event = {
      text: shown,
      chat_id: address,
      chat_type: "dm",
      user_id: address,
      user_name: name || undefined,
      message_id: mail.messageId || id,
      // The conversation already has what the agent wrote.
      reply_to_text: mail.inReplyTo?.startsWith("<hermes.") === true ? undefined : quoted || undefined,
    } as const;
    // Do not store files of unknown users.
    const files = ((await welcome?.(event)) ?? true) ? await this.#filesOf(mail, event.message_id) : undefined;
    const paths = files?.paths ?? [];
    const text = [shown, ...(files?.notes ?? [])].filter((one) => one !== "").join("\n");
    if (text === "" && paths.length === 0) return;
    if (mail.messageId !== undefined)
      await storage.set(threadKey(address), {
        id: mail.messageId,
        references: idsIn(mail.references ?? mail.inReplyTo ?? ""),
        subject: subject.replace(/^(?:(?:re|aw|sv|回复|答复)\s*[:：]\s*)+/i, "") || "Hermes",
      });
    await message({ ...event, text, media_urls: paths.length === 0 ? undefined : paths });
  }

  async #filesOf({ attachments }: ParsedMail, id: string): Promise<ReceivedFiles | undefined> {
    if (this.#settings.skipsAttachments) return undefined;
    const contents = attachments.map(({ content }) =>
      typeof content === "string" ? Buffer.from(content) : new Uint8Array(content as ArrayBuffer),
    );
    const offered = attachments.map(({ filename, mimeType }, at) => ({
      id: `${id.replaceAll(/\W/g, "").slice(-50)}-${at}`,
      name: filename ?? undefined,
      type: mimeType,
      size: contents[at]!.length,
    }));
    return receiveFiles(offered, {
      home: this.#ports.home,
      platform: "email",
      maxBytes: this.#settings.maxFileBytes,
      fetch: async (file) => contents[offered.findIndex((one) => one.id === file.id)]!,
    });
  }
}

function threadKey(address: string): string {
  return `thread:${address.toLowerCase()}`;
}

function idsIn(references: string): readonly string[] {
  return (references.match(/<[^<>\s]+>/g) ?? []).slice(-MOST_REFERENCES);
}
