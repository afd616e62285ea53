import { element } from "../element.ts";
import { say } from "../text.ts";
import { ansiLines, type AnsiPiece } from "./ansi.ts";

/** A terminal's output with its colours. Each line is an element, so that long output can be searched. */
export function terminalOutput(output: string): HTMLElement {
  return element(
    "pre",
    { class: "terminal", tabindex: 0, role: "region", "aria-label": say("Output") },
    ansiLines(output).map((line) => element("span", { class: "line" }, line.map(shown), "\n")),
  );
}

function shown({ text, color, ground, marks }: AnsiPiece): Node | string {
  if (color === undefined && ground === undefined && marks.length === 0) return text;
  const names = [...marks, ...named("ink", color), ...named("ground", ground)];
  const piece = element("span", { class: names.join(" ") }, text);
  if (typeof color === "string") piece.style.color = color;
  if (typeof ground === "string") piece.style.backgroundColor = ground;
  return piece;
}

function named(what: string, color: number | string | undefined): readonly string[] {
  return typeof color === "number" ? [`${what}-${color}`] : [];
}
