/**
 * A search excerpt for people: calls and results of tools are stored as JSON, whose braces, quotes and escaped line ends
 * nobody reads. Marks around the hits stay.
 */
export function readableExcerpt({ role, snippet }: { readonly role: string; readonly snippet: string }): string {
  const text =
    role === "tool"
      ? snippet
          .replaceAll(/\\[nrt]/g, " ")
          .replaceAll(/\\(["\\/])/g, "$1")
          .replaceAll(/["{}[\]]+/g, " ")
          .replaceAll(/ +([,:])/g, "$1")
      : snippet;
  return text.replaceAll(/\s+/g, " ").trim();
}
