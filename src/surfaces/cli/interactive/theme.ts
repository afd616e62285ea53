import type { EditorTheme, MarkdownTheme, SelectListTheme } from "@earendil-works/pi-tui";
import type { Io } from "../io.ts";

/** The interactive screen's colours. With `NO_COLOR` every style is plain text. */
export interface Theme {
  readonly dim: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly good: (text: string) => string;
  readonly accent: (text: string) => string;
  readonly markdown: MarkdownTheme;
  readonly select: SelectListTheme;
  readonly editor: EditorTheme;
}

export function themeOf(io: Io): Theme {
  const as = (style: Parameters<Io["style"]>[0]) => (text: string): string => io.style(style, text);
  const plain = (text: string): string => text;
  const select: SelectListTheme = { selectedPrefix: as("cyan"), selectedText: as("cyan"), description: as("dim"), scrollInfo: as("dim"), noMatch: as("dim") };
  return {
    dim: as("dim"),
    strong: as("bold"),
    warn: as("yellow"),
    bad: as("red"),
    good: as("green"),
    accent: as("cyan"),
    markdown: {
      heading: as(["bold", "cyan"]),
      link: as("underline"),
      linkUrl: as("dim"),
      code: as("yellow"),
      codeBlock: plain,
      codeBlockBorder: as("dim"),
      quote: as("italic"),
      quoteBorder: as("dim"),
      hr: as("dim"),
      listBullet: as("cyan"),
      bold: as("bold"),
      italic: as("italic"),
      strikethrough: as("strikethrough"),
      underline: as("underline"),
    },
    select,
    editor: { borderColor: as("dim"), selectList: select },
  };
}
