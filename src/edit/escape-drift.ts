/**
 * A model sometimes escapes quotes that the file does not escape. When the old and the new text both have `\'` or `\"`
 * and the matched text does not, writing the new text would put stray backslashes into the file.
 */
export function escapeDrift(matched: string, old: string, fresh: string): string | undefined {
  return ["\\'", '\\"'].find((escape) => old.includes(escape) && fresh.includes(escape) && !matched.includes(escape));
}
