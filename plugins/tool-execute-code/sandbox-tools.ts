/** A tool as scripts call it. */
export interface SandboxTool {
  readonly name: string;
  /** Python parameters with types and defaults; what is left at `None` is not sent. */
  readonly parameters: string;
  readonly does: string;
}

/** The tools that scripts may call, as far as the session has them: what asks a person, starts agents or goes on behind the script is none. */
export const SANDBOX_TOOLS: readonly SandboxTool[] = [
  { name: "web_search", parameters: "query: str, limit: int = 5", does: "Results of a web search." },
  { name: "web_extract", parameters: "urls: list[str], char_limit: int | None = None", does: "The text of web pages." },
  {
    name: "read_file",
    parameters: "path: str, offset: int | None = None, limit: int | None = None",
    does: "Lines of a file, numbered, from `offset` (1 is the first).",
  },
  { name: "write_file", parameters: "path: str, content: str", does: "Writes a whole file." },
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
    does: "Changes a part of a file.",
  },
  {
    name: "terminal",
    parameters: "command: str, timeout: float | None = None, workdir: str | None = None",
    does: "Runs a bash command and waits for its end.",
  },
];

/** Those of them that a session has. */
export function sandboxTools(offered: ReadonlySet<string>): readonly SandboxTool[] {
  return SANDBOX_TOOLS.filter(({ name }) => offered.has(name));
}

export function parameterNames({ parameters }: SandboxTool): readonly string[] {
  return parameters.split(/, (?=\w+:)/).map((parameter) => parameter.slice(0, parameter.indexOf(":")));
}
