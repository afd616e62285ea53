import { Marked, type TokenizerAndRendererExtension, type TokensList } from "marked";
import cjkFriendly from "marked-cjk-friendly";

/** `~~two tildes~~`; models write `~1` for "about one". */
const STRUCK = /^~~(?=[^\s~])([\s\S]*?[^\s~])~~(?!~)/;
/** A bare address ends there in Chinese and Japanese text. */
const CJK_PUNCTUATION = /[\u3000-\u303f\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]/;

const marked = new Marked();
marked.use(cjkFriendly());
marked.use({
  extensions: [
    formula("formulaBlock", "block", /^ {0,3}\$\$[ \t]*\n?([\s\S]+?)\$\$[ \t]*(?:\n|$)/, /(?:^|\n) {0,3}\$\$/),
    formula("formulaBlock", "block", /^ {0,3}\\\[[ \t]*\n?([\s\S]+?)\\\][ \t]*(?:\n|$)/, /(?:^|\n) {0,3}\\\[/),
    formula("formula", "inline", /^\\\(([^\n]+?)\\\)/, /\\\(/),
    // Neither prices nor shell variables: a formula has an operator, and no space or digit touches its outer side.
    formula("formula", "inline", /^\$(?=[^\s$])([^\n$`]*[\\^_=+<>][^\n$`]*?)(?<!\s)\$(?!\d)/, /\$/),
  ],
  tokenizer: {
    del(source) {
      const [raw, text] = STRUCK.exec(source) ?? [];
      if (raw === undefined || text === undefined) return undefined;
      return { type: "del", raw, text, tokens: this.lexer.inlineTokens(text) };
    },
    url(source) {
      const at = /^(?:https?:\/\/|www\.)\S/.test(source) ? source.search(CJK_PUNCTUATION) : -1;
      if (at < 0) return false;
      const [raw] = /^\S+/.exec(source.slice(0, at)) ?? [];
      if (raw === undefined) return false;
      const href = raw.startsWith("www.") ? `http://${raw}` : raw;
      return { type: "link", raw, text: raw, href, tokens: [{ type: "text", raw, text: raw }] };
    },
  },
});

/** The blocks of a Markdown text (GFM, with LaTeX formulas as `formula` and `formulaBlock`). */
export function parseMarkdown(text: string): TokensList {
  return marked.lexer(text.replaceAll("\t", "    "));
}

function formula(
  name: string,
  level: "block" | "inline",
  whole: RegExp,
  beginning: RegExp,
): TokenizerAndRendererExtension {
  return {
    name,
    level,
    start: (source) => beginning.exec(source)?.index,
    tokenizer(source) {
      const [raw, text] = whole.exec(source) ?? [];
      return raw === undefined || text === undefined ? undefined : { type: name, raw, text: text.trim() };
    },
  };
}
