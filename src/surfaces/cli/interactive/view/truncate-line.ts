const MAX_LINES = 20;
const MAX_CHARS = 4_000;

/** What is shown of a text that its writer knows, as a long paste is: its beginning, and how much follows. The session keeps it whole. */
export function beginningOf(text: string): { readonly lines: readonly string[]; readonly more: string | undefined } {
  const all = text.split("\n");
  // One line more takes the room that the remark would take.
  const lines = all.length <= MAX_LINES + 1 ? all : all.slice(0, MAX_LINES);
  const shown = lines.join("\n");
  if (shown.length > MAX_CHARS)
    return {
      lines: shown
        .slice(0, MAX_CHARS)
        .replace(/[\ud800-\udbff]$/, "")
        .split("\n"),
      more: `… of ${text.length.toLocaleString("en")} characters`,
    };
  const rest = all.length - lines.length;
  return { lines, more: rest === 0 ? undefined : `… ${rest.toLocaleString("en")} more lines` };
}
