import { posix } from "node:path";
import type { Assignment, Command, CompoundList, Function as FunctionNode, ParsedScript, PipelineNode, Redirection, Script, Statement, SyntaxNode, TestExpression, Word, WordPart } from "unbash";
import type { HarmId } from "../harms.ts";
import type { Analyst, Call } from "./call.ts";
import { type CommandEffect, derived, type Flow, INHERITED, join, literal, NOTHING, UNSEEN } from "./effect.ts";
import { type Expander, expandParts, expandText, expandWord, arithmetic } from "./expand.ts";
import { judgeEnvironment } from "./environment.ts";
import { COMPUTED, DECODED, hasGlob, hasMark, isKnown, MANY, mayBe, quietGlobs, readable, REMOTE, STAR, UNKNOWN } from "./marks.ts";
import { findProgram, GUESSED_NAMES, printsSetup } from "./programs.ts";
import { become, fork, merge, type ShellState } from "./state.ts";

const MAX_COMMANDS = 1500;
const MAX_DEPTH = 8;
const MAX_EFFECTS = 400;
const MAX_LOOP = 12;
const MAX_STEPS = 4_000;
const MAX_TEXT = 20_000;
/** What is looked for behind the limits. */
const GRAVE = new Set<string>([...GUESSED_NAMES, "sudo", "doas", "mkswap", "blkdiscard", "sfdisk", "sgdisk", "pkill", "killall5", "telinit", "init", "systemctl", "kexec", "tee", "cp"]);

export interface Bash {
  parse(source: string): ParsedScript;
  forEachChild(node: SyntaxNode, callback: (child: SyntaxNode) => void): void;
}

/** Walks a parsed script in the order a shell would, keeps what the shell would know, and gathers what the script would do. */
export class Walk implements Analyst, Expander {
  readonly home: string;
  readonly platform: "linux" | "darwin" | "win32";
  effects: CommandEffect[] = [];
  /** Every simple command that was met, wrappers and what they wrap alike, quotes and variables resolved as far as the text allows. */
  readonly lines = new Set<string>();
  private readonly bash: Bash;
  private readonly seen = new Set<string>();
  private readonly running: { readonly name: string; readonly background: number }[] = [];
  private readonly called = new Set<FunctionNode>();
  private readonly defined = new Set<FunctionNode>();
  private commands = 0;
  private steps = 0;
  private nesting = 0;
  private background = 0;
  private processes = 0;
  private decodedWord = false;

  constructor(bash: Bash, options: { readonly home: string; readonly platform: "linux" | "darwin" | "win32" }) {
    this.bash = bash;
    this.home = options.home;
    this.platform = options.platform;
  }

  /** The whole text. What only uncalled functions would do is returned apart: it may happen later. */
  start(script: ParsedScript, state: ShellState): readonly CommandEffect[] {
    this.checkErrors(script);
    const beginning = fork(state);
    this.list(script.commands, state, INHERITED);
    if (this.exhausted()) this.lookForGrave(script, beginning);
    const certain = this.effects;
    this.effects = [];
    this.seen.clear();
    for (const body of this.defined) if (!this.called.has(body)) this.callFunction(body, [], fork(state), INHERITED);
    const later = this.effects;
    this.effects = certain;
    return later;
  }

  private exhausted(): boolean {
    return this.commands > MAX_COMMANDS || this.steps > MAX_STEPS;
  }

