import { hyperlink, renderLatex } from "@earendil-works/pi-tui";
import type { MarkedToken, Token, Tokens } from "marked";
import type { MarkdownStyle } from "./markdown-style.ts";

type Paint = (text: string) => string;

/**
 * The text of a paragraph, heading or cell with its colours, in one line unless it contains line breaks. Each piece is
 * painted separately, so that the end of a nested style does not end the outer one.
 * @param paint The style of the text around.
 */
export function inlineText(tokens: readonly Token[], style: MarkdownStyle, paint: Paint = (text) => text): string {
  return tokens.map((token) => piece(token as MarkedToken | Formula, style, paint)).join("");
}

interface Formula {
  readonly type: "formula";
  readonly raw: string;
  readonly text: string;
}

function piece(token: MarkedToken | Formula, style: MarkdownStyle, paint: Paint): string {
  const within = (children: readonly Token[] | undefined, inner: Paint): string =>
    inlineText(children ?? [], style, (text) => paint(inner(text)));
  switch (token.type) {
    case "strong":
      return within(token.tokens, style.bold);
    case "em":
      return within(token.tokens, style.italic);
    case "del":
      return within(token.tokens, style.strikethrough);
    case "codespan":
      return paint(style.code(token.text));
    case "link":
      return linkText(token, style, paint);
    case "image":
      return painted(`[${token.text || "image"}]`, paint) + style.dim(` (${token.href})`);
    case "br":
      return "\n";
    case "html":
      return htmlText(token.raw, paint);
    case "formula":
      return painted(renderLatex(token.text) ?? token.raw, paint);
    case "checkbox":
      return ""; // The list draws it.
    case "text":
      return token.tokens === undefined ? painted(decoded(token.text), paint) : inlineText(token.tokens, style, paint);
    case "paragraph":
      return inlineText(token.tokens ?? [], style, paint);
    case "escape":
      return painted(token.text, paint);
    default:
      return painted(token.raw, paint);
  }
}

/** Where the terminal cannot open links, the address follows the text. */
function linkText(token: Tokens.Link, style: MarkdownStyle, paint: Paint): string {
  const text = inlineText(token.tokens, style, (shown) => paint(style.link(style.underline(shown))));
  const opens = /^(?:https?|mailto|file):/i.test(token.href);
  if (opens && style.links()) return hyperlink(text, token.href);
  const same =
    token.text === token.href || `mailto:${token.text}` === token.href || `http://${token.text}` === token.href;
  return same ? text : `${text}${style.dim(` (${token.href})`)}`;
}

function htmlText(raw: string, paint: Paint): string {
  if (raw.startsWith("<!--")) return "";
  return /^<br\s*\/?>$/i.test(raw) ? "\n" : painted(raw, paint);
}

/** A colour does not reach over a line break: the next line may get a border. */
function painted(text: string, paint: Paint): string {
  return text
    .split("\n")
    .map((line) => (line === "" ? "" : paint(line)))
    .join("\n");
}

const ENTITIES: { readonly [name: string]: string } = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  "#39": "'",
  nbsp: "\u00a0",
};

function decoded(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|apos|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? "");
}
