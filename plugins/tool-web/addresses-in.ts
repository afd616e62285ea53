/** Web addresses in a page's Markdown or plain text, in order: targets of links, and addresses that are written out. */
export function addressesIn(text: string): readonly string[] {
  return [...text.matchAll(/https?:\/\/[^\s<>"'`\\\]}]+/gi)].map(([address]) => withoutEnd(address));
}

/** Without the punctuation of the sentence, and without a parenthesis that closes one before the address. */
function withoutEnd(address: string): string {
  let end = address.replace(/[.,;:!?*_]+$/, "");
  while (end.endsWith(")") && end.split(")").length > end.split("(").length)
    end = end.slice(0, -1).replace(/[.,;:!?*_]+$/, "");
  return end;
}
