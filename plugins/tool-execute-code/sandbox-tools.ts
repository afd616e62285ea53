/** A tool as a Python function. */
export interface SandboxTool {
  readonly name: string;
  /** Python parameters with types and defaults; parameters that are `None` are not sent. */
  readonly parameters: string;
  readonly does: string;
}

/**
 * The tools that scripts can call if the session has them. Excludes tools that ask the user, start agents or outlive
 * the script.
 */
export const SANDBOX_TOOLS: readonly SandboxTool[] = [
  { name: "web_search", parameters: "query: str, limit: int = 5", does: "Results of a web search." },
  { name: "web_extract", parameters: "urls: list[str], char_limit: int | None = None", does: "The text of web pages." },
  {
    name: "read_file",
    parameters: "path: str, offset: int | None = None, limit: int | None = None",
    does: "Numbered lines of a file, from line `offset` (first: 1).",
  },
  { name: "write_file", parameters: "path: str, content: str", does: "Writes a complete file." },
  {
    name: "search_files",
    parameters:
      "pattern: str, target: str | None = None, path: str | None = None, file_glob: str | None = None, limit: int | None = None, offset: int | None = None, output_mode: str | None = None, context: int | None = None",
    does: 'Searches in files, or for files with target="files".',
  },
  {
    name: "patch",
    parameters:
      "path: str | None = None, old_string: str | None = None, new_string: str | None = None, replace_all: bool | None = None, mode: str | None = None, patch: str | None = None",
    does: "Changes part of a file.",
  },
  {
    name: "terminal",
    parameters: "command: str, timeout: float | None = None, workdir: str | None = None",
    does: "Runs a bash command and waits until it ends.",
  },
];

/** The ones that a session has. */
export function sandboxTools(offered: ReadonlySet<string>): readonly SandboxTool[] {
  return SANDBOX_TOOLS.filter(({ name }) => offered.has(name));
}

export function parameterNames({ parameters }: SandboxTool): readonly string[] {
  return parameters.split(/, (?=\w+:)/).map((parameter) => parameter.slice(0, parameter.indexOf(":")));
}
