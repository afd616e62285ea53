/** Converts Markdown to Telegram's HTML subset. Unsupported markup stays as text. */
export function toHtml(markdown: string): string {
  const saved: string[] = [];
  const keep = (html: string): string => `\u0000${saved.push(html) - 1}\u0000`;
  const marked = escaped(markdown.replaceAll("\u0000", ""))
    .replaceAll(/^ *```([\w+-]*)[^\n]*\n([^]*?)(?:^ *```[ \t]*$|(?![^]))/gm, (_, language: string, code: string) =>
      keep(
        `<pre><code${language === "" ? "" : ` class="language-${language}"`}>${code.replace(/\n$/, "")}</code></pre>`,
      ),
    )
    .replaceAll(/`([^`\n]+)`/g, (_, code: string) => keep(`<code>${code}</code>`))
    .replaceAll(
      /!?\[([^\]\n]+)\]\((https?:\/\/[^\s)]+|tg:\/\/[^\s)]+)\)/g,
      (_, words: string, url: string) => `${keep(`<a href="${url}">`)}${words}${keep("</a>")}`,
    )
    .replaceAll(/^#{1,6} +(.+?) *#*$/gm, "<b>$1</b>")
    .replaceAll(/^(\s*)[*+-] +/gm, "$1• ")
    .replaceAll(/\*\*(?=\S)(.+?)(?<=\S)\*\*/g, "<b>$1</b>")
    .replaceAll(/__(?=\S)(.+?)(?<=\S)__/g, "<b>$1</b>")
    .replaceAll(/~~(?=\S)(.+?)(?<=\S)~~/g, "<s>$1</s>")
    .replaceAll(/(?<![\w*])\*(?=[^\s*])([^*\n]+?)(?<=[^\s*])\*(?![\w*])/g, "<i>$1</i>")
    .replaceAll(/(?<!\w)_(?=\S)([^_\n]+?)(?<=\S)_(?!\w)/g, "<i>$1</i>")
    .replaceAll(
      /(?:^&gt; ?.*(?:\n|$))+/gm,
      (lines) =>
        `<blockquote>${lines.replaceAll(/^&gt; ?/gm, "").trimEnd()}</blockquote>${lines.endsWith("\n") ? "\n" : ""}`,
    );
  // oxlint-disable-next-line no-control-regex
  return marked.replaceAll(/\u0000(\d+)\u0000/g, (_, at: string) => saved[Number(at)] ?? "");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
