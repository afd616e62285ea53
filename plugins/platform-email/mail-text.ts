export interface MailText {
  readonly text: string;
  /** The text that the message quotes below its own, without marks. */
  readonly quoted: string;
}

/** The text that the sender wrote: without the quoted message below it and without the signature. */
export function ownText(body: string): MailText {
  const lines = body.replaceAll(/\r\n?/g, "\n").split("\n");
  const start = quoteStart(lines);
  const own = start === undefined ? lines : lines.slice(0, start.from);
  const quoted = start === undefined ? [] : lines.slice(start.text);
  const signature = own.findIndex((line) => line === "-- " || line === "--");
  return {
    text: (signature < 0 ? own : own.slice(0, signature)).join("\n").trim(),
    quoted: quoted
      .map((line) => line.replace(/^(?:>\s?)+/, ""))
      .join("\n")
      .trim(),
  };
}

/** Where the quoted message at the end begins, with its introduction, and where its text begins. */
function quoteStart(lines: readonly string[]): { readonly from: number; readonly text: number } | undefined {
  const divider = lines.findIndex((line) =>
    /^-{3,}\s*(?:original message|ursprüngliche nachricht|原始邮件)\s*-{3,}$/i.test(line.trim()),
  );
  if (divider >= 0) return { from: divider, text: divider + 1 };
  const first = lines.findIndex((line) => line.startsWith(">"));
  if (first < 0) return undefined;
  // Text below or between quoted lines answers them, so it needs them.
  if (lines.slice(first).some((line) => line.trim() !== "" && !line.startsWith(">"))) return undefined;
  let from = first;
  while (from > 0 && lines[from - 1]!.trim() === "") from--;
  // `On …, Ada wrote:` can take two lines.
  if (/[:：]\s*$/.test(lines[from - 1] ?? "")) {
    from--;
    if (from > 0 && lines[from - 1]!.trim() !== "" && !/^(?:on|am|le|el|在)\b/i.test(lines[from]!)) from--;
  }
  return { from, text: first };
}

/** The text of an HTML message; quoted messages keep their marks. */
export function textOfHtml(html: string): string {
  return entities(
    html
      .replaceAll(/<!--[^]*?-->/g, "")
      .replaceAll(/<(script|style|head|title)\b[^]*?<\/\1\s*>/gi, "")
      .replaceAll(/\s+/g, " ")
      .replaceAll(
        /<blockquote\b[^>]*>([^]*?)<\/blockquote>/gi,
        (_, inner: string) => `<br>&gt; ${inner.replaceAll(/<br\b[^>]*>/gi, "<br>&gt; ")}<br>`,
      )
      .replaceAll(/<li\b[^>]*>/gi, "\n- ")
      .replaceAll(/<br\b[^>]*>|<\/(?:p|div|tr|h[1-6]|ul|ol|table)\s*>/gi, "\n")
      .replaceAll(/<[^>]*>/g, ""),
  )
    .replaceAll(/[ \t]+\n/g, "\n")
    .replaceAll(/\n[ \t]+/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

const ENTITIES: { readonly [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

function entities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
    return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : whole;
  });
}
