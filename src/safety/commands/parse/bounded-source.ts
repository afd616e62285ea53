const MAX_HERE_DOCUMENTS = 100;
export const MAX_SUBSTITUTIONS = 60;

/**
 * Here-documents and substitutions without an end make the parser look for each to the end of the text: beyond a number
 * they are taken apart.
 */
export function boundedSource(text: string): string {
  let cut = text;
  if (cut.split("<<", MAX_HERE_DOCUMENTS + 1).length > MAX_HERE_DOCUMENTS) cut = cut.replaceAll("<<", "< ");
  return opens(cut) > MAX_SUBSTITUTIONS ? cut.replaceAll("$(", "; ") : cut;
}

/** The maximum number of nested substitutions. */
function opens(text: string): number {
  let depth = 0;
  let most = 0;
  for (let at = text.indexOf("$("), close = 0; at !== -1; at = text.indexOf("$(", at + 2)) {
    for (; close < at && depth > 0; close++) if (text.charCodeAt(close) === 41) depth--;
    close = at;
    most = Math.max(most, ++depth);
  }
  return most;
}
