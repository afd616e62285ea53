import type { Json } from "hermes-agent/plugin";

/** `code_execution.*` */
export interface Settings {
  readonly mode: "project" | "strict";
  readonly seconds: number;
  readonly maxCalls: number;
}

export function settingsOf(config: (path: string) => Json | undefined): Settings {
  const [mode, seconds, calls] = ["mode", "timeout", "max_tool_calls"].map((name) => config(`code_execution.${name}`));
  return {
    mode: mode === "strict" ? "strict" : "project",
    seconds: typeof seconds === "number" && seconds > 0 ? seconds : 300,
    maxCalls: typeof calls === "number" && calls >= 0 ? calls : 50,
  };
}
