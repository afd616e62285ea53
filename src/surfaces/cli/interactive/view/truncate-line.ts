const MAX_LINES = 20;
const MAX_CHARS = 4_000;

/** The beginning of a long text, such as a paste, and how much follows. The session stores the whole text. */
export function beginningOf(text: string): { readonly lines: readonly string[]; readonly more: string | undefined } {
  const all = text.split("\n");
  // One extra line takes the same room as the remark.
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
