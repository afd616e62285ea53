import { findWindows } from "./line-windows.ts";
import type { Strategy } from "./span.ts";

/** The same lines, whatever whitespace surrounds each. */
export const lineTrimmed: Strategy = {
  name: "line_trimmed",
  find: (text, wanted) => findWindows(text, wanted, (line) => line.trim()),
};
