/** The first so many characters of a text, none of them cut in two. */
export function beginningOf(text: string, most: number): string {
  return text.length <= most
    ? text
    : Array.from(text.slice(0, 2 * most))
        .slice(0, most)
        .join("");
}
