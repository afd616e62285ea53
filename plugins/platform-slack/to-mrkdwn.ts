/** Slack cuts longer texts. */
const MOST = 40_000;

/** Converts Markdown to Slack's mrkdwn. Only users and channels stay mentions: an answer cannot notify everyone. */
export function toMrkdwn(markdown: string): string {
  const saved: string[] = [];
  const keep = (text: string): string => `\u0000${saved.push(text) - 1}\u0000`;
  const marked = escaped(markdown.replaceAll(/[\u0000\u0001]/g, ""))
    .replaceAll(/^ *```[\w+-]*[ \t]*\n([^]*?)(?:^ *```[ \t]*$|(?![^]))/gm, (_, code: string) =>
      keep(`\`\`\`\n${code.replace(/\n$/, "")}\n\`\`\``),
    )
    .replaceAll(/`([^`\n]+)`/g, (whole) => keep(whole))
    .replaceAll(/&lt;([@#][A-Z0-9]+)&gt;/g, (_, id: string) => keep(`<${id}>`))
    .replaceAll(/&lt;(https?:\/\/[^\s|]+?)&gt;/g, (_, url: string) => keep(`<${url}>`))
    .replaceAll(/!?\[([^\]\n]+)\]\((https?:\/\/[^\s)]+|mailto:[^\s)]+)\)/g, (_, label: string, url: string) =>
      keep(`<${url.replaceAll("|", "%7C")}|${label.replaceAll("|", "¦")}>`),
    )
    .replaceAll(/^#{1,6} +(.+?) *#*$/gm, (_, title: string) => `\u0001${title.replaceAll("**", "")}\u0001`)
    .replaceAll(/^(\s*)[*+-] +/gm, "$1• ")
    .replaceAll(/\*\*(?=\S)(.+?)(?<=\S)\*\*/g, "\u0001$1\u0001")
    .replaceAll(/(?<!\w)__(?=\S)(.+?)(?<=\S)__(?!\w)/g, "\u0001$1\u0001")
    .replaceAll(/~~(?=\S)(.+?)(?<=\S)~~/g, "~$1~")
    .replaceAll(/(?<![\w*])\*(?=[^\s*])([^*\n]+?)(?<=[^\s*])\*(?![\w*])/g, "_$1_")
    .replaceAll("\u0001", "*");
  return marked.replaceAll(/\u0000(\d+)\u0000/g, (_, at: string) => saved[Number(at)] ?? "");
}

/** The text as messages that Slack does not cut: escapes can make it longer than its source. */
export function toMessages(markdown: string): readonly string[] {
  const whole = toMrkdwn(markdown);
  if (whole.length <= MOST) return [whole];
  const middle = Math.floor(markdown.length / 2);
  const line = markdown.lastIndexOf("\n", middle);
  // A pair of surrogates stays together.
  const at = line > 0 ? line + 1 : middle - (/[\uD800-\uDBFF]/.test(markdown[middle - 1] ?? "") ? 1 : 0);
  return [...toMessages(markdown.slice(0, at)), ...toMessages(markdown.slice(at))];
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
