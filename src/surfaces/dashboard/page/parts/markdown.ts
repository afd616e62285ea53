import type { Token, Tokens } from "marked";
import { parseMarkdown } from "../../../shared/display/parse-markdown.ts";
import { element } from "../element.ts";
import { say } from "../text.ts";
import { codeBlock } from "./code.ts";

type Piece = Node | string;

/**
 * Renders Markdown of a model or a user. HTML in it is shown as text, images are links, and only web and mail addresses
 * become links: the text is untrusted.
 */
export function markdown(text: string): HTMLElement {
  return element("div", { class: "markdown" }, blocks(parseMarkdown(text)));
}

function blocks(tokens: readonly Token[]): readonly Piece[] {
  return tokens.flatMap((token) => block(token as Tokens.Generic));
}

function block(token: Tokens.Generic): readonly Piece[] {
  switch (token.type) {
    case "heading":
      // The page has its own outline: all headings of an answer have one level there.
      return [element("h3", { class: `depth-${(token as Tokens.Heading).depth}` }, inline(token.tokens))];
    case "paragraph":
      return [element("p", {}, inline(token.tokens))];
    case "text":
      return token.tokens === undefined ? [decoded(token["text"] as string)] : inline(token.tokens);
    case "code":
      return [codeBlock((token as Tokens.Code).text, (token as Tokens.Code).lang ?? "")];
    case "formulaBlock":
      return [element("pre", { class: "code", tabindex: 0 }, token["text"] as string)];
    case "blockquote":
      return [element("blockquote", {}, blocks(token.tokens ?? []))];
    case "list":
      return [list(token as Tokens.List)];
    case "table":
      return [table(token as Tokens.Table)];
    case "hr":
      return [element("hr")];
    case "checkbox":
      return [(token as Tokens.Checkbox).checked ? "☑ " : "☐ "];
    case "html":
      return [element("p", { class: "plain" }, token.raw.trimEnd())];
    case "space":
    case "def":
      return [];
    default:
      return inline([token]);
  }
}

function list({ ordered, start, items }: Tokens.List): HTMLElement {
  const rows = items.map(({ task, checked, tokens }) => {
    const hasBox = tokens.some(({ type }) => type === "checkbox");
    return element(
      "li",
      { class: task ? "task" : undefined },
      task && !hasBox && (checked === true ? "☑ " : "☐ "),
      blocks(tokens),
    );
  });
  return ordered
    ? element("ol", { start: start === "" || start === 1 ? undefined : start }, rows)
    : element("ul", {}, rows);
}

function table({ header, rows, align }: Tokens.Table): HTMLElement {
  const cell = (tag: "th" | "td", { tokens }: Tokens.TableCell, at: number): HTMLElement =>
    element(tag, { class: align[at] ?? undefined, scope: tag === "th" ? "col" : undefined }, inline(tokens));
  return element(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": say("Table") },
    element(
      "table",
      {},
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          header.map((each, at) => cell("th", each, at)),
        ),
      ),
      element(
        "tbody",
        {},
        rows.map((row) =>
          element(
            "tr",
            {},
            row.map((each, at) => cell("td", each, at)),
          ),
        ),
      ),
    ),
  );
}

function inline(tokens: readonly Token[] = []): readonly Piece[] {
  return tokens.flatMap((each): readonly Piece[] => {
    const token = each as Tokens.Generic;
    switch (token.type) {
      case "strong":
      case "em":
      case "del":
        return [element(token.type, {}, inline(token.tokens))];
      case "codespan":
      case "formula":
        return [element("code", {}, token["text"] as string)];
      case "br":
        return [element("br")];
      case "link":
        return [link(token as Tokens.Link)];
      case "image":
        return [webLink((token as Tokens.Image).href, `🖼 ${(token as Tokens.Image).text}`)];
      case "escape":
        return [token["text"] as string];
      case "html":
        return [/^<br\s*\/?>$/i.test(token.raw) ? element("br") : token.raw];
      default:
        return token.tokens === undefined
          ? [decoded((token["text"] as string | undefined) ?? token.raw)]
          : inline(token.tokens);
    }
  });
}

function link({ href, tokens }: Tokens.Link): Piece {
  return webLink(href, ...inline(tokens));
}

function webLink(href: string, ...content: readonly Piece[]): HTMLElement {
  return /^(https?:|mailto:)/i.test(href)
    ? element("a", { href, title: href, target: "_blank", rel: "noopener noreferrer nofollow" }, content)
    : element("span", { title: href }, content);
}

/** Entities such as `&amp;`. The parser reads only the entity, so it makes no elements. */
function decoded(text: string): string {
  return text.replaceAll(
    /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]\w{1,30});/gi,
    (entity) => new DOMParser().parseFromString(entity, "text/html").documentElement.textContent ?? entity,
  );
}
