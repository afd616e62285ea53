/**
 * Makes a picture of a terminal: `tmux capture-pane -e -p | node scripts/terminal-picture.ts "title" [light] >
 * docs/images/x.svg`.
 * Draws colours, bold, dim, italic, underlined and reversed text as the terminal showed them, and nothing that was not
 * on the screen.
 */
import { readFileSync } from "node:fs";
import { width as columnsOf } from "../src/surfaces/shared/display/width.ts";

const CELL = { width: 8.4, height: 18 };
const PAD = 16;
const HEAD = 28;

interface Palette {
  readonly ground: string;
  readonly text: string;
  readonly buttons: string;
  readonly colours: readonly string[];
}

const DARK: Palette = {
  ground: "#1e1e2e",
  text: "#cdd6f4",
  buttons: "#585b70",
  colours: ["#45475a", "#f38ba8", "#a6e3a1", "#f9e2af", "#89b4fa", "#f5c2e7", "#94e2d5", "#bac2de"],
};
const LIGHT: Palette = {
  ground: "#ffffff",
  text: "#24292f",
  buttons: "#d0d7de",
  colours: ["#24292f", "#cf222e", "#116329", "#8a5a00", "#0969da", "#8250df", "#1b7c83", "#6e7781"],
};

interface Style {
  readonly colour?: string;
  readonly ground?: string;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly reverse?: boolean;
}

interface Run {
  readonly text: string;
  readonly style: Style;
}

const SIMPLE: { readonly [code: number]: Style } = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { reverse: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { reverse: false },
  39: { colour: undefined },
  49: { ground: undefined },
};

const title = process.argv[2] ?? "hermes";
const palette = process.argv[3] === "light" ? LIGHT : DARK;
const lines = readFileSync(0, "utf8").replace(/\n+$/, "").split("\n").map(runsOf);
const columns = Math.max(60, ...lines.map((runs) => runs.reduce((sum, { text }) => sum + columnsOf(text), 0)));
const width = Math.ceil(columns * CELL.width + 2 * PAD);
const height = HEAD + lines.length * CELL.height + 2 * PAD;

process.stdout
  .write(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<rect width="100%" height="100%" rx="8" fill="${palette.ground}"/>
<g fill="${palette.buttons}"><circle cx="18" cy="16" r="5"/><circle cx="36" cy="16" r="5"/><circle cx="54" cy="16" r="5"/></g>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${palette.text}">
${lines
  .map(lineOf)
  .filter((line) => line !== "")
  .join("\n")}
</g>
</svg>
`);

/** Spaces are no-break spaces, because SVG joins others into one. */
function lineOf(runs: readonly Run[], row: number): string {
  const y = HEAD + PAD + row * CELL.height + 6;
  let column = 0;
  return runs
    .flatMap(({ text, style }) => {
      const x = (PAD + column * CELL.width).toFixed(1);
      const long = (columnsOf(text) * CELL.width).toFixed(1);
      column += columnsOf(text);
      const [front, ground] =
        style.reverse === true
          ? [style.ground ?? palette.ground, style.colour ?? palette.text]
          : [style.colour, style.ground];
      const behind =
        ground === undefined
          ? []
          : [`<rect x="${x}" y="${y - 13}" width="${long}" height="${CELL.height}" fill="${ground}"/>`];
      if (text.trim() === "") return behind;
      const attributes = [
        front === undefined ? "" : ` fill="${front}"`,
        style.bold === true ? ' font-weight="bold"' : "",
        style.italic === true ? ' font-style="italic"' : "",
        style.underline === true ? ' text-decoration="underline"' : "",
        style.dim === true ? ' opacity="0.6"' : "",
      ].join("");
      return [
        ...behind,
        `<text x="${x}" y="${y}" textLength="${long}"${attributes}>${escaped(text).replaceAll(" ", "\u00a0")}</text>`,
      ];
    })
    .join("");
}

/** One line as pieces of one style each. */
function runsOf(line: string): readonly Run[] {
  const runs: Run[] = [];
  let style: Style = {};
  const text = line.replaceAll(/\u001b\]8;[^\u0007\u001b]*(?:\u0007|\u001b\\)/g, "");
  for (const piece of text.split(/(\u001b\[[\d;:]*m)/)) {
    const codes = /^\u001b\[([\d;:]*)m$/.exec(piece)?.[1];
    if (codes === undefined) {
      if (piece !== "") runs.push({ text: piece, style });
      continue;
    }
    style = styled(style, codes.split(/[;:]/).map(Number));
  }
  return runs;
}

function styled(style: Style, codes: readonly number[]): Style {
  const [code = 0, ...rest] = codes;
  if (code === 38 || code === 48) {
    const long = rest[0] === 5 ? 2 : 4;
    const colour = rest[0] === 5 ? indexed(rest[1] ?? 0) : `rgb(${rest.slice(1, 4).join(",")})`;
    const next = code === 38 ? { ...style, colour } : { ...style, ground: colour };
    return rest.length > long ? styled(next, rest.slice(long)) : next;
  }
  const next = SIMPLE[code] === undefined ? coloured(style, code) : { ...style, ...SIMPLE[code] };
  const base = code === 0 ? {} : next;
  return rest.length > 0 ? styled(base, rest) : base;
}

function coloured(style: Style, code: number): Style {
  if (code >= 30 && code <= 37) return { ...style, colour: palette.colours[code - 30] };
  if (code >= 90 && code <= 97) return { ...style, colour: palette.colours[code - 90] };
  return code >= 40 && code <= 47 ? { ...style, ground: palette.colours[code - 40] } : style;
}

/** A colour of the 256: the 16 of the palette, a cube, and greys. */
function indexed(index: number): string {
  if (index < 16) return palette.colours[index % 8]!;
  if (index >= 232)
    return `rgb(${Array(3)
      .fill(8 + (index - 232) * 10)
      .join(",")})`;
  const level = (step: number): number => (step === 0 ? 0 : 55 + step * 40);
  const at = index - 16;
  return `rgb(${[Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map(level).join(",")})`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
