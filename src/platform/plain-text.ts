/** Converts Markdown to plain text: removes markup, keeps text, code and links. */
export function plainText(markdown: string): string {
  return markdown
    .split(/^ *(?:```|~~~).*$/m)
    .map((part, index) => (index % 2 === 1 ? part.replace(/^\n/, "").replace(/\n$/, "") : outsideFences(part)))
    .join("");
}

function outsideFences(text: string): string {
  return text
    .split(/(`[^`\n]+`)/)
    .map((part) =>
      part.length > 2 && part.startsWith("`") && part.endsWith("`") ? part.slice(1, -1) : withoutMarks(part),
    )
    .join("");
}

function withoutMarks(text: string): string {
  return text
    .replaceAll(/^#{1,6} +/gm, "")
    .replaceAll(/^(\s*)[*+] +/gm, "$1- ")
    .replaceAll(/!?\[([^\]\n]*)\]\((\S+?)(?: "[^"\n]*")?\)/g, (_, words: string, address: string) =>
      words === "" || words === address ? address : `${words} (${address})`,
    )
    .replaceAll(/(\*\*|__|~~)(?=\S)(.+?)(?<=\S)\1/g, "$2")
    .replaceAll(/(?<![\w*])\*(?=[^\s*])([^*\n]+?)(?<=[^\s*])\*(?![\w*])/g, "$1")
    .replaceAll(/(?<!\w)_(?=\S)([^_\n]+?)(?<=\S)_(?!\w)/g, "$1");
}
