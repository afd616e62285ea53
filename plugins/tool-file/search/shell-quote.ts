/** One word of a POSIX shell, whatever it holds. */
export function shellQuote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
