import { setTimeout as sleep } from "node:timers/promises";
import { UserError, type Logger } from "hermes-agent/plugin";
import type { ImapClient, MailPackages } from "./mail-packages.ts";
import type { EmailSettings } from "./settings.ts";

const LONGEST_PAUSE_MS = 60_000;
const MAX_MESSAGE_BYTES = 50_000_000;

export interface MailboxOptions {
  readonly settings: EmailSettings;
  readonly imapflow: MailPackages["imapflow"];
  readonly log: Logger;
  readonly firstPauseMs: number;
  /** The last UID that was handled, with the mailbox's UIDVALIDITY. */
  readonly position: {
    get(): Promise<Position | undefined>;
    set(position: Position): Promise<void>;
  };
  /** If it rejects, the message comes again. */
  message(source: Uint8Array, id: string): Promise<void>;
}

export interface Position {
  readonly validity: string;
  readonly uid: number;
}

/** The INBOX over IMAP: new messages in order, by the server's notices and at intervals. Reconnects. */
export class Mailbox {
  readonly #options: MailboxOptions;
  readonly #stop = new AbortController();
  #client: ImapClient | undefined;
  #validity = "";
  #last = 0;
  #working = false;
  #again = false;
  #poll: NodeJS.Timeout | undefined;

  constructor(options: MailboxOptions) {
    this.#options = options;
  }

  /** Connects for the first time. Rejects if that fails. */
  async open(): Promise<void> {
    await this.#connect();
    this.#poll = setInterval(() => void this.#look(), this.#options.settings.pollMs).unref();
    void this.#look();
  }

  close(): void {
    this.#stop.abort();
    clearInterval(this.#poll);
    this.#client?.close();
    this.#client = undefined;
  }

  async #connect(): Promise<void> {
    const { settings, imapflow, position } = this.#options;
    const client = await openClient(settings, imapflow);
    try {
      const { uidValidity, uidNext } = await client.mailboxOpen("INBOX");
      this.#validity = String(uidValidity);
      const known = await position.get();
      // Messages from before the first start get no answer.
      this.#last = known?.validity === this.#validity ? known.uid : uidNext - 1;
      if (known?.validity !== this.#validity) await position.set({ validity: this.#validity, uid: this.#last });
    } catch (cause) {
      client.close();
      throw cause;
    }
    if (this.#stop.signal.aborted) return client.close();
    this.#client = client;
    client.on("exists", () => void this.#look());
    client.on("close", () => void this.#comeBack(client));
  }

  async #comeBack(lost: ImapClient): Promise<void> {
    if (this.#client !== lost || this.#stop.signal.aborted) return;
    this.#client = undefined;
    const { log, firstPauseMs } = this.#options;
    log.warning("Email lost the connection to the IMAP server.");
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS))
      try {
        await sleep(pauseMs * (0.5 + Math.random() / 2), undefined, { signal: this.#stop.signal });
        await this.#connect();
        return void this.#look();
      } catch (cause) {
        if (this.#stop.signal.aborted) return;
        log.warning(`Email cannot reconnect yet: ${(cause as Error).message}`);
      }
  }

  /** Handles all new messages, then waits for notices. */
  async #look(): Promise<void> {
    this.#again = true;
    if (this.#working) return;
    this.#working = true;
    try {
      while (this.#again && this.#client !== undefined) {
        this.#again = false;
        await this.#handleNew(this.#client);
      }
      // Without IDLE, the interval finds new messages. The next command ends it.
      this.#client?.idle().catch(() => undefined);
    } catch (cause) {
      if (this.#client !== undefined)
        this.#options.log.warning(`Email cannot read the mailbox yet: ${(cause as Error).message}`);
    } finally {
      this.#working = false;
    }
  }

  async #handleNew(client: ImapClient): Promise<void> {
    const found = (await client.search({ uid: `${this.#last + 1}:*` }, { uid: true })) || [];
    // `n:*` always contains the last message.
    for (const uid of found.filter((one) => one > this.#last).toSorted((one, other) => one - other)) {
      const range = String(uid);
      const { size = 0 } = (await client.fetchOne(range, { size: true }, { uid: true })) || {};
      if (size > MAX_MESSAGE_BYTES) this.#options.log.warning(`Email ignores a message of ${size} bytes.`);
      else {
        const { source } = (await client.fetchOne(range, { source: true }, { uid: true })) || {};
        if (source !== undefined) await this.#options.message(source, `${this.#validity}:${uid}`);
      }
      if (this.#client !== client) return;
      this.#last = uid;
      await this.#options.position.set({ validity: this.#validity, uid });
      await client.messageFlagsAdd(range, [String.raw`\Seen`], { uid: true });
    }
  }
}

/** @throws {UserError} for a rejected password or an untrusted certificate. */
export async function openClient(
  { imap, address, password }: EmailSettings,
  { ImapFlow }: MailPackages["imapflow"],
): Promise<ImapClient> {
  const client = new ImapFlow({
    host: imap.host,
    port: imap.port,
    secure: imap.tls,
    doSTARTTLS: imap.tls || imap.local ? undefined : true,
    auth: { user: address, pass: password },
    logger: false,
    maxIdleTime: 300_000,
  });
  client.on("error", () => undefined); // Its event `close` follows.
  try {
    await client.connect();
  } catch (cause) {
    client.close();
    if ((cause as { readonly authenticationFailed?: boolean }).authenticationFailed === true)
      throw new UserError(`${imap.host} rejects the password of ${address}.`, {
        hint: "Set EMAIL_PASSWORD. Services with two-factor authentication need an app password.",
      });
    throw new UserError(`Cannot connect to the IMAP server ${imap.host}:${imap.port}: ${(cause as Error).message}`, {
      hint: "Check EMAIL_IMAP_HOST and EMAIL_IMAP_PORT.",
    });
  }
  return client;
}
