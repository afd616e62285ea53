import type { JsonObject } from "hermes-agent/plugin";
import { platformSettings } from "hermes-agent/platform";

export interface EmailSettings {
  /** In lower case; "" if it is not set. */
  readonly address: string;
  readonly password: string;
  readonly imap: MailServer;
  readonly smtp: MailServer;
  readonly pollMs: number;
  /** The names of the server that verifies senders. */
  readonly verifiers: readonly string[];
  /** Trusts sender addresses that no server verified. */
  readonly trustsFrom: boolean;
  readonly skipsAttachments: boolean;
  /** Largest attachment to store, in bytes. */
  readonly maxFileBytes: number;
}

export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the beginning. */
  readonly tls: boolean;
  /** A server on this machine may lack TLS. */
  readonly local: boolean;
}

/** The names in Authentication-Results headers of services that are known. */
const KNOWN_VERIFIERS: { readonly [imapHost: string]: string } = { "imap.gmail.com": "mx.google.com" };

/** Variables win over `platforms.email.extra`. */
export function emailSettings(env: (name: string) => string | undefined, extra: JsonObject): EmailSettings {
  const settings = platformSettings(env, extra);
  const server = (kind: "IMAP" | "SMTP", usualPort: number, tlsPort: number): MailServer => {
    const host = settings.text(`EMAIL_${kind}_HOST`, `${kind.toLowerCase()}_host`);
    const port = settings.number(`EMAIL_${kind}_PORT`, `${kind.toLowerCase()}_port`, usualPort);
    return { host, port, tls: port === tlsPort, local: ["127.0.0.1", "::1", "localhost"].includes(host) };
  };
  const imap = server("IMAP", 993, 993);
  const known = KNOWN_VERIFIERS[imap.host.toLowerCase()];
  const named = settings.list("EMAIL_AUTHSERV_ID", "authserv_id");
  const verifiers = named.length > 0 || known === undefined ? named : [known];
  return {
    address: settings.text("EMAIL_ADDRESS", "address").toLowerCase(),
    password: env("EMAIL_PASSWORD") ?? "",
    imap,
    smtp: server("SMTP", 587, 465),
    pollMs: Math.max(1, settings.number("EMAIL_POLL_INTERVAL", "poll_interval", 15)) * 1_000,
    verifiers: verifiers.map((name) => name.toLowerCase()),
    trustsFrom: settings.flag("EMAIL_TRUST_FROM_HEADER", "trust_from_header", false),
    skipsAttachments: settings.flag("", "skip_attachments", false),
    maxFileBytes: settings.number("", "max_attachment_bytes", 25_000_000),
  };
}
