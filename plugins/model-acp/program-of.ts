import type { AgentService } from "./copilot.ts";

export interface AgentProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** The variable that named it; absent for the default program. */
  readonly variable?: string;
}

/** The program of a service, from the set variables. */
export function programOf(service: AgentService, env: (name: string) => string | undefined): AgentProgram {
  const variable = service.commandEnv.find((name) => (env(name) ?? "").trim() !== "");
  const words = argumentWords(env(service.argsEnv) ?? "");
  return {
    command: variable === undefined ? service.command : env(variable)!.trim(),
    args: words.length === 0 ? service.args : words,
    variable,
  };
}

/** Splits text into words like a shell and removes quotes and backslashes. Expands nothing. */
function argumentWords(text: string): readonly string[] {
  const words = text.match(/(?:"(?:[^"\\]|\\[^])*"|'[^']*'|\\[^]|[^\s"'\\])+/g) ?? [];
  return words.map((word) =>
    word.replace(
      /"((?:[^"\\]|\\[^])*)"|'([^']*)'|\\([^])/g,
      (_, double: string | undefined, single: string | undefined, one: string | undefined) =>
        double?.replace(/\\(["\\])/g, "$1") ?? single ?? one ?? "",
    ),
  );
}
