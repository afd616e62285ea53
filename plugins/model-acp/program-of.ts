import type { AgentService } from "./copilot.ts";

export interface AgentProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** The variable that named it; none where it is the usual one. */
  readonly variable?: string;
}

/** The program that is started for a service, by the variables that are set. */
export function programOf(service: AgentService, env: (name: string) => string | undefined): AgentProgram {
  const variable = service.commandEnv.find((name) => (env(name) ?? "").trim() !== "");
  const words = argumentWords(env(service.argsEnv) ?? "");
  return {
    command: variable === undefined ? service.command : env(variable)!.trim(),
    args: words.length === 0 ? service.args : words,
    variable,
  };
}

/** Words as a shell parts them, quotes and backslashes taken away. Nothing is filled in. */
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
