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

/** The text of an HTML page, one line for each block, with headings and links as Markdown. */
export function pageText(html: string): { readonly title: string; readonly content: string } {
  const pieces: string[] = [];
  let title = "";
  let unread: string | undefined;
  let link: { readonly href: string; readonly from: number } | undefined;
  let at = 0;
  for (const match of html.matchAll(TAG)) {
    if (match.index < at) continue;
    const [whole, cdata, slash, name = "", attributes = ""] = match;
    if (unread === undefined) pieces.push(plain(html.slice(at, match.index)));
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
      // Its content is not markup: only its own end tag ends it.
      if (tag !== "head") at = endOf(html, tag, at);
      else unread = tag;
    } else if (tag === "a") {
      if (closing && link !== undefined && pieces.slice(link.from).some((piece) => piece.trim() !== "")) {
        pieces[link.from] = "[";
        pieces.push(`](${link.href})`);
      }
      link = closing ? undefined : linkOf(attributes, pieces.length);
      if (link !== undefined) pieces.push("");
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
  if (unread === undefined) pieces.push(plain(html.slice(at)));
  return {
    title,
    content: pieces
      .join("")
      .replaceAll(/[ \t\u00a0]+/g, " ")
      .replaceAll(/ ?\n ?/g, "\n")
      .replaceAll(/\n{3,}/g, "\n\n")
      .trim(),
  };
}

function endOf(html: string, tag: string, from: number): number {
  const end = new RegExp(`</${tag}\\b`, "gi");
  end.lastIndex = from;
  return end.exec(html)?.index ?? html.length;
}

/** @param from Its index among the pieces. */
function linkOf(attributes: string, from: number): { readonly href: string; readonly from: number } | undefined {
  const href = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(attributes);
  const address = plain(href?.[1] ?? href?.[2] ?? href?.[3] ?? "").trim();
  return /^(?:https?:)?\/\//i.test(address) ? { href: address, from } : undefined;
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
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll(
      /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi,
      (whole: string, decimal?: string, hex?: string, name?: string) => {
        if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
        const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
        return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
          ? String.fromCodePoint(code)
          : "\ufffd";
      },
    );
}
