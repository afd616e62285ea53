import type { MarkdownStyle } from "./markdown-style.ts";

const plain = (text: string): string => text;

/** No colours, links or diagrams. */
export const plainStyle: MarkdownStyle = {
  heading: plain,
  bold: plain,
  italic: plain,
  underline: plain,
  strikethrough: plain,
  code: plain,
  link: plain,
  quote: plain,
  dim: plain,
  bullet: plain,
  highlight: () => undefined,
  diagram: () => undefined,
  links: () => false,
};
