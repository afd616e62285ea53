import { quoted } from "../../../contract/common/quoted.ts";
import type { CompletionPoint } from "./complete-line.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/** The completion script for a shell. */
export function completionScript(shell: Shell, points: readonly CompletionPoint[]): string {
  return { bash, zsh, fish }[shell](points);
}

function bash(points: readonly CompletionPoint[]): string {
  return `# hermes completion for bash: eval "$(hermes completion bash)"
_hermes() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} path= words= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$path/\${COMP_WORDS[i]}" in
      ${paths(points)}) path="\${path:+$path }\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$path/$prev" in
${points.flatMap(({ path, values }) => values.map(({ option, choices }) => `    ${quoted(`${path}/${option}`)}) COMPREPLY=($(compgen -W ${quoted(choices.join(" "))} -- "$cur")); return ;;`)).join("\n")}
  esac
  case "$path" in
${points.map(({ path, words }) => `    ${quoted(path)}) words=${quoted(words.map(({ word }) => word).join(" "))} ;;`).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _hermes hermes
`;
}

function zsh(points: readonly CompletionPoint[]): string {
  const describe = ({ word, description }: CompletionPoint["words"][number]): string =>
    quoted(`${word}:${description}`);
  return `#compdef hermes
# hermes completion for zsh: source <(hermes completion zsh)
_hermes() {
  local path= word i
  local -a found
  for ((i = 2; i < CURRENT; i++)); do
    case "$path/\${words[i]}" in
      ${paths(points)}) path="\${path:+$path }\${words[i]}" ;;
    esac
  done
  case "$path/\${words[CURRENT-1]}" in
${points.flatMap(({ path, values }) => values.map(({ option, choices }) => `    ${quoted(`${path}/${option}`)}) compadd -- ${choices.map(quoted).join(" ")}; return ;;`)).join("\n")}
  esac
  case "$path" in
${points.map(({ path, words }) => `    ${quoted(path)}) found=(${words.map(describe).join(" ")}) ;;`).join("\n")}
  esac
  _describe hermes found || _files
}
whence compdef > /dev/null && compdef _hermes hermes
`;
}

function fish(points: readonly CompletionPoint[]): string {
  const lines = points.flatMap(({ path, words, values }) => {
    const wanted = values.map(({ option }) => option);
    const here = `__hermes_at "${path}"${wanted.length === 0 ? "" : `; and not contains -- (commandline -opc)[-1] ${wanted.join(" ")}`}`;
    // Where a subcommand is expected, offer no files.
    const files = points.some((other) => other.path.startsWith(path === "" ? "" : `${path} `) && other.path !== path)
      ? " -f"
      : "";
    return [
      ...words.map(
        ({ word, description }) =>
          `complete -c hermes -n ${quoted(here)}${files} -a ${quoted(word)} -d ${quoted(description)}`,
      ),
      ...values.map(
        ({ option, choices }) =>
          `complete -c hermes -n ${quoted(`__hermes_at "${path}"; and test (commandline -opc)[-1] = ${option}`)} -f -a ${quoted(choices.join(" "))}`,
      ),
    ];
  });
  return `# hermes completion for fish: hermes completion fish | source
function __hermes_at
  set -l path
  for word in (commandline -opc)[2..-1]
    if contains -- (string join -- ' ' $path $word) ${points
      .filter(({ path }) => path !== "")
      .map(({ path }) => quoted(path))
      .join(" ")}
      set -a path $word
    end
  end
  test "$path" = "$argv[1]"
end
${lines.join("\n")}
`;
}

/** `"path so far"/word` of every subcommand, as alternatives of a \`case\`. */
function paths(points: readonly CompletionPoint[]): string {
  return points
    .filter(({ path }) => path !== "")
    .map(({ path }) => {
      const space = path.lastIndexOf(" ");
      return quoted(`${path.slice(0, Math.max(0, space))}/${path.slice(space + 1)}`);
    })
    .join("|");
}
