import { ToolFailure } from "hermes-agent/plugin";
import { extensionOf } from "./binary-extension.ts";
import type { Source } from "./source.ts";
import { readZip, type Zip } from "./read-zip.ts";

const MAX_BYTES = 50_000_000;

/**
 * The text of a notebook, Word document or spreadsheet; `undefined` for an invalid notebook, which is read as plain
 * text.
 */
export async function documentText(file: string, source: Source): Promise<string | undefined> {
  const { bytes: size } = source.stamp;
  if (size > MAX_BYTES)
    throw new ToolFailure("bad_arguments", `${file} is too large to extract its text (${size} bytes).`, {
      hint: "Process it with a program in the terminal.",
    });
  const bytes = await source.read(0, size);
  try {
    if (extensionOf(file) === ".ipynb") return notebookText(new TextDecoder().decode(bytes));
    const zip = readZip(bytes);
    return extensionOf(file) === ".docx" ? wordText(zip) : sheetText(zip);
  } catch (error) {
    if (extensionOf(file) === ".ipynb") return undefined;
    throw new ToolFailure(
      "bad_arguments",
      `${file} is not a readable ${extensionOf(file)} document: ${(error as Error).message}`,
      { cause: error },
    );
  }
}

export function notebookText(json: string): string {
  const notebook = JSON.parse(json) as {
    cells?: {
      cell_type?: string;
      source?: string | string[];
      outputs?: { text?: string | string[]; data?: Record<string, string | string[]> }[];
    }[];
  };
  const joined = (text: string | string[] | undefined): string => (Array.isArray(text) ? text.join("") : (text ?? ""));
  return (notebook.cells ?? [])
    .map((cell, index) => {
      const outputs = (cell.outputs ?? [])
        .map((output) => joined(output.text ?? output.data?.["text/plain"]))
        .filter((text) => text !== "");
      return [
        `# [${index + 1}] ${cell.cell_type ?? "cell"}`,
        joined(cell.source),
        ...outputs.map((text) => `# output\n${text.trimEnd()}`),
      ].join("\n");
    })
    .join("\n\n")
    .concat("\n");
}

function wordText(zip: Zip): string {
  const xml = zip.text("word/document.xml");
  if (xml === undefined) throw new Error("it has no word/document.xml");
  return xml
    .split(/<\/w:p>/)
    .slice(0, -1)
    .map((paragraph) => plain(paragraph.replace(/<w:tab\b[^<>]*\/>/g, "\t").replace(/<w:br\b[^<>]*\/>/g, "\n"), "w:t"))
    .join("\n")
    .concat("\n");
}

function sheetText(zip: Zip): string {
  const shared = (zip.text("xl/sharedStrings.xml") ?? "")
    .split(/<\/si>/)
    .slice(0, -1)
    .map((item) => plain(item, "t"));
  const names = [...(zip.text("xl/workbook.xml") ?? "").matchAll(/<sheet\b[^<>]*?\bname="([^"<]*)"/g)].map((match) =>
    unescapeXml(match[1]!),
  );
  const sheets = zip.names
    .filter((name) => /^xl\/worksheets\/sheet\d+\.xml$/.test(name))
    .sort((a, b) => Number(/\d+/.exec(a)![0]) - Number(/\d+/.exec(b)![0]));
  let room = MAX_BYTES;
  const lineOf = (row: string): string => {
    const line = rowText(row, shared);
    if ((room -= line.length) < 0) throw new Error("its cells have more than 50 MB of text");
    return line.trimEnd();
  };
  return sheets
    .map((name, index) => {
      const rows = zip
        .text(name)!
        .split(/<row\b/)
        .slice(1)
        .map(lineOf);
      return `# ${names[index] ?? name}\n${rows.join("\n")}`;
    })
    .join("\n\n")
    .concat("\n");
}

function rowText(row: string, shared: readonly string[]): string {
  const cells: string[] = [];
  for (const cell of row.split(/<c\b/).slice(1)) {
    const attributes = cell.slice(0, cell.indexOf(">"));
    const letters = /\br="([A-Z]+)\d+"/.exec(attributes)?.[1];
    const column = letters === undefined ? cells.length : columnOf(letters);
    const kind = /\bt="([^"]*)"/.exec(attributes)?.[1];
    const value = /<v[^<>]*>([^<]*)<\/v>/.exec(cell)?.[1] ?? "";
    // The file omits empty cells. A very large column number gets no tabs.
    while (cells.length < Math.min(column, 1_000)) cells.push("");
    cells.push(
      kind === "s" ? (shared[Number(value)] ?? "") : kind === "inlineStr" ? plain(cell, "t") : unescapeXml(value),
    );
  }
  return cells.join("\t");
}

function columnOf(letters: string): number {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/**
 * The text elements of an XML fragment, with the tabs and line breaks between them. No search goes beyond the next `<`,
 * because a malicious document could make it take forever.
 */
function plain(xml: string, element: string): string {
  const pieces = xml.matchAll(new RegExp(`<${element}(?:\\s[^<>]*)?>([^<]*)</${element}>|([\\t\\n])(?=<|$)`, "g"));
  return unescapeXml([...pieces].map((piece) => piece[1] ?? piece[2] ?? "").join(""));
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]+)|#(\d+)|(lt|gt|amp|quot|apos));/gi,
    (whole, hex: string | undefined, decimal: string | undefined, name: string | undefined) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()]!;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
