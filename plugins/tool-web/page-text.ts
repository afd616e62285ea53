/** Elements whose content is not visible text. */
const UNREAD = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "svg",
  "math",
  "iframe",
  "object",
  "canvas",
  "select",
  "textarea",
  "head",
]);
const BLOCKS = new Set(
  "p div section article main header footer nav aside h1 h2 h3 h4 h5 h6 ul ol li table tr blockquote pre figure figcaption dl dt dd form fieldset details summary address hr br".split(
    " ",
  ),
);
const TAG =
  /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[([\s\S]*?)(?:\]\]>|$)|<[!?][^>]*>?|<(\/?)([a-z][\w:-]*)((?:[^>"']|"[^"]*"|'[^']*')*)>?/gi;

/** Line breaks, blanks and tabs of preformatted text, while the others are collapsed. */
const [LINE, BLANK, TAB] = ["\ue000", "\ue001", "\ue002"];

/**
 * The text of an HTML page, one line for each block, with headings, links and code blocks as Markdown.
 * @param from The page's URL, for its relative links; without it they are left out.
 */
export function pageText(html: string, from?: string): { readonly title: string; readonly content: string } {
  const base = baseOf(html, from);
  const pieces: string[] = [];
  /** Index of the first piece of the preformatted block that is open. */
  let code: number | undefined;
  let title = "";
  let unread: string | undefined;
  let link: { readonly href: string; readonly from: number } | undefined;
  let at = 0;
  for (const match of html.matchAll(TAG)) {
    if (match.index < at) continue;
    const [whole, cdata, slash, name = "", attributes = ""] = match;
    if (unread === undefined) pieces.push(textOf(html.slice(at, match.index)));
    at = match.index + whole.length;
    if (cdata !== undefined && unread === undefined) pieces.push(cdata);
    const tag = name.toLowerCase();
    const closing = slash === "/";
    if (tag === "title" && !closing) {
      const end = endOf(html, tag, at);
      if (title === "") title = plain(html.slice(at, end)).trim();
      at = end;
      continue;
    }
    if (unread !== undefined) {
      if (closing && tag === unread) unread = undefined;
      continue;
    }
    if (!closing && UNREAD.has(tag)) {
      // The element's content is not markup: only its own end tag ends it.
      if (tag !== "head") at = endOf(html, tag, at);
      else unread = tag;
    } else if (tag === "a") {
      if (closing && link !== undefined && pieces.slice(link.from).some((piece) => piece.trim() !== "")) {
        pieces[link.from] = "[";
        pieces.push(`](${link.href})`);
      }
      link = closing || code !== undefined ? undefined : linkOf(attributes, pieces.length, base);
      if (link !== undefined) pieces.push("");
    } else if (tag === "pre") {
      if (code !== undefined) pieces.splice(code, Infinity, codeBlock(pieces.slice(code).join("")));
      code = closing ? undefined : pieces.length;
    } else if (code !== undefined && BLOCKS.has(tag)) {
      if (closing || tag === "br") pieces.push(LINE);
    } else if (BLOCKS.has(tag)) {
      pieces.push(
        closing || tag === "br" || tag === "hr"
          ? "\n"
          : /^h[1-6]$/.test(tag)
            ? `\n\n${"#".repeat(Number(tag[1]))} `
            : tag === "li"
              ? "\n- "
              : "\n",
      );
    } else if (closing && (tag === "td" || tag === "th")) pieces.push(" | ");
  }
  if (unread === undefined) pieces.push(textOf(html.slice(at)));
  if (code !== undefined) pieces.splice(code, Infinity, codeBlock(pieces.slice(code).join("")));
  return {
    title,
    content: pieces
      .join("")
      .replaceAll(/[ \t\u00a0]+/g, " ")
      .replaceAll(/ ?\n ?/g, "\n")
      .replaceAll(/\n{3,}/g, "\n\n")
      .trim()
      .replaceAll(LINE, "\n")
      .replaceAll(BLANK, " ")
      .replaceAll(TAB, "\t"),
  };

  function textOf(text: string): string {
    return code === undefined ? plain(text) : decoded(text).replaceAll(/\r\n?|[\n \t]/g, keptBlank);
  }
}

const keptBlank = (blank: string): string => (blank === " " ? BLANK : blank === "\t" ? TAB : LINE);

/** A fence that the code itself does not contain. A line break right after `<pre>` is not part of it. */
function codeBlock(code: string): string {
  const lines = code.replace(/^\ue000/, "").replace(/[\ue000-\ue002]+$/, "");
  if (lines === "") return "\n";
  const fence = "`".repeat(Math.max(3, ...[...lines.matchAll(/`{3,}/g)].map(([run]) => run.length + 1)));
  return `\n\n${fence}${LINE}${lines}${LINE}${fence}\n\n`;
}

/** What relative links refer to: the page, or its `<base>`. */
function baseOf(html: string, from: string | undefined): string | undefined {
  const tag = /<base\b([^<>]{1,2000})>/i.exec(html)?.[1];
  const href = tag === undefined ? undefined : hrefOf(tag);
  return href !== undefined && URL.canParse(href, from) ? new URL(href, from).href : from;
}

function endOf(html: string, tag: string, from: number): number {
  const end = new RegExp(`</${tag}\\b`, "gi");
  end.lastIndex = from;
  return end.exec(html)?.index ?? html.length;
}

/** @param from Its index among the pieces. */
function linkOf(
  attributes: string,
  from: number,
  base: string | undefined,
): { readonly href: string; readonly from: number } | undefined {
  const address = hrefOf(attributes);
  if (/^https?:\/\//i.test(address) || (base === undefined && address.startsWith("//"))) return { href: address, from };
  // A place on the page itself leads nowhere else.
  if (base === undefined || address === "" || address.startsWith("#") || !URL.canParse(address, base)) return undefined;
  const { href, protocol } = new URL(address, base);
  return /^https?:$/.test(protocol) ? { href, from } : undefined;
}

function hrefOf(attributes: string): string {
  const href = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(attributes);
  return plain(href?.[1] ?? href?.[2] ?? href?.[3] ?? "").trim();
}

const NAMED: { readonly [name: string]: string } = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  copy: "©",
  laquo: "«",
  raquo: "»",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  bull: "•",
  middot: "·",
  euro: "€",
};

/** Decodes entities and turns line breaks of the source into spaces. */
function plain(text: string): string {
  return decoded(text.replaceAll(/\s+/g, " "));
}

function decoded(text: string): string {
  const characters = text.replaceAll(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi,
    (whole: string, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
        ? String.fromCodePoint(code)
        : "\ufffd";
    },
  );
  return characters.replaceAll(/[\ue000-\ue002]/g, "");
}
