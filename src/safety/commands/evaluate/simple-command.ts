import type { Assignment, Command, Word } from "unbash";
import { type Flow, INHERITED, NOTHING } from "../risk/effect.ts";
import { judgeEnvironment } from "./environment.ts";
import { expandWord } from "../parse/expand.ts";
import { UNKNOWN } from "../parse/marks.ts";
import { redirected } from "./redirections.ts";
import { execute } from "./run-command.ts";
import { ownName, type ShellState } from "../parse/state.ts";
import { elementOf, forget, setElement, setVariable, valueOf } from "../parse/variables.ts";
import type { Walker } from "./walker.ts";

const MAX_TEXT = 20_000;
const MAX_WORDS = 4000;
const MAX_ITEMS = 1000;

/** One simple command: its words, assignments and redirections, and then what it runs. */
export function simpleCommand(node: Command, state: ShellState, stdin: Flow, walk: Walker): Flow {
  const { words, decoded } = wordsOf(node, state, walk);
  const assignments = node.prefix.filter((item): item is Assignment => item.type === "Assignment");
  if (words.length === 0) {
    assignHere(assignments, state, stdin, walk);
    state.status =
      node.redirects.length === 0 && !assignments.some(({ text }) => /\$\(|`/.test(text)) ? true : undefined;
  } else
    for (const assignment of assignments)
      judgeEnvironment(assignment.name, assignedText(assignment, state, walk), {
        program: words[0]!,
        args: words.slice(1),
        stdin,
        state,
        by: walk,
      });
  if (words.length > 0 && decoded)
    walk.harm("decoded-shell", `the command's name comes out of a decoder: ${words[0]!}`);
  const body = (input: Flow): Flow => {
    // `$(<file)` prints the file.
    if (words.length === 0)
      return node.redirects.some((redirect) => redirect.operator === "<") && assignments.length === 0
        ? { ...input, from: "pipe" }
        : NOTHING;
    if (assignments.length === 0) return execute(words, state, input, walk);
    const inside = withPrefix(state, assignments, walk);
    const flow = execute(words, inside, input, walk);
    state.cwds = inside.cwds;
    state.positional = inside.positional;
    const own = new Set(assignments.map(({ name }) => name));
    for (const [name, value] of inside.variables)
      if (!own.has(name) && state.variables.get(name) !== value) state.variables.set(name, value);
    return flow;
  };
  return redirected(node.redirects, state, stdin, body, walk);
}

function wordsOf(
  node: Command,
  state: ShellState,
  walk: Walker,
): { readonly words: readonly string[]; readonly decoded: boolean } {
  walk.decodedWord = false;
  const words: string[] = node.name ? [...expandWord(node.name, state, walk)] : [];
  const decoded = walk.decodedWord;
  for (const argument of node.args) {
    if (words.length > MAX_WORDS) {
      walk.overflow();
      break;
    }
    if (argument.type === "Assignment") words.push(...assignmentArgument(argument, state, words, walk));
    else words.push(...expandWord(argument, state, walk));
  }
  if (words.length > MAX_WORDS) walk.overflow();
  for (let i = 0; i < words.length; i++) words[i] = words[i]!.length > MAX_TEXT ? walk.bounded(words[i]!) : words[i]!;
  return { words, decoded };
}

/** Assignments that stand alone change the shell itself. */
function assignHere(assignments: readonly Assignment[], state: ShellState, stdin: Flow, walk: Walker): void {
  for (const assignment of assignments) assign(assignment, state, walk);
  for (const assignment of assignments)
    judgeEnvironment(assignment.name, String(state.variables.get(assignment.name) ?? ""), {
      program: "",
      args: [],
      stdin,
      state,
      by: walk,
    });
}

/** The state the command itself sees, with its own assignments. */
function withPrefix(state: ShellState, assignments: readonly Assignment[], walk: Walker): ShellState {
  const target = { ...state, variables: new Map(state.variables), exported: new Set(state.exported) };
  for (const assignment of assignments) {
    assign(assignment, target, walk);
    target.exported.add(assignment.name);
  }
  return target;
}

function assign(assignment: Assignment, state: ShellState, walk: Walker): void {
  if (assignment.index) {
    const index = walk.text(assignment.index, state);
    const text = assignedText(assignment, state, walk);
    const old = assignment.append ? (elementOf(assignment.name, index, state) ?? UNKNOWN) : "";
    setElement(assignment.name, index, walk.bounded(`${typeof old === "string" ? old : UNKNOWN}${text}`), state);
    return;
  }
  const value = assignment.value;
  if (value.type === "ArrayValue") {
    if (value.elements.some((element) => element.text.startsWith("[")))
      return assignElements(assignment.name, value.elements, state, walk);
    const items = value.elements.flatMap((element) => expandWord(element, state, walk));
    const old = valueOf(assignment.name, state);
    state.budget.spend(items.length / 20 + (Array.isArray(old) ? old.length / 20 : 0));
    const all = assignment.append && old !== undefined ? [...(typeof old === "string" ? [old] : old), ...items] : items;
    setVariable(assignment.name, all.length > MAX_ITEMS ? UNKNOWN : all, state);
    return;
  }
  const text = assignedText(assignment, state, walk);
  const old = valueOf(assignment.name, state);
  setVariable(
    assignment.name,
    walk.bounded(assignment.append ? `${typeof old === "string" ? old : UNKNOWN}${text}` : text),
    state,
  );
}

/** `([x]=rm [y]=-rf)` */
function assignElements(name: string, elements: readonly Word[], state: ShellState, walk: Walker): void {
  for (const element of elements.slice(0, MAX_ITEMS)) {
    const [, index, text] = /^\[([^\]]*)\]=(.*)$/s.exec(element.text) ?? [];
    if (index === undefined) {
      expandWord(element, state, walk);
      forget(name, state);
      continue;
    }
    const key = walk.parseWord(index, state);
    const value = text === "" ? undefined : walk.parseWord(text!, state);
    setElement(name, key ? walk.text(key, state) : UNKNOWN, value ? walk.text(value, state) : "", state);
  }
  if (elements.length > MAX_ITEMS) forget(name, state);
}

function assignedText(assignment: Assignment, state: ShellState, walk: Walker): string {
  const value = assignment.value;
  if (value.type === "Word") return walk.bounded(walk.text(value, state));
  for (const element of value.elements) expandWord(element, state, walk);
  return UNKNOWN;
}

/** `export X=1`, `declare -a y=(…)`: the shell's own declarations set variables, for others it is a word. */
function assignmentArgument(
  assignment: Assignment,
  state: ShellState,
  words: readonly string[],
  walk: Walker,
): readonly string[] {
  const program = words[0] ?? "";
  if (["export", "declare", "typeset", "local", "readonly", "alias"].includes(program)) {
    if (["declare", "typeset", "local"].includes(program)) ownName(assignment.name, state);
    // `declare -n r=x` names x, and leaves alone what r stood for.
    const refers = program !== "export" && words.some((word) => /^-[a-zA-Z]*n/.test(word));
    if (program !== "alias" && !refers) assign(assignment, state, walk);
    if (assignment.value.type === "ArrayValue") return [assignment.name];
    const value = assignedText(assignment, state, walk);
    if (program !== "alias")
      judgeEnvironment(assignment.name, value, { program: "", args: [], stdin: INHERITED, state, by: walk });
    return [`${assignment.name}${assignment.append ? "+" : ""}=${value}`];
  }
  return [`${assignment.name}${assignment.append ? "+" : ""}=${assignedText(assignment, state, walk)}`];
}
