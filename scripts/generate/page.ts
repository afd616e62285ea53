/** A page of `docs/reference`, ready to be written. */
export interface Page {
  /** Relative to `docs/reference`. */
  readonly file: string;
  readonly text: string;
}

/** A page with its title and the line that names its source. */
export function page(file: string, title: string, introduction: string, ...blocks: readonly string[]): Page {
  const note = "<!-- Made by `npm run generate`. Do not edit: change the code it is made from. -->";
  return { file, text: `${[`# ${title}`, note, introduction, ...blocks].join("\n\n").trimEnd()}\n` };
}

/** A Markdown table. Cells are prose or code; this escapes what would break a row. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;
  return [row(head), `|${head.map(() => "---").join("|")}|`, ...rows.map(row)].join("\n");
}

/** Literal text of the code. */
export function code(text: string): string {
  return text === "" ? "" : text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** Prose from the code, in which `<word>` is a placeholder and not HTML. */
export function prose(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((piece, index) => (index % 2 === 1 ? piece : piece.replaceAll("<", "&lt;")))
    .join("");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " ");
}