  /** Behind the limits nothing is followed any more; a hardline command that is written out is still found. */
  private lookForGrave(script: ParsedScript, state: ShellState): void {
    let nodes = 0;
    let found = 0;
    const visit = (node: SyntaxNode, depth: number): void => {
      if (++nodes > 60_000 || depth > 60 || found > 40) return;
      if (node.type === "Command" && node.name && (GRAVE.has(node.name.value.replace(/^.*\//, "")) || node.name.value.startsWith("mkfs"))) {
        found++;
        this.commands = MAX_COMMANDS - 20;
        this.steps = MAX_STEPS - 60;
        this.simple(node, fork(state), INHERITED);
      }
      this.bash.forEachChild(node, (child) => visit(child, depth + 1));
    };
    visit(script, 0);
  }

  // ── Analyst ──

  add(effect: CommandEffect): void {
    const key = JSON.stringify(effect);
    if (this.seen.has(key)) return;
    this.seen.add(key);
    if (this.effects.length < MAX_EFFECTS) this.effects.push(effect);
    else this.effects[MAX_EFFECTS] ??= { kind: "harm", harm: "parser-limit", what: `more than ${MAX_EFFECTS} effects` };
    // The floor is looked for behind the cap as well.
    if (this.effects.length > MAX_EFFECTS && effect.kind !== "execute" && effect.kind !== "read" && this.effects.length < 4 * MAX_EFFECTS) this.effects.push(effect);
  }

  harm(harm: HarmId, what: string, path?: string): void {
    this.add({ kind: "harm", harm, what: readable(what).slice(0, 300), ...(path === undefined ? {} : { path }) });
  }

  paths(text: string, state: ShellState): readonly string[] {
    if (text.startsWith("/")) return [this.outside(clean(text), state)];
    const first = text.charCodeAt(0);
    if (first >= 0xe000 && first < 0xe008) return [text.replaceAll(MANY, "")];
    return [...new Set(state.cwds.map((cwd) => (cwd === undefined ? `${UNKNOWN}/${text}` : this.outside(clean(`${cwd}/${text}`), state))))];
  }

  read(text: string, call: Call, options: { recursive?: boolean; shown?: boolean } = {}): void {
    for (const path of this.paths(text, call.state)) this.add({ kind: "read", path, shown: options.shown ?? true, ...(options.recursive ? { recursive: true } : {}) });
  }

  write(text: string, call: Call, how: "create" | "append" | "edit" | "copy" = "create", content?: Flow): void {
    this.writeIn(text, call.state, how, content);
  }

  remove(text: string, call: Call, options: { recursive: boolean; narrowed?: boolean; by?: string }): void {
    for (const path of this.paths(text, call.state)) this.add({ kind: "delete", path, recursive: options.recursive, by: options.by ?? call.program, ...(options.narrowed ? { narrowed: true } : {}) });
  }

  written(text: string, call: Call): Flow | undefined {
    for (const path of this.paths(text, call.state)) {
      const flow = call.state.files.get(path);
      if (flow) return flow;
    }
    return undefined;
  }

  network(url: string, sends = false): void {
    this.add({ kind: "network", url: readable(url), sends });
  }

  script(text: string, call: Call, options: { stdin?: Flow; same?: boolean; args?: readonly string[]; state?: ShellState } = {}): Flow {
    const state = options.state ?? (options.same ? call.state : fork(call.state));
    if (!options.same) state.functions = options.state ? state.functions : new Map(call.state.functions);
    if (options.args) state.positional = options.args;
    return this.nested(text, state, options.stdin ?? call.stdin);
  }

  run(argv: readonly string[], call: Call, stdin: Flow = call.stdin, state: ShellState = call.state): Flow {
    return this.execute(argv, state, stdin);
  }

  // ── Expander ──

  capture(script: ParsedScript | undefined, state: ShellState): Flow {
    if (!script) return UNSEEN;
    if (++this.nesting > 60 || this.exhausted()) {
      this.nesting--;
      this.overflow();
      return UNSEEN;
    }
    this.checkErrors(script);
    const flow = this.list(script.commands, fork(state), INHERITED);
    this.nesting--;
    if (flow.decoded) this.decodedWord = true;
    return flow;
  }

  process(part: WordPart & { type: "ProcessSubstitution" }, state: ShellState): string {
    const path = `/dev/fd/${63 + this.processes++}`;
    const script = part.script;
    if (!script) return path;
    this.checkErrors(script);
    if (part.operator === "<") state.files.set(path, { ...this.list(script.commands, fork(state), INHERITED), from: "pipe" });
    else this.list(script.commands, fork(state), UNSEEN);
    return path;
  }

  sweep(node: SyntaxNode, state: ShellState): void {
    if (node.type === "CommandExpansion" || node.type === "ArithmeticCommandExpansion") this.capture(node.script, state);
    else if (node.type === "ProcessSubstitution") this.process(node, state);
    else this.bash.forEachChild(node, (child) => this.sweep(child, state));
  }

  parseWord(text: string): Word | undefined {
    const first = this.bash.parse(`: ${text}`).commands[0]?.command;
    const word = first?.type === "Command" ? first.suffix[0] : undefined;
    return word?.type === "Word" ? word : undefined;
  }

  overflow(): void {
    this.harm("parser-limit", "more than the analysis follows");
  }

  // ── Structure ──

  list(statements: readonly Statement[], state: ShellState, stdin: Flow): Flow {
    let out = NOTHING;
    for (const statement of statements) {
      if (this.exhausted()) {
        this.overflow();
        return UNSEEN;
      }
      if (statement.background) {
        this.background++;
        this.node(statement.command, fork(state), stdin);
        this.background--;
        out = UNSEEN;
      } else out = join(out, this.node(statement.command, state, stdin));
    }
    return out;
  }

  private node(node: PipelineNode | SyntaxNode, state: ShellState, stdin: Flow): Flow {
    if (++this.nesting > 120 || ++this.steps > MAX_STEPS) {
      this.nesting--;
      this.overflow();
      return UNSEEN;
    }
    try {
      return this.kind(node, state, stdin);
    } finally {
      this.nesting--;
    }
  }

  private kind(node: PipelineNode | SyntaxNode, state: ShellState, stdin: Flow): Flow {
    switch (node.type) {
      case "Command":
        return this.simple(node, state, stdin);
      case "Pipeline": {
        if (node.commands.length === 1) return this.node(node.commands[0]!, state, stdin);
        const own = this.running.at(-1)?.name;
        if (own && node.commands.filter((command) => command.type === "Command" && command.name?.value === own).length > 1) this.add({ kind: "fork bomb" });
        return node.commands.reduce<Flow>((flow, command, index) => {
          const next = this.node(command, fork(state), flow);
          return index < node.commands.length - 1 ? { ...next, from: "pipe" } : next;
        }, stdin);
      }
      case "AndOr": {
        let out = this.node(node.commands[0]!, state, stdin);
        // Within the chain a later command runs only if the earlier ones did; after it, either may be true.
        const maybe = new Set<string | undefined>();
        for (let i = 1; i < node.commands.length; i++) {
          const command = node.commands[i]!;
          const before = fork(state);
          out = join(out, this.node(command, state, stdin));
          if (node.operators[i - 1] === "||") {
            if (leaves(command)) become(state, before);
            else merge(state, before);
          } else if (!surelySucceeds(node.commands[i - 1]!)) {
            keepVariables(state, before);
            if (before.cwds !== state.cwds) for (const cwd of before.cwds) maybe.add(cwd);
          }
        }
        if (maybe.size > 0) state.cwds = [...new Set([...state.cwds, ...maybe])].slice(0, 6);
        return out;
      }
      case "If": {
        let out = this.list(node.clause.commands, state, stdin);
        const branches = [node.then, ...node.elif.map((elif) => elif.then), node.else];
        const before = fork(state);
        node.elif.forEach((elif) => this.list(elif.clause.commands, fork(before), stdin));
        branches.forEach((branch, index) => {
          const inside = fork(before);
          if (branch) out = join(out, this.list(branch.commands, inside, stdin));
          if (branch && leavesList(branch)) return;
          if (index === 0) become(state, inside);
          else merge(state, inside);
        });
        return out;
      }
      case "For":
      case "Select": {
        const items = node.wordlist ? node.wordlist.flatMap((word) => expandWord(word, state, this)) : (state.positional ?? [UNKNOWN + MANY]);
        const before = fork(state);
        let out = NOTHING;
        const values: string[] = items.length > MAX_LOOP ? [...items.slice(0, MAX_LOOP - 1), UNKNOWN] : [...items];
        if (items.length > MAX_LOOP) for (const item of items.slice(MAX_LOOP - 1)) if (item.startsWith("/") && item.length < 20) values.push(item);
        for (const value of values) {
          if (this.exhausted()) break;
          state.variables.set(node.name.value, value === UNKNOWN + MANY || value === COMPUTED + MANY ? COMPUTED : value);
          out = join(out, this.list(node.body.commands, state, stdin));
        }
        merge(state, before);
        return out;
      }
      case "While": {
        const before = fork(state);
        let out = NOTHING;
        for (let pass = 0; pass < 2 && !this.exhausted(); pass++) {
          this.list(node.clause.commands, state, stdin);
          out = join(out, this.list(node.body.commands, state, stdin));
        }
        merge(state, before);
        return derivedOr(out, stdin);
      }
      case "ArithmeticFor":
        for (const expression of [node.initialize, node.test, node.update]) if (expression) arithmetic(expression, state, this);
        this.list(node.body.commands, state, stdin);
        return this.list(node.body.commands, state, stdin);
      case "Case": {
        expandText(node.word, state, this);
        const before = fork(state);
        let out = NOTHING;
        for (const item of node.items) {
          const inside = fork(before);
          for (const pattern of item.pattern) expandText(pattern, inside, this);
          out = join(out, this.list(item.body.commands, inside, stdin));
          if (!leavesList(item.body)) merge(state, inside);
        }
        return node.items.length > 1 && out.text ? UNSEEN : out;
      }
      case "Subshell":
        return this.list(node.body.commands, fork(state), stdin);
      case "BraceGroup":
        return this.list(node.body.commands, state, stdin);
      case "CompoundList":
        return this.list(node.commands, state, stdin);
      case "Coproc":
        return this.node(node.body, fork(state), UNSEEN);
      case "Function":
        state.functions.set(node.name.value, node);
        this.defined.add(node);
        return NOTHING;
      case "Redirected":
        return this.redirected(node.redirects, state, stdin, (input) => this.node(node.command, state, input));
      case "TestCommand":
        this.test(node.expression, state);
        return NOTHING;
      case "ArithmeticCommand":
        if (node.expression) arithmetic(node.expression, state, this);
        return NOTHING;
      default:
        this.sweep(node, state);
        return UNSEEN;
    }
  }

  private test(expression: TestExpression, state: ShellState): void {
    switch (expression.type) {
      case "TestUnary":
        expandText(expression.operand, state, this);
        return;
      case "TestBinary":
        expandText(expression.left, state, this);
        expandText(expression.right, state, this);
        return;
      case "TestLogical":
        for (const operand of expression.operands) this.test(operand, state);
        return;
      case "TestNot":
        this.test(expression.operand, state);
        return;
      case "TestGroup":
        this.test(expression.expression, state);
    }
  }

  // ── Commands ──

  private simple(node: Command, state: ShellState, stdin: Flow): Flow {
    this.decodedWord = false;
    const words: string[] = node.name ? [...expandWord(node.name, state, this)] : [];
    const decoded = this.decodedWord;
    for (const argument of node.args) {
      if (argument.type === "Assignment") words.push(...this.assignmentArgument(argument, state, words[0] ?? ""));
      else words.push(...expandWord(argument, state, this));
    }
    for (let i = 0; i < words.length; i++) if (words[i]!.length > MAX_TEXT) words[i] = this.bounded(words[i]!);
    if (words.length > 4000) {
      this.overflow();
      words.length = 4000;
    }
    const assignments = node.prefix.filter((item): item is Assignment => item.type === "Assignment");
    const target = words.length === 0 ? state : { ...state, variables: new Map(state.variables) };
    if (words.length === 0) for (const assignment of assignments) this.assign(assignment, state);
    else for (const assignment of assignments) judgeEnvironment(assignment.name, this.assignedText(assignment, state), { program: words[0]!, args: words.slice(1), stdin, state, by: this });
    if (words.length === 0) for (const assignment of assignments) judgeEnvironment(assignment.name, String(state.variables.get(assignment.name) ?? ""), { program: "", args: [], stdin, state, by: this });
    if (words.length > 0 && decoded) this.harm("decoded-shell", `the command's name comes out of a decoder: ${words[0]!}`);
    return this.redirected(node.redirects, state, stdin, (input) => {
      if (words.length === 0) return NOTHING;
      const flow = this.execute(words, assignments.length > 0 ? this.withPrefix(target, assignments) : state, input);
      if (assignments.length > 0) state.cwds = target.cwds;
      return flow;
    });
  }

  private withPrefix(target: ShellState, assignments: readonly Assignment[]): ShellState {
    for (const assignment of assignments) this.assign(assignment, target);
    return target;
  }

  private assign(assignment: Assignment, state: ShellState): void {
    if (assignment.index) {
      expandText(assignment.index, state, this);
      this.assignedText(assignment, state);
      state.variables.set(assignment.name, UNKNOWN);
      return;
    }
    const value = assignment.value;
    if (value.type === "ArrayValue") {
      const items = value.elements.flatMap((element) => expandWord(element, state, this));
      const old = state.variables.get(assignment.name);
      const all = assignment.append && old !== undefined ? [...(typeof old === "string" ? [old] : old), ...items] : items;
      state.variables.set(assignment.name, all.length > 1000 ? UNKNOWN : all);
      return;
    }
    const text = this.assignedText(assignment, state);
    const old = state.variables.get(assignment.name);
    state.variables.set(assignment.name, this.bounded(assignment.append ? `${typeof old === "string" ? old : UNKNOWN}${text}` : text));
  }

  /** A text that doubles itself is not followed for ever. */
  private bounded(text: string): string {
    if (text.length <= MAX_TEXT) return text.length > 1 && text[0] === UNKNOWN && text[1] === UNKNOWN ? UNKNOWN : text;
    this.overflow();
    return UNKNOWN;
  }

  private assignedText(assignment: Assignment, state: ShellState): string {
    const value = assignment.value;
    if (value.type === "Word") return this.bounded(expandText(value, state, this));
    for (const element of value.elements) expandWord(element, state, this);
    return UNKNOWN;
  }

  /** `export X=1`, `declare -a y=(…)`: the shell's own declarations set variables, for others it is a word. */
  private assignmentArgument(assignment: Assignment, state: ShellState, program: string): readonly string[] {
    if (["export", "declare", "typeset", "local", "readonly", "alias"].includes(program)) {
      if (program !== "alias") this.assign(assignment, state);
      const value = this.assignedText(assignment, state);
      if (program !== "alias") judgeEnvironment(assignment.name, value, { program: "", args: [], stdin: INHERITED, state, by: this });
      return [`${assignment.name}=${value}`];
    }
    return [`${assignment.name}${assignment.append ? "+" : ""}=${this.assignedText(assignment, state)}`];
  }

  private redirected(redirects: readonly Redirection[], state: ShellState, stdin: Flow, body: (stdin: Flow) => Flow): Flow {
    if (redirects.length === 0) return body(stdin);
    let input = stdin;
    const outputs: string[] = [];
    let output = false;
    for (const redirect of redirects) {
      const fd = redirect.descriptor?.type === "FileDescriptor" ? redirect.descriptor.value : undefined;
      if (redirect.type === "HereDoc") {
        const text = redirect.delimiter?.quoted || !redirect.body.parts ? redirect.body.text : expandParts(redirect.body.parts, state, this);
        if (fd === undefined || fd === 0) input = literal(redirect.operator === "<<-" ? text.replace(/^\t+/gm, "") : text);
        continue;
      }
      const target = redirect.target ? expandText(redirect.target, state, this) : "";
      if (redirect.type === "HereString") {
        if (fd === undefined || fd === 0) input = literal(`${target}\n`);
        continue;
      }
      const duplicate = redirect.operator.endsWith("&") && /^(\d+-?|-)$/.test(target);
      if (duplicate) continue;
      if (/^\/dev\/(tcp|udp)\//.test(target)) {
        this.harm("reverse-shell", `connects a shell to ${target}`);
        this.network(target, true);
        input = { text: undefined, remote: true, from: "pipe" };
        continue;
      }
      if (redirect.operator === "<" || redirect.operator === "<&") {
        for (const path of this.paths(target, state)) {
          const known = state.files.get(path);
          this.add({ kind: "read", path, shown: true });
          input = known ?? { text: undefined, from: "file" };
        }
        continue;
      }
      const appends = redirect.operator.includes(">>");
      if (fd === undefined || fd === 1 || redirect.operator.startsWith("&")) {
        output = true;
        outputs.push(target);
      }
      this.writeIn(target, state, appends ? "append" : "create");
    }
    const flow = body(input);
    for (const target of outputs) for (const path of this.paths(target, state)) state.files.set(path, flow);
    return output ? NOTHING : flow;
  }

  private writeIn(text: string, state: ShellState, how: "create" | "append" | "edit" | "copy", content?: Flow): void {
    for (const path of this.paths(text, state)) {
      if (content) state.files.set(path, content);
      if (HARMLESS_TARGETS.test(path)) continue;
      this.add({ kind: "write", path, how });
    }
  }

  private execute(argv: readonly string[], state: ShellState, stdin: Flow): Flow {
    if (++this.commands > MAX_COMMANDS) {
      this.overflow();
      return UNSEEN;
    }
    const word = argv[0];
    if (word === undefined) return NOTHING;
    this.lines.add(argv.map(readable).join(" "));
    const call = (program: string): Call => ({ program, args: argv.slice(1), stdin, state, by: this });
    if (hasMark(word)) return this.computed(word, argv, state, stdin);
    const alias = state.aliases.get(word);
    if (alias !== undefined) return this.alias(word, alias, argv.slice(1), state, stdin);
    const body = state.functions.get(word);
    if (body) return this.callFunction(body, argv.slice(1), state, stdin);
    if (word.includes("/")) {
      const own = this.written(word, call(word));
      if (own) return this.runWritten(word, own, call(word));
    }
    const name = posix.basename(word).replace(/\.(exe|com|cmd|bat)$/i, "");
    if (/[^\x00-\x7f]/.test(name) && looksLatin(name)) this.harm("deceptive", `the program's name "${name}" holds letters that look like others`);
    // Made to be evaluated by the shell that asked for it.
    if (printsSetup(name, argv)) {
      this.add({ kind: "execute", program: word, words: argv.slice(0, 8).map(readable) });
      return NOTHING;
    }
    const program = findProgram(name, this.platform);
    if (!program || (argv.length === 2 && (argv[1] === "--help" || argv[1] === "--version"))) return this.unknown(word, argv, call(name));
    return program(call(name)) ?? derived(stdin);
  }

  /** A program nothing is known of. Its file operands are looked at for secrets, since it may print them. */
  private unknown(word: string, argv: readonly string[], call: Call): Flow {
    this.add({ kind: "execute", program: word, words: argv.slice(0, 8).map((item) => readable(item).slice(0, 120)) });
    for (const arg of argv.slice(1, 60)) if (!arg.startsWith("-") && /[/.~]/.test(arg) && arg.length < 500) this.read(arg, call, { shown: true });
    return derived(call.stdin);
  }

  private computed(word: string, argv: readonly string[], state: ShellState, stdin: Flow): Flow {
    // `"$VENV/bin/pytest"`: only the directory is not known.
    const tail = /^[\uE000\uE005]\uE008?((?:\/[\w.+@-]+)+)$/.exec(word);
    if (tail) return this.execute([tail[1]!.replace(/^\//, ""), ...argv.slice(1)], state, stdin);
    if (word.includes(REMOTE)) this.harm("remote-run", `the command's text comes from the network: ${argv.join(" ")}`);
    else if (word.includes(DECODED)) this.harm("decoded-shell", `the command's text comes out of a decoder: ${argv.join(" ")}`);
    else this.harm("computed-command", `the command's name is computed: ${argv.join(" ")}`);
    if (hasGlob(word) && isKnown(word)) {
      const pattern = word.slice(word.lastIndexOf("/") + 1);
      const guesses = GUESSED_NAMES.filter((name) => mayBe(pattern, name));
      if (guesses.length < 6 || !pattern.startsWith(STAR)) for (const name of guesses) this.execute([name, ...argv.slice(1)], fork(state), stdin);
    }
    return UNSEEN;
  }

  private alias(name: string, text: string, rest: readonly string[], state: ShellState, stdin: Flow): Flow {
    const inside = fork(state);
    inside.aliases.delete(name);
    if (this.tooDeep(inside)) return UNSEEN;
    const script = this.bash.parse(text);
    const last = script.commands.at(-1)?.command;
    if (script.commands.length === 1 && last?.type === "Command") {
      const words = [last.name, ...last.suffix].flatMap((item) => (item?.type === "Word" ? expandWord(item, inside, this) : []));
      return this.execute([...words, ...rest], inside, stdin);
    }
    return this.list(script.commands, inside, stdin);
  }

  private callFunction(body: FunctionNode, args: readonly string[], state: ShellState, stdin: Flow): Flow {
    this.called.add(body);
    const name = body.name.value;
    const outer = this.running.find((entry) => entry.name === name);
    if (outer) {
      if (this.background > outer.background) this.add({ kind: "fork bomb" });
      return UNSEEN;
    }
    this.running.push({ name, background: this.background });
    const saved = state.positional;
    state.positional = args.length > 0 || this.running.length > 1 ? args : saved;
    const flow = this.node(body.body, state, stdin);
    state.positional = saved;
    this.running.pop();
    return flow;
  }

  /** Runs a file that this very script has written or fetched. */
  private runWritten(word: string, content: Flow, call: Call): Flow {
    if (content.remote) this.harm("remote-run", `runs ${word}, which came from the network`);
    else if (content.decoded) this.harm("decoded-shell", `runs ${word}, which came out of a decoder`);
    if (content.text === undefined) {
      this.add({ kind: "execute", program: word, words: [word] });
      return UNSEEN;
    }
    const shebang = /^#!\s*(\S+)(?:[ \t]+(\S+))?/.exec(content.text);
    const interpreter = shebang && posix.basename(shebang[1]!) === "env" ? (shebang[2] ?? "sh") : shebang ? posix.basename(shebang[1]!) : "sh";
    return this.execute([interpreter, word, ...call.args], call.state, call.stdin);
  }

  private nested(text: string, state: ShellState, stdin: Flow): Flow {
    if (this.tooDeep(state)) return UNSEEN;
    if (text.includes(REMOTE)) this.harm("remote-shell", "a shell runs text that came from the network");
    else if (text.includes(DECODED)) this.harm("decoded-shell", "a shell runs text that came out of a decoder");
    else if (text.includes(COMPUTED)) this.harm("computed-command", "a shell runs text that another command prints");
    const inner: ShellState = state;
    inner.depth++;
    if (text.length > 60_000) this.overflow();
    const script = this.bash.parse(quietGlobs(text).slice(0, 60_000));
    this.checkErrors(script);
    const flow = this.list(script.commands, inner, stdin);
    inner.depth--;
    return flow;
  }

  private tooDeep(state: ShellState): boolean {
    if (state.depth < MAX_DEPTH) return false;
    this.harm("too-deep", `more than ${MAX_DEPTH} interpreters inside each other`);
    return true;
  }

  private checkErrors(script: Script & { errors?: ParsedScript["errors"] }): void {
    if (script.errors && script.errors.length > 0) this.harm("malformed", `not valid shell text: ${script.errors[0]!.message}`);
  }

  private outside(path: string, state: ShellState): string {
    for (const mount of state.mounts ?? []) {
      if (path === mount.inside || path.startsWith(mount.inside === "/" ? "/" : `${mount.inside}/`)) return clean(`${mount.outside}/${path.slice(mount.inside.length)}`);
    }
    return state.mounts ? `${UNKNOWN}container:${path}` : path;
  }
}

function clean(path: string): string {
  const normal = posix.normalize(path.replaceAll(MANY, "")).replace(/^\/\/+/, "/");
  return normal.length > 1 && normal.endsWith("/") ? normal.slice(0, -1) : normal;
}

const HARMLESS_TARGETS = /^\/dev\/(null|zero|stdout|stderr|stdin|tty|fd\/\d+)$/;

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

/** What a conditional command assigned may not have been assigned. The directory is kept: the commands after it ran only if it did. */
function keepVariables(state: ShellState, before: ShellState): void {
  for (const [name, value] of before.variables) {
    const now = state.variables.get(name);
    if (now !== undefined && now !== value && typeof now === "string" && name !== "PWD") state.variables.set(name, UNKNOWN);
  }
}

function derivedOr(out: Flow, stdin: Flow): Flow {
  return out.text === "" ? out : { ...out, text: undefined, remote: out.remote || stdin.remote, decoded: out.decoded || stdin.decoded, secret: out.secret ?? stdin.secret };
}

/** Letters of another script beside Latin ones, or fullwidth Latin: a name made to be misread. */
function looksLatin(name: string): boolean {
  return /[\p{Script=Cyrillic}\p{Script=Greek}\uFF01-\uFF5E\p{Script=Armenian}\p{Script=Cherokee}\u0131\u{1D400}-\u{1D7FF}]/u.test(name) || /\p{M}/u.test(name.normalize("NFD").replace(/[a-z]\u0308|[a-z]\u0301/gi, ""));
}

