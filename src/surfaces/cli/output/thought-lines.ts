import type { Display } from "../../shared/display/display.ts";
import { printable } from "../../shared/display/printable.ts";

const CLAMPED_LINES = 5;

/** The shown part of a model's reasoning: nothing, its last lines, or all of it. */
export function thoughtLines(text: string, reasoning: Display["reasoning"]): readonly string[] {
  if (reasoning === "hidden") return [];
  const lines = printable(text)
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "");
  return reasoning === "full" ? lines : lines.slice(-CLAMPED_LINES);
}
