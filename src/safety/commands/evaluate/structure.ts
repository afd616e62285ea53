import type { AndOr, Case, CompoundList, If, PipelineNode, Pipeline, SyntaxNode } from "unbash";
import { arithmetic } from "../parse/arithmetic.ts";
import { fits, testHolds } from "./conditions.ts";
import { type Flow, join, NOTHING, UNSEEN } from "../risk/effect.ts";
import { countingLoop, forEach, repeat } from "./loops.ts";
import { UNKNOWN } from "../parse/marks.ts";
import { redirected } from "./redirections.ts";
import { simpleCommand } from "./simple-command.ts";
import { pipeStartsWithoutEnd } from "./starts-without-end.ts";
import { become, fork, keepVariables, merge, type ShellState } from "../parse/state.ts";
import type { Walker } from "./walker.ts";

/** Follows one node of the tree as a shell would, and returns what it prints. */
export function follow(node: PipelineNode | SyntaxNode, state: ShellState, stdin: Flow, walk: Walker): Flow {
  switch (node.type) {
    case "Command":
      return simpleCommand(node, state, stdin, walk);
    case "Pipeline":
      return pipeline(node, state, stdin, walk);
    case "AndOr":
      return andOr(node, state, stdin, walk);
    case "If":
      return ifElse(node, state, stdin, walk);
    case "For":
    case "Select":
      return forEach(node, state, stdin, walk);
    case "While":
      return repeat(node, state, stdin, walk);
    case "ArithmeticFor":
      return countingLoop(node, state, stdin, walk);
    case "Case":
      return cases(node, state, stdin, walk);
    case "Subshell":
      return walk.inSubshell(state, (inside) => walk.list(node.body.commands, inside, stdin));
    case "BraceGroup":
      return walk.list(node.body.commands, state, stdin);
    case "CompoundList":
      return walk.list(node.commands, state, stdin);
    case "Coproc":
      walk.onlyReads = false;
      return walk.node(node.body, fork(state), UNSEEN);
    case "Function":
      state.functions.set(node.name.value, node);
      walk.defined.add(node);
      return NOTHING;
    case "Redirected":
      return redirected(node.redirects, state, stdin, (input) => walk.node(node.command, state, input), walk);
    case "TestCommand":
      state.status = testHolds(node.expression, state, walk);
      return NOTHING;
    case "ArithmeticCommand": {
      const value = node.expression && arithmetic(node.expression, state, walk);
      state.status = value === undefined ? undefined : value !== 0;
      return NOTHING;
    }
    default:
      walk.sweep(node, state);
      return UNSEEN;
  }
}

function pipeline(node: Pipeline, state: ShellState, stdin: Flow, walk: Walker): Flow {
  if (node.commands.length === 1) {
    const flow = walk.node(node.commands[0]!, state, stdin);
    if (state.status !== undefined)
      state.status = state.status !== (node.prefixes.filter(({ type }) => type === "Negation").length % 2 === 1);
    return flow;
  }
  if (pipeStartsWithoutEnd(node)) walk.add({ kind: "fork bomb" });
  const own = walk.running.at(-1)?.name;
  if (own && node.commands.filter((command) => command.type === "Command" && command.name?.value === own).length > 1)
    walk.add({ kind: "fork bomb" });
  return node.commands.reduce<Flow>((flow, command, index) => {
    if (index === 0 && filtersEnvironment(command, node.commands[1])) return UNSEEN;
    let next: Flow = UNSEEN;
    // A secret that another program is handed is not shown.
    if (handsOver(node.commands[index + 1]))
      walk.suspect(() => void (next = walk.inSubshell(state, (inside) => walk.node(command, inside, flow))));
    else next = walk.inSubshell(state, (inside) => walk.node(command, inside, flow));
    return index < node.commands.length - 1 ? { ...next, from: "pipe" } : next;
  }, stdin);
}

function handsOver(next: PipelineNode | undefined): boolean {
  return (
    next?.type === "Command" &&
    next.args.some((arg) => arg.type === "Word" && /^--(password-stdin|with-token)$/.test(arg.value))
  );
}

/** Parts of variables' names under which nothing secret is kept. */
const PLAIN_NAMES = new Set(
  `path home user shell lang lc_ term node python java jdk go goos goarch gopath rust cargo conda virtual_env
    display xdg editor visual pager tz pwd ci debug log level port host hostname version locale locales no_color
    columns lines tmp tmpdir`.split(/\s+/),
);

/** `env | grep PATH`: what is printed is what the pattern names, and it names nothing secret. */
function filtersEnvironment(first: PipelineNode, second: PipelineNode | undefined): boolean {
  if (
    first.type !== "Command" ||
    second?.type !== "Command" ||
    first.redirects.length > 0 ||
    second.redirects.length > 0
  )
    return false;
  if (
    !["env", "printenv"].includes(first.name?.value ?? "") ||
    first.suffix.length > 0 ||
    first.prefix.length > 0 ||
    !/^(e|f)?grep$/.test(second.name?.value ?? "")
  )
    return false;
  const words = second.args.map((arg) =>
    arg.type === "Word" &&
    arg.parts?.some((part) => !["Literal", "SingleQuoted", "DoubleQuoted"].includes(part.type)) !== true
      ? arg.type === "Word"
        ? arg.value
        : ""
      : "$",
  );
  const pattern = words.find((word) => !word.startsWith("-"));
  if (
    pattern === undefined ||
    words.some((word) => word.startsWith("-") && !/^-[iEFnwqc]+$/.test(word)) ||
    words.filter((word) => !word.startsWith("-")).length !== 1
  )
    return false;
  return pattern
    .split(/[|()^=]|\\\|/)
    .filter((part) => part !== "")
    .every((part) => PLAIN_NAMES.has(part.toLowerCase().replace(/_$/, "")));
}

