import { getCapabilities, type EditorTheme, type SelectListTheme } from "@earendil-works/pi-tui";
import type { Skin, SkinColor } from "../../../../contract/services/skin.ts";
import { Highlighter, type CodeToken } from "../../../shared/display/highlight.ts";
import type { Io } from "../../../shared/process/io.ts";
import type { MarkdownStyle } from "../../markdown/markdown-style.ts";
import { MermaidDiagrams } from "../../markdown/mermaid-diagrams.ts";

/** The interactive screen's colours. With `NO_COLOR` every style is plain text. */
export interface Theme {
  readonly dim: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly warn: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly good: (text: string) => string;
  readonly accent: (text: string) => string;
  readonly markdown: MarkdownStyle;
  readonly select: SelectListTheme;
  readonly editor: EditorTheme;
}

/**
 * @param colours The colours of the current skin, read at each drawing.
 * @param redraw Called when code that was drawn without colours, or a diagram as code, can be drawn as it should be.
 */
export function themeOf(io: Io, colours: () => Skin["colors"] = () => ({}), redraw = (): void => {}): Theme {
  type Style = Parameters<Io["style"]>[0];
  const as =
    (style: Style) =>
    (text: string): string =>
      io.style(style, text);
  const skinned =
    (what: SkinColor, otherwise: Style) =>
    (text: string): string => {
      const colour = colours()[what];
      if (colour === undefined) return io.style(otherwise, text);
      return colour.startsWith("#") ? io.paint(colour, otherwise, text) : io.style(colour as Style, text);
    };
  const plain = (text: string): string => text;
  const highlighter = new Highlighter(redraw);
  const diagrams = new MermaidDiagrams(redraw);
  const [accent, dim, heading] = [
    skinned("ui_accent", "cyan"),
    skinned("banner_dim", "dim"),
    skinned("banner_title", "cyan"),
  ];
  const select: SelectListTheme = {
    selectedPrefix: accent,
    selectedText: accent,
    description: dim,
    scrollInfo: dim,
    noMatch: dim,
  };
  const codeStyles: { readonly [token in CodeToken]: (text: string) => string } = {
    keyword: as("magenta"),
    string: as("green"),
    number: as("yellow"),
    comment: as("dim"),
    name: as("blue"),
    type: as("cyan"),
    added: as("green"),
    removed: as("red"),
    plain,
  };
  const paintCode = (token: CodeToken, text: string): string => codeStyles[token](text);
  return {
    dim,
    strong: as("bold"),
    warn: skinned("ui_warn", "yellow"),
    bad: skinned("ui_error", "red"),
    good: skinned("ui_ok", "green"),
    accent,
    markdown: {
      heading,
      bold: as("bold"),
      italic: as("italic"),
      underline: as("underline"),
      strikethrough: as("strikethrough"),
      code: skinned("ui_label", "yellow"),
      link: accent,
      quote: as("italic"),
      dim,
      bullet: accent,
      highlight: (code, language) =>
        highlighter
          .lines(code, language)
          ?.map((line) => line.map(({ token, text }) => paintCode(token, text)).join("")),
      diagram: (source, columns) => diagrams.draw(source, columns),
      links: () => getCapabilities().hyperlinks,
    },
    select,
    editor: { borderColor: skinned("input_rule", "dim"), selectList: select },
  };
}
