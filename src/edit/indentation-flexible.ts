import { findWindows } from "./line-windows.ts";
import type { Strategy } from "./span.ts";

/** The same lines, whatever their indentation; what trails a line must agree. */
export const indentationFlexible: Strategy = {
  name: "indentation_flexible",
  find: (text, wanted) => findWindows(text, wanted, (line) => line.trimStart()),
};