function andOr(node: AndOr, state: ShellState, stdin: Flow, walk: Walker): Flow {
  let out = walk.node(node.commands[0]!, state, stdin);
  let { status } = state;
  // Within the chain a later command runs only if the earlier ones did; after it, either may be true.
  const maybe = new Set<string | undefined>();
  for (let i = 1; i < node.commands.length; i++) {
    const command = node.commands[i]!;
    const before = fork(state);
    const and = node.operators[i - 1] === "&&";
    const guard = and ? guarded(node.commands[i - 1], state) : undefined;
    out = join(
      out,
      assuming(guard, state, () => walk.node(command, state, stdin)),
    );
    // The text says whether it runs.
    const runs = status === undefined ? undefined : status === and;
    if (runs === false) become(state, before);
    else status = runs === true ? state.status : undefined;
    if (runs !== undefined) continue;
    if (!and) {
      if (leaves(command)) become(state, before);
      else merge(state, before);
    } else if (!surelySucceeds(node.commands[i - 1]!)) {
      keepVariables(state, before);
      if (before.cwds !== state.cwds) for (const cwd of before.cwds) maybe.add(cwd);
    }
  }
  state.status = status;
  if (maybe.size > 0) state.cwds = [...new Set([...state.cwds, ...maybe])].slice(0, 6);
  return out;
}

function ifElse(node: If, state: ShellState, stdin: Flow, walk: Walker): Flow {
  let out = walk.list(node.clause.commands, state, stdin);
  const { status } = state;
  const branches = [node.then, ...node.elif.map((elif) => elif.then), node.else];
  const before = fork(state);
  for (const elif of node.elif) walk.list(elif.clause.commands, fork(before), stdin);
  branches.forEach((branch, index) => {
    const inside = fork(before);
    const guard = index === 0 ? guarded(node.clause.commands.at(-1)?.command, inside) : undefined;
    if (branch)
      out = join(
        out,
        assuming(guard, inside, () => walk.list(branch.commands, inside, stdin)),
      );
    // The branch that the text chooses is the one that counts.
    if (status === true || (status === false && node.elif.length === 0)) {
      if (index === (status ? 0 : 1)) become(state, inside);
    } else if (branch && leavesList(branch)) return;
    else if (index === 0) become(state, inside);
    else merge(state, inside);
  });
  state.status = undefined;
  return out;
}

/**
 * `[ -n "$x" ]` with an `x` that is known to be empty: the name, since what the test guards only runs when it is not.
 */
function guarded(node: AndOr | PipelineNode | undefined, state: ShellState): string | undefined {
  if (node?.type !== "Command" || !["[", "test"].includes(node.name?.value ?? "")) return undefined;
  const words = node.args
    .map((arg) => (arg.type === "Word" ? arg.text : ""))
    .filter((word) => word !== "]" && word !== "-n");
  const name = words.length === 1 ? /^"?\$\{?(\w+)(?::-)?\}?"?$/.exec(words[0]!)?.[1] : undefined;
  return name !== undefined && state.variables.get(name) === "" ? name : undefined;
}

function assuming(name: string | undefined, state: ShellState, work: () => Flow): Flow {
  if (name === undefined) return work();
  state.variables.set(name, UNKNOWN);
  const flow = work();
  if (state.variables.get(name) === UNKNOWN) state.variables.set(name, "");
  return flow;
}

/** The first branch that surely fits is the one whose changes stay; the others are looked at for what they would do. */
function cases(node: Case, state: ShellState, stdin: Flow, walk: Walker): Flow {
  const word = walk.text(node.word, state);
  const before = fork(state);
  let out = NOTHING;
  let open = true;
  let chosen: ShellState | undefined;
  for (const item of node.items) {
    const inside = fork(before);
    const fitting = item.pattern.map((pattern) => fits(word, pattern, walk.text(pattern, inside), state));
    const flow = walk.list(item.body.commands, inside, stdin);
    const takes = fitting.includes(true)
      ? true
      : fitting.includes(undefined) || item.terminator === ";&" || item.terminator === ";;&"
        ? undefined
        : false;
    if (open && takes === true && item.terminator !== ";&" && item.terminator !== ";;&") {
      chosen = inside;
      out = flow;
    }
    open &&= takes === false;
    if (chosen !== undefined) continue;
    out = join(out, flow);
    if (!open && !leavesList(item.body)) merge(state, inside);
  }
  state.status = undefined;
  if (chosen !== undefined) become(state, chosen);
  return node.items.length > 1 && out.text && chosen === undefined ? UNSEEN : out;
}

const LEAVERS = new Set(["exit", "return", "die", "break", "continue"]);

function leaves(node: PipelineNode): boolean {
  if (node.type === "Command") return LEAVERS.has(node.name?.value ?? "");
  if (node.type === "BraceGroup") return leavesList(node.body);
  return false;
}

function leavesList(list: CompoundList): boolean {
  const last = list.commands.at(-1)?.command;
  return last !== undefined && last.type !== "AndOr" && leaves(last);
}

const SURE = new Set(["true", ":", "echo", "export", "set", "cd", "mkdir", "pushd", "shopt", "printf"]);

function surelySucceeds(node: PipelineNode): boolean {
  return node.type === "Command" && (node.name === undefined || SURE.has(node.name.value));
}
