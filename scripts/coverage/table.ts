export interface FileCoverage {
  readonly file: string;
  readonly statements: number;
  readonly covered: number;
}

/** Formats a line for each top folder, and the sum. */
export function coverageTable(files: readonly FileCoverage[]): string {
  const groups = [...Map.groupBy(files, ({ file }) => topFolder(file))].sort(([a], [b]) => (a < b ? -1 : 1));
  const rows = [...groups.map(([name, members]) => row(name, members)), row("total", files)];
  const head = ["folder", "files", "statements", "covered", ""] as const;
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((cells) => cells[at]!.length)));
  return [head, ...rows]
    .map((cells) => cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))))
    .map((cells) => cells.join("  ").trimEnd())
    .join("\n");
}

/** `src/engine`, `src` for a file at its root, `plugins`. */
function topFolder(file: string): string {
  const [top = "", second = ""] = file.split("/");
  return top === "src" && !second.endsWith(".ts") ? `${top}/${second}` : top;
}

function row(name: string, files: readonly FileCoverage[]): readonly string[] {
  const statements = files.reduce((sum, file) => sum + file.statements, 0);
  const covered = files.reduce((sum, file) => sum + file.covered, 0);
  const share = statements === 0 ? 100 : (100 * covered) / statements;
  return [
    name,
    ...[files.length, statements, covered].map((count) => count.toLocaleString("en")),
    `${share.toFixed(1)} %`,
  ];
}
