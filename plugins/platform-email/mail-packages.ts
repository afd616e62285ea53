/** The parts of `imapflow`, `nodemailer` and `postal-mime` that we use. */
export interface MailPackages {
  readonly imapflow: { readonly ImapFlow: new (options: object) => ImapClient };
  readonly nodemailer: { createTransport(options: object): SmtpTransport };
  readonly postalMime: { parse(source: Uint8Array): Promise<ParsedMail> };
}

export interface ImapClient {
  connect(): Promise<void>;
  mailboxOpen(path: string): Promise<{ readonly uidValidity: bigint; readonly uidNext: number }>;
  search(query: object, options: { readonly uid: true }): Promise<number[] | false | undefined>;
  fetchOne(
    range: string,
    query: { readonly source?: true; readonly size?: true },
    options: { readonly uid: true },
  ): Promise<{ readonly source?: Uint8Array; readonly size?: number } | false | undefined>;
  messageFlagsAdd(range: string, flags: string[], options: { readonly uid: true }): Promise<boolean>;
  idle(): Promise<unknown>;
  close(): void;
  on(event: "exists" | "close", listener: () => void): void;
  on(event: "error", listener: (error: Error) => void): void;
}

export interface SmtpTransport {
  sendMail(mail: object): Promise<unknown>;
  verify(): Promise<unknown>;
  close(): void;
}

export interface ParsedMail {
  /** Names in lower case, the first one first. */
  readonly headers: readonly { readonly key: string; readonly value: string }[];
  readonly from?: { readonly name: string; readonly address?: string };
  readonly subject?: string;
  readonly messageId?: string;
  readonly inReplyTo?: string;
  readonly references?: string;
  readonly html?: string;
  readonly text?: string;
  readonly attachments: readonly {
    readonly filename: string | null;
    readonly mimeType: string;
    readonly content: ArrayBuffer | Uint8Array | string;
  }[];
}

/** Loads the three packages, which are installed on first use. */
export async function mailPackages(load: (name: string) => Promise<unknown>): Promise<MailPackages> {
  // One question at a time.
  const imapflow = await member<MailPackages["imapflow"]>(load, "imapflow", "ImapFlow");
  const nodemailer = await member<MailPackages["nodemailer"]>(load, "nodemailer", "createTransport");
  const postalMime = await member<MailPackages["postalMime"]>(load, "postal-mime", "parse");
  return { imapflow, nodemailer, postalMime };
}

/** A CommonJS build of a package can be below one or two `default`s. */
async function member<T>(load: (name: string) => Promise<unknown>, name: string, wanted: string): Promise<T> {
  let found = (await load(name)) as { readonly [key: string]: unknown };
  for (let depth = 0; depth < 3 && found[wanted] === undefined; depth++)
    found = found["default"] as { readonly [key: string]: unknown };
  return found as T;
}
