import { Highlighter } from "../../../shared/display/highlight.ts";
import { element, fill } from "../element.ts";
import { say } from "../text.ts";

/** Code that waits for the grammar of its language. */
const waiting = new Set<() => void>();
const highlighter = new Highlighter(() => {
  for (const draw of waiting) draw();
});

/** Code with the colours of its language, as soon as the grammar is loaded. */
export function codeBlock(code: string, language: string): HTMLElement {
  const block = element("pre", {
    class: "code",
    tabindex: 0,
    role: "region",
    "aria-label": language === "" ? say("Code") : `${say("Code")}: ${language}`,
  });
  const draw = (): void => {
    const lines = highlighter.lines(code, language);
    if (lines === undefined) return;
    waiting.delete(draw);
    fill(
      block,
      lines.flatMap((pieces, at) => [
        at > 0 && "\n",
        ...pieces.map(({ token, text }) =>
          token === "plain" ? text : element("span", { class: `code-${token}` }, text),
        ),
      ]),
    );
  };
  block.append(code);
  waiting.add(draw);
  draw();
  // An unknown language never loads.
  setTimeout(() => waiting.delete(draw), 10_000);
  return block;
}

/** Resolves when all code has its colours, or after a second. */
export async function codeColoured(): Promise<void> {
  for (let tries = 0; waiting.size > 0 && tries < 20; tries++) await new Promise((resolve) => setTimeout(resolve, 50));
}
