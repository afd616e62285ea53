import { findWindows } from "./line-windows.ts";
import type { Strategy } from "./span.ts";

/** Finds the old text line by line, ignoring whitespace at both ends of each line. */
export const lineTrimmed: Strategy = {
  name: "line_trimmed",
  find: (text, wanted) => findWindows(text, wanted, (line) => line.trim()),
};
