import type { AndOr, ArithmeticFor, CompoundList, PipelineNode, Pipeline, Statement, While } from "unbash";
import { runsItself } from "./starts-itself.ts";

/**
 * A loop that never ends and only starts programs, without ever waiting for one: it fills the machine as a fork bomb
 * does.
 */
export function loopStartsWithoutEnd(node: While | ArithmeticFor): boolean {
  const endless = node.type === "ArithmeticFor" ? node.test === undefined : clauseHolds(node);
  if (!endless) return false;
  const inside = statementsOf(node.body);
  return (
    inside.some(starts) &&
    inside.every((statement) => starts(statement) || statement.background === true || isQuick(statement.command))
  );
}

/** `yes | xargs -P 0 …`: as many at a time as there are lines, and the lines never end. */
export function pipeStartsWithoutEnd({ commands }: Pipeline): boolean {
  const [from, ...rest] = commands.map(wordsOf);
  if (
    from === undefined ||
    !(
      from[0] === "yes" ||
      (from[0] === "seq" && from.includes("inf")) ||
      (from[0] === "cat" && /^\/dev\/(?:zero|u?random)$/.test(from[1] ?? ""))
    )
  )
    return false;
  return (
    rest.some(
      ([name, ...words]) => (name === "xargs" || name === "parallel") && UNBOUNDED.test(` ${words.join(" ")} `),
    ) && !rest.some(([name]) => name === "head")
  );
}

/** A script that starts itself twice: each copy starts two more. */
export function startsItselfTwice(statements: readonly Statement[]): boolean {
  const run = statements.flatMap<PipelineNode | AndOr>(({ command }) =>
    command.type === "Pipeline" ? [...command.commands] : [command],
  );
  return run.filter((command) => runsItself(command)).length > 1;
}

/** Earlier processes have ended after it, or time has passed. */
export function waits(command: PipelineNode | AndOr): boolean {
  return command.type === "Command" && /^(wait|sleep|read)$/.test(command.name?.value ?? "") && !isQuick(command);
}

const UNBOUNDED = / -(?:P|j) ?0 | --(?:max-procs|jobs)[= ]0 | -(?:P|j) ?\d{4,} /;

/** Whether what a `while` or `until` asks before each round is always so. */
function clauseHolds({ kind, clause }: While): boolean {
  const last = clause.commands.at(-1)?.command;
  const words = last?.type === "Command" ? wordsOf(last) : [];
  const word = words[0];
  if (kind === "until") return word === "false" || (last?.type === "ArithmeticCommand" && last.body?.trim() === "0");
  if (last?.type === "ArithmeticCommand") return /^\s*[1-9]\d*\s*$/.test(last.body ?? "");
  if (last?.type === "TestCommand")
    return (
      last.expression.type === "TestUnary" &&
      last.expression.operator === "-n" &&
      /^\w+$/.test(last.expression.operand.text)
    );
  return (
    word === ":" ||
    word === "true" ||
    ((word === "[" || word === "test") && /^\w+$/.test(words[1] ?? "") && (words[2] ?? "]") === "]")
  );
}

/** The statements of a body, including those in groups and branches. */
function statementsOf(list: CompoundList): readonly Statement[] {
  return list.commands.flatMap((statement) => {
    const { command, background } = statement;
    if (background === true) return [statement];
    if (command.type === "BraceGroup" || command.type === "Subshell") return statementsOf(command.body);
    if (command.type === "AndOr") return command.commands.map((one) => ({ ...statement, command: one }));
    return [statement];
  });
}

function starts({ command, background }: Statement): boolean {
  if (background === true) return !waitsItself(command);
  const [name, ...words] = command.type === "AndOr" ? [] : wordsOf(command);
  return (
    (name === "setsid" && words.some((word) => /^(-f|--fork)$/.test(word))) ||
    name === "systemd-run" ||
    name === "daemonize" ||
    (/^(docker|podman|nerdctl)$/.test(name ?? "") &&
      words[0] === "run" &&
      words.some((word) => /^(-\w*d\w*|--detach)$/.test(word))) ||
    (name === "tmux" && words.includes("-d")) ||
    (name === "screen" && words.some((word) => /^-d?m?[dD]m/.test(word)))
  );
}

/** `: &`, `sleep 0 &` leave nothing behind. */
function waitsItself(command: PipelineNode | AndOr): boolean {
  return command.type !== "AndOr" && /^(:|true|false|wait)$/.test(wordsOf(command)[0] ?? "");
}

const QUICK = new Set(
  ": true false echo printf date let export declare local typeset disown jobs cd pwd test [ set unset shift eval hostname whoami id trap ulimit umask".split(
    " ",
  ),
);

function isQuick(command: PipelineNode | AndOr): boolean {
  if (command.type === "ArithmeticCommand" || command.type === "TestCommand") return true;
  if (command.type !== "Command") return false;
  const [name, amount] = wordsOf(command);
  return name === undefined || QUICK.has(name) || (name === "sleep" && /^0?(?:\.0\d*)?$/.test(amount ?? ""));
}

function wordsOf(node: PipelineNode): readonly string[] {
  if (node.type === "Redirected") return wordsOf(node.command);
  if (node.type !== "Command") return [];
  return [node.name, ...node.args].flatMap((word) =>
    word !== undefined && "value" in word ? [String(word.value)] : [],
  );
}
