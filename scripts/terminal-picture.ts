/**
 * Makes a picture of a terminal: `tmux capture-pane -e -p | node scripts/terminal-picture.ts "title" >
 * docs/images/x.svg`.
 * Draws colours, bold and dim as the terminal showed them, and nothing that was not on the screen.
 */
import { readFileSync } from "node:fs";

const CELL = { width: 8.4, height: 18 };
const PAD = 16;
const HEAD = 28;
const COLOURS = ["#45475a", "#f38ba8", "#a6e3a1", "#f9e2af", "#89b4fa", "#f5c2e7", "#94e2d5", "#bac2de"];

interface Style {
  readonly colour?: string;
  readonly bold?: boolean;
  readonly dim?: boolean;
}

const title = process.argv[2] ?? "hermes";
const lines = readFileSync(0, "utf8").replace(/\n+$/, "").split("\n").map(runsOf);
const columns = Math.max(60, ...lines.map((runs) => runs.reduce((sum, { text }) => sum + text.length, 0)));
const width = Math.ceil(columns * CELL.width + 2 * PAD);
const height = HEAD + lines.length * CELL.height + 2 * PAD;

process.stdout
  .write(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<rect width="100%" height="100%" rx="8" fill="#1e1e2e"/>
<g fill="#585b70"><circle cx="18" cy="16" r="5"/><circle cx="36" cy="16" r="5"/><circle cx="54" cy="16" r="5"/></g>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#cdd6f4">
${lines
  .map(lineOf)
  .filter((line) => line !== "")
  .join("\n")}
</g>
</svg>
`);

/** Spaces are no-break spaces, because SVG joins others into one. */
function lineOf(runs: readonly { readonly text: string; readonly style: Style }[], row: number): string {
  const y = HEAD + PAD + row * CELL.height + 6;
  let column = 0;
  return runs
    .flatMap(({ text, style }) => {
      const x = (PAD + column * CELL.width).toFixed(1);
      column += text.length;
      if (text.trim() === "") return [];
      const attributes = [
        style.colour === undefined ? "" : ` fill="${style.colour}"`,
        style.bold === true ? ' font-weight="bold"' : "",
        style.dim === true ? ' opacity="0.6"' : "",
      ].join("");
      return [
        `<text x="${x}" y="${y}" textLength="${(text.length * CELL.width).toFixed(1)}"${attributes}>${escaped(text).replaceAll(" ", "\u00a0")}</text>`,
      ];
    })
    .join("");
}

/** One line as pieces of one style each. */
function runsOf(line: string): readonly { readonly text: string; readonly style: Style }[] {
  const runs: { text: string; style: Style }[] = [];
  let style: Style = {};
  for (const piece of line.split(/(\u001b\[[\d;]*m)/)) {
    const codes = /^\u001b\[([\d;]*)m$/.exec(piece)?.[1];
    if (codes === undefined) {
      if (piece !== "") runs.push({ text: piece, style });
      continue;
    }
    for (const code of codes.split(";").map(Number)) style = styled(style, code);
  }
  return runs;
}

function styled(style: Style, code: number): Style {
  if (code === 0) return {};
  if (code === 1) return { ...style, bold: true };
  if (code === 2) return { ...style, dim: true };
  if (code === 22) return { ...style, bold: false, dim: false };
  if (code === 39) return { ...style, colour: undefined };
  const colour =
    code >= 30 && code <= 37 ? COLOURS[code - 30] : code >= 90 && code <= 97 ? COLOURS[code - 90] : undefined;
  return colour === undefined ? style : { ...style, colour };
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
