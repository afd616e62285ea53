import { createHash } from "node:crypto";
import { isAbsolute, join, resolve } from "node:path/posix";
import type { CommandJudgement, Terminal, TerminalBackend, TerminalFiles } from "hermes-agent/plugin";

/** Variables that determine which program runs, or what it loads before its own code. */
const VARIABLES = [
  "PATH",
  "LD_PRELOAD",
  "LD_LIBRARY_PATH",
  "DYLD_INSERT_LIBRARIES",
  "BASH_ENV",
  "ENV",
  "IFS",
  "NODE_OPTIONS",
  "PYTHONPATH",
  "PYTHONSTARTUP",
  "PERL5OPT",
  "RUBYOPT",
  "GIT_SSH_COMMAND",
];
const MAX_FILES = 16;
const MAX_BYTES = 1_048_576;

/**
 * Digest of everything that an approval of this command depends on besides its text: backend, sandbox, directory,
 * environment, the
 * programs that its names resolve to, and the content of files that it names. If the environment is not accessible, the
 * first three.
 */
export async function boundTo(
  judged: CommandJudgement,
  cwd: string,
  backend: TerminalBackend,
  sandbox: string | undefined,
  terminal: Terminal | undefined,
): Promise<string> {
  const digest = createHash("sha256").update(JSON.stringify([backend.id, backend.isolated, sandbox ?? null, cwd]));
  if (!backend.isolated) digest.update(JSON.stringify(VARIABLES.map((name) => process.env[name] ?? null)));
  if (terminal !== undefined) {
    const words = new Set(judged.lines.flatMap((line) => line.split(/\s+/)));
    const programs = new Set(judged.lines.map((line) => line.split(/\s+/, 1)[0] ?? ""));
    for (const program of programs) digest.update(await programLine(program, terminal.files, backend));
    for (const line of await fileLines([...words], cwd, terminal.files)) digest.update(line);
  }
  return digest.digest("hex");
}

/** The file that a name resolves to, with data that changes when the file is replaced. */
async function programLine(program: string, files: TerminalFiles, backend: TerminalBackend): Promise<string> {
  if (!/^[\w.+-]+$/.test(program) || backend.isolated) return `${program}\n`;
  for (const folder of (process.env["PATH"] ?? "").split(":").filter(isAbsolute)) {
    const stat = await files.stat(join(folder, program)).catch(() => undefined);
    if (stat?.kind === "file")
      return `${await files.resolve(join(folder, program))} ${stat.bytes} ${stat.modifiedMs}\n`;
  }
  return `${program}\n`;
}

async function fileLines(words: readonly string[], cwd: string, files: TerminalFiles): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const word of words.filter((one) => /^[\w./~+@%-]+$/.test(one) && !one.startsWith("-"))) {
    if (lines.length >= MAX_FILES) break;
    const path = resolve(cwd, word);
    const stat = await files.stat(path).catch(() => undefined);
    if (stat?.kind !== "file") continue;
    const bytes = stat.bytes <= MAX_BYTES ? await files.read(path).catch(() => undefined) : undefined;
    const content =
      bytes === undefined ? `${stat.bytes} ${stat.modifiedMs}` : createHash("sha256").update(bytes).digest("hex");
    lines.push(`${await files.resolve(path)} ${content}\n`);
  }
  return lines;
}
