import { getCapabilities, type EditorTheme, type SelectListTheme } from "@earendil-works/pi-tui";
import type { Skin, SkinColor } from "../../../../contract/services/skin.ts";
import { Highlighter, type CodeToken } from "../../../shared/display/highlight.ts";
import type { Io } from "../../../shared/process/io.ts";
import type { PreviewPaint } from "../../output/painted-preview.ts";
import type { Background } from "../terminal/background.ts";
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
  /** The lines below a call. */
  readonly preview: PreviewPaint;
  readonly select: SelectListTheme;
  readonly editor: EditorTheme;
}

/**
 * @param colours The colours of the current skin, read at each drawing.
 * @param redraw Called when code that was drawn without colours, or a diagram as code, can be drawn as it should be.
 * @param background Of the terminal; `undefined` while it is unknown, and where colours have to fit any.
 */
export function themeOf(
  io: Io,
  colours: () => Skin["colors"] = () => ({}),
  redraw = (): void => {},
  background: () => Background | undefined = () => undefined,
): Theme {
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
  const onLight =
    (colour: string, otherwise: Style) =>
    (text: string): string =>
      background() === "light" ? io.paint(colour, otherwise, text) : io.style(otherwise, text);
  const codeStyles: { readonly [token in CodeToken]: (text: string) => string } = {
    keyword: onLight("#8250df", "magenta"),
    string: onLight("#0a6b3d", "green"),
    number: onLight("#8a5a00", "yellow"),
    comment: onLight("#6a737d", "dim"),
    name: onLight("#0b5cad", "blue"),
    type: onLight("#0f6e84", "cyan"),
    added: onLight("#1b6e2f", "green"),
    removed: onLight("#b3261e", "red"),
    plain,
  };
  const highlight = (code: string, language: string): readonly string[] | undefined =>
    highlighter.lines(code, language)?.map((line) => line.map(({ token, text }) => codeStyles[token](text)).join(""));
  const [good, bad] = [skinned("ui_ok", "green"), skinned("ui_error", "red")];
  return {
    dim,
    strong: as("bold"),
    warn: skinned("ui_warn", "yellow"),
    bad,
    good,
    accent,
    preview: {
      dim,
      good,
      bad,
      accent,
      highlight,
      row(kind, row) {
        const ground = background();
        return ground === undefined ? undefined : io.tint(ROWS[ground][kind], row);
      },
    },
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
      highlight,
      diagram: (source, columns) => diagrams.draw(source, columns),
      links: () => getCapabilities().hyperlinks,
    },
    select,
    editor: { borderColor: skinned("input_rule", "dim"), selectList: select },
  };
}

/** Dark enough, or light enough, for the colours of code in front of them. */
const ROWS: { readonly [ground in Background]: { readonly added: string; readonly removed: string } } = {
  dark: { added: "#123822", removed: "#451a22" },
  light: { added: "#d9f5df", removed: "#fddfe1" },
};
