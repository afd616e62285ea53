import { basename, resolve } from "node:path/posix";
import {
  judgeCommand,
  riskOfCommand,
  type CommandJudgement,
  type Risk,
  type RiskContext,
  type TerminalFiles,
} from "hermes-agent/plugin";

const MAX_SCRIPTS = 4;
const MAX_BYTES = 128_000;
const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh", "source", "."]);
const INTERPRETER = /^(python3?|node|perl|ruby|php)(?:[\d.]*)$/;
/** System folders, whose programs are not scripts of a project. */
const SHIPPED = /^\/(?:usr|bin|sbin|lib|lib64|opt|nix|snap)\//;

interface Script {
  readonly path: string;
  readonly text: string;
  readonly modifiedMs: number;
}

/**
 * Assesses the scripts that a command runs as if they had been typed, so that putting a command into a file does not
 * hide it. A script
 * script that was changed since `sinceMs` is judged like the command; of an older one, which this process cannot have
 * written, only what the hard floor names is asked about.
 */
export async function scriptRisk(
  judged: CommandJudgement,
  cwd: string,
  files: TerminalFiles,
  call: RiskContext,
  sinceMs: number,
): Promise<Risk | undefined> {
  let asked: Risk | undefined;
  for (const { path, text, modifiedMs } of await scriptsOf(judged, cwd, files)) {
    const inside = await judgeCommand(text, { cwd, home: call.home, agentHome: call.agentHome });
    const risk = riskOfCommand(inside);
    const fresh = modifiedMs >= sinceMs;
    if (risk === undefined || (risk.answer === "ask" && !fresh)) continue;
    // The script's content may change before the next run, so no lasting approval is offered.
    const { rule: _rule, ...rest } = {
      ...risk,
      answer: fresh ? risk.answer : ("ask" as const),
      reasons: risk.reasons.map((reason) => `${path}: ${reason}`),
    };
    if (rest.answer === "block") return rest;
    asked ??= rest;
  }
  return asked;
}

/** Whether the command runs a program by path, or an interpreter with a file. */
export function mayRunScripts({ effects }: CommandJudgement): boolean {
  return effects.some(
    (effect) =>
      effect.kind === "execute" &&
      (effect.program.includes("/") ||
        SHELLS.has(basename(effect.program)) ||
        INTERPRETER.test(basename(effect.program))),
  );
}

/** Combines both into one question. */
export function withScripts(message: Risk | undefined, script: Risk | undefined): Risk | undefined {
  if (message === undefined || script === undefined || message.answer === "block") return message ?? script;
  if (script.answer === "block") return script;
  const { rule: _rule, ...rest } = message;
  const keys = [...new Set(`${message.key} + ${script.key}`.split(" + "))];
  return {
    ...rest,
    key: keys.join(" + "),
    reasons: [...message.reasons, ...script.reasons],
    effects: [...message.effects, ...script.effects],
  };
}

async function scriptsOf(
  { effects, lines }: CommandJudgement,
  cwd: string,
  files: TerminalFiles,
): Promise<readonly Script[]> {
  const folders = [
    cwd,
    ...lines.flatMap((line) => /^(?:cd|pushd) (\S+)$/.exec(line)?.[1] ?? []).map((folder) => resolve(cwd, folder)),
  ];
  const named = effects.flatMap((effect) => {
    if (effect.kind !== "execute") return [];
    const [program = "", ...words] = effect.words;
    const name = basename(program);
    if (words[0] === "<" && (SHELLS.has(name) || INTERPRETER.test(name)))
      return effects.flatMap((one) =>
        one.kind === "read" && one.path !== undefined ? [{ path: one.path, program: name }] : [],
      );
    if (SHELLS.has(name) || INTERPRETER.test(name)) {
      const file = words.find((word) => !word.startsWith("-") && !word.startsWith("+"));
      return file === undefined || words.slice(0, words.indexOf(file)).some((word) => /^-[cem]$/.test(word))
        ? []
        : [{ path: file, program: name }];
    }
    return program.includes("/") && !SHIPPED.test(program) ? [{ path: program, program: "" }] : [];
  });
  const found: Script[] = [];
  for (const { path, program } of named.slice(0, MAX_SCRIPTS))
    for (const full of new Set(folders.map((folder) => resolve(folder, path)))) {
      const script = await readScript(full, program, files);
      if (script !== undefined) found.push(script);
    }
  return found;
}

async function readScript(path: string, program: string, files: TerminalFiles): Promise<Script | undefined> {
  const stat = await files.stat(path).catch(() => undefined);
  if (stat?.kind !== "file" || stat.bytes > MAX_BYTES) return undefined;
  const bytes = await files.read(path).catch(() => undefined);
  const text = bytes === undefined ? "" : new TextDecoder().decode(bytes);
  if (text.trim() === "" || text.includes("\0")) return undefined;
  const shebang = /^#!\s*(?:\S*\/env\s+(?:-S\s+)?)?(?:\S*\/)?([\w.]+)/.exec(text)?.[1];
  const language = program === "" || SHELLS.has(program) ? (program === "" ? (shebang ?? "sh") : program) : program;
  if (SHELLS.has(language)) return { path, text, modifiedMs: stat.modifiedMs };
  const interpreter = INTERPRETER.exec(language)?.[1];
  if (interpreter === undefined) return undefined;
  return {
    path,
    text: `${interpreter === "python" ? "python3" : interpreter} - <<'END_OF_SCRIPT'\n${text.replaceAll("END_OF_SCRIPT", "")}\nEND_OF_SCRIPT`,
    modifiedMs: stat.modifiedMs,
  };
}
