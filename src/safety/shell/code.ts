import type { HarmId } from "../harms.ts";
import type { Call } from "./call.ts";
import { type Argument, readArguments, remember } from "./code-arguments.ts";
import { type Act, actOf, STARTS } from "./code-calls.ts";
import { judgeStrings } from "./code-strings.ts";
import { aliasesOf, foldPaths } from "./code-fold.ts";
import { MAX_TOKENS, type Token, tokenize } from "./code-tokens.ts";
import { UNSEEN } from "./effect.ts";
import { COMPUTED, DECODED, hasMark, isKnown, REMOTE, UNKNOWN } from "./marks.ts";
import { judgeSql } from "./sql.ts";

export type Language = "python" | "javascript" | "perl" | "ruby" | "php" | "awk" | "lua" | "other";

const MAX_SOURCE = 60_000;

/** Finds what a text in python, node, perl, ruby, php, awk or lua would do to the system. Text in strings and comments is data. */
export function judgeCode(language: Language, source: string, call: Call): void {
  sayUnseen(source, call);
  call.state.budget.spend(20 + source.length / 4);
  const words = tokenize(source.slice(0, MAX_SOURCE), language);
  if (source.length > MAX_SOURCE || words.length > MAX_TOKENS)
    call.by.harm("parser-limit", `${call.program} runs a program longer than the analysis follows`);
  const tokens = foldPaths(words, call.by.home);
  const names = namesIn(tokens);
  const aliases = aliasesOf(tokens);
  const variables = new Map<string, string>();
  let shells = 0;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token.kind === "command") {
      shells++;
      call.by.script(token.text, call);
      continue;
    }
    if (token.text === "]" && tokens[i + 1]?.text === "(") judgeComputedMember(tokens, i, call);
    if (token.kind === "string") judgePlace(token.text, call);
    if (token.kind !== "name") continue;
    const next = tokens[i + 1];
    if (next?.text === "=" && tokens[i + 2]?.text !== "=") remember(token.text, tokens, i + 2, variables);
    judgeEnvironmentUse(tokens, i, call);
    if (language === "awk") {
      shells += judgeAwk(tokens, i, variables, call);
      continue;
    }
    const act = actAt(tokens, i, language, language === "php" ? new Map([...aliases, ...variables]) : aliases);
    if (act === undefined || next === undefined) continue;
    if (STARTS.has(act)) shells++;
    const name = aliases.get(token.text) ?? token.text;
    // `File("d").deleteRecursively()`: what is deleted stands in front.
    const bare = tokens[i + 2]?.text === ")" || tokens[i + 2]?.text === "recursive";
    const owner = bare && (act === "delete-tree" || act === "delete") ? (tokens[i - 1]?.text === "." && tokens[i - 2]?.text === ")" && tokens[i - 3]?.kind === "string" ? tokens[i - 3]!.text : undefined) : undefined;
    if (owner !== undefined && (act === "delete-tree" || names.has("recursive"))) {
      call.by.remove(owner, call, { recursive: true, by: `${call.program} ${name}` });
      continue;
    }
    perform(act, name, readArguments(tokens, next.text === "(" ? i + 2 : i + 1, variables, call.state.budget), names, language, call);
  }
  if (language === "other") judgeStrings(tokens, call);
  judgeWhole(tokens, names, shells, call);
}

function sayUnseen(source: string, call: Call): void {
  if (!hasMark(source) || isKnown(source)) return;
  const say = (harm: HarmId): void => call.by.harm(harm, `${call.program} runs text that is not shown`);
  if (source.includes(REMOTE)) say("remote-shell");
  else if (source.includes(DECODED)) say("decoded-shell");
  else if (source.includes(COMPUTED)) say("code-runs");
}

/** Every name, and the modules that are asked for by a text. */
function namesIn(tokens: readonly Token[]): ReadonlySet<string> {
  const names = new Set<string>();
  tokens.forEach((token, i) => {
    if (token.kind === "name") names.add(token.text);
    else if (
      token.kind === "string" &&
      /^(require|import|from)$/.test(tokens[i - 1]?.text === "(" ? (tokens[i - 2]?.text ?? "") : (tokens[i - 1]?.text ?? ""))
    )
      names.add(token.text.replace(/^node:/, ""));
  });
  return names;
}

/** A place of the system or of a home that a program names: whatever it does there, it can be read. */
function judgePlace(text: string, call: Call): void {
  if (text.length < 300 && /^(~|\/)[^\n]*\/\.?\w/.test(text))
    call.by.read(text.replace(/^~(?=\/)/, call.by.home), call, { shown: !text.endsWith("/.env") });
}

/** What the call that begins at `i` does, if a call begins there. */
function actAt(tokens: readonly Token[], i: number, language: Language, aliases: ReadonlyMap<string, string>): Act | undefined {
  const next = tokens[i + 1];
  const text = aliases.get(tokens[i]!.text) ?? tokens[i]!.text;
  // Handed on to be called: `.then(eval)`.
  if (next?.text === ")" && tokens[i - 1]?.text === "(" && /^(eval|Function|execSync|system)$/.test(text)) return "dynamic";
  const bare = next?.kind === "string" || next?.text === "[" || next?.kind === "name" || next?.kind === "number" || next?.text === "-";
  const lisp = language === "other" && next?.kind === "string";
  if (next?.text !== "(" && !lisp && !((language === "perl" || language === "ruby") && bare)) return undefined;
  const before = tokens[i - 1]?.text;
  if (before === "def" || before === "function" || before === "sub" || (before === "import" && text !== "__import__")) return undefined;
  const owner = tokens[i - 2];
  const dotted = before === "." || before === "::" || before === "->";
  const prefix = !dotted
    ? ""
    : owner?.kind === "name"
      ? (aliases.get(owner.text) ?? owner.text)
      : owner?.text === ")"
        ? "require"
        : owner?.text === "]"
          ? (tokens[i - 3]?.text ?? "?")
          : "?";
  if (text === "exec" && (prefix === "" || prefix === "builtins" || prefix === "__builtins__") && language === "python") return "dynamic";
  if (text === "open" && prefix === "webbrowser") return "network";
  if (text === "open" && prefix !== "" && !["io", "codecs", "File", "os", "?", "fs"].includes(prefix)) return undefined;
  if (text === "load" && language !== "lua") return undefined;
  if (text === "execute" && language === "lua") return prefix === "os" ? "shell" : undefined;
  return actOf(text, prefix) ?? actOf(text, dotted && owner?.kind === "name" ? owner.text : prefix);
}

/** `x["ex" + "ec"](…)`: the name of what is called is put together. */
function judgeComputedMember(tokens: readonly Token[], close: number, call: Call): void {
  const open = tokens.findLastIndex((token, at) => at < close && token.text === "[");
  const inside = tokens.slice(open + 1, close);
  const text = inside
    .filter((token) => token.kind === "string")
    .map((token) => token.text)
    .join("");
  if (
    inside.some((token) => token.text === "+")
      ? inside.some((token) => token.kind === "string")
      : inside.length === 1 && (actOf(text, "") !== undefined || /^(system|execute|constructor|mainModule|__globals__)$/.test(text))
  ) {
    call.by.harm("code-runs", `${call.program} calls a function whose name is put together: ${text}`);
  }
}

const SOCKETS = ["socket", "fsockopen", "TCPSocket", "create_connection", "createConnection", "Socket", "IO::Socket", "net", "tls"];
const DECODERS = ["b64decode", "atob", "decode64", "base64_decode", "unhexlify", "decode_base64", "fromhex", "unpack1", "decompress"];

/** What several parts of a program mean together. */
function judgeWhole(tokens: readonly Token[], names: ReadonlySet<string>, shells: number, call: Call): void {
  const any = (list: readonly string[]): boolean => list.some((name) => names.has(name));
  if (any(SOCKETS) && (shells > 0 || any(["dup2", "pty", "STDIN"]))) call.by.harm("reverse-shell", `${call.program} connects a shell to the network`);
  if (any(["setuid", "setreuid", "setresuid"]) && shells > 0) call.by.harm("root-shell", `${call.program} runs a program as somebody else`);
  if (any(["while", "for", "loop"]) && tokens.some((_, i) => forks(tokens, i)) && !any(["range", "wait", ...SOCKETS])) call.by.add({ kind: "fork bomb" });
  if (any(["source", "include", "eval_string", "loadstring", "sys_source"]) && tokens.some((token) => token.kind === "string" && /^https?:\/\//.test(token.text)))
    call.by.harm("remote-run", `${call.program} runs code that came from the network`);
  if (any(DECODERS) && (shells > 0 || any(["exec", "eval"]))) call.by.harm("decoded-shell", `${call.program} runs decoded text`);
  if (
    names.has("array_map") &&
    tokens.some((token) => token.kind === "string" && /^(unlink|rmdir|system|exec|shell_exec|passthru)$/.test(token.text))
  )
    call.by.harm("code-runs", `${call.program} calls a function by its name in a text`);
}

function forks(tokens: readonly Token[], i: number): boolean {
  if (tokens[i]!.text !== "fork") return false;
  const owner = tokens[i - 1]?.text === "." ? tokens[i - 2]!.text : "";
  return ["os", "", "Process", "posix", ")"].includes(owner);
}

function perform(act: Act, name: string, args: readonly Argument[], names: ReadonlySet<string>, language: Language, call: Call): void {
  const first = args[0];
  const text = first?.text;
  const unclear = (): void => call.by.harm("code-runs", `${call.program}: ${name}(…) with arguments that are not written out`);
  switch (act) {
    case "shell":
      if (first?.items) call.by.run(first.items, call);
      else if (text === undefined) unclear();
      else if (args.length > 1 && args.every((arg) => arg.text !== undefined) && language !== "javascript" && language !== "python")
        call.by.run(
          args.map((arg) => arg.text!),
          call,
        );
      else call.by.script(text, call);
      return;
    case "argv":
      if (first?.items) call.by.run(first.items, call);
      else if (text !== undefined) call.by.script(text, call);
      else unclear();
      return;
    case "words": {
      if (first?.items) {
        call.by.run(first.items, call);
        return;
      }
      if (text === undefined) {
        unclear();
        return;
      }
      const rest = args.slice(1).flatMap((arg) => arg.items ?? (arg.text === undefined ? [] : [arg.text]));
      const opaque = args.slice(1, 2).some((arg) => arg.items === undefined && arg.text === undefined && !arg.object);
      if (opaque) unclear();
      // `execvp("rm", ["rm", "-rf"])` repeats the name.
      const words =
        name.startsWith("exec") && !name.startsWith("execFile") && rest[0] !== undefined && base(rest[0]) === base(text) ? rest.slice(1) : rest;
      if (names.has("shell") && args.some((arg) => arg.object)) call.by.script([text, ...words].join(" "), call);
      else call.by.run([text, ...words], call);
      return;
    }
    case "delete-tree":
      call.by.remove(text ?? first?.items?.[0] ?? UNKNOWN, call, {
        recursive: name === "rmSync" || name === "rm" || name === "unlink" ? names.has("recursive") || language === "ruby" : true,
        by: `${call.program} ${name}`,
      });
      for (const item of first?.items?.slice(1) ?? []) call.by.remove(item, call, { recursive: true, by: `${call.program} ${name}` });
      return;
    case "delete":
      // R: `unlink("x", recursive = TRUE)`.
      if (language === "other" && names.has("recursive")) perform("delete-tree", name, args, names, language, call);
      else if (text !== undefined) call.by.remove(text, call, { recursive: false, by: `${call.program} ${name}` });
      else if (names.has("walk") || names.has("glob") || names.has("rglob") || names.has("find"))
        call.by.harm("recursive-delete", `${call.program}: ${name} of many files`);
      return;
    case "open": {
      const mode = args.slice(1).find((arg) => arg.text !== undefined && /^[<>+rwaxbt|-]+$/.test(arg.text.trim()))?.text ?? "r";
      if (language === "perl" || language === "ruby") {
        const piped = args.map((arg) => arg.text ?? "").find((item) => /^\s*\|/.test(item) || /\|\s*$/.test(item));
        if (piped !== undefined) {
          call.by.script(
            piped.replace(/^\s*\|-?|-?\|\s*$/g, "") ||
              args
                .slice(2)
                .map((arg) => arg.text ?? "")
                .join(" "),
            call,
            { stdin: UNSEEN },
          );
          return;
        }
        if (language === "perl") {
          const file = args
            .slice(1)
            .map((arg) => arg.text)
            .filter((item) => item !== undefined && !/^[+<>]+$/.test(item))
            .at(-1);
          if (file === undefined) return;
          const target = file.replace(/^\s*[+<>]+\s*/, "");
          if (/>/.test(mode) || /^\s*\+?>/.test(file)) call.by.write(target, call);
          else call.by.read(target, call);
          return;
        }
      }
      if (text === undefined) return;
      if (/[wax+]/.test(mode)) call.by.write(text, call);
      else call.by.read(text, call);
      return;
    }
    case "write":
      if (text !== undefined) call.by.write(text, call);
      return;
    case "move":
      if (text !== undefined) call.by.read(text, call, { shown: false });
      if (args[1]?.text !== undefined) call.by.write(args[1].text, call);
      return;
    case "read":
      if (text !== undefined && (text.includes("/") || text.startsWith("."))) {
        if (names.has("write_text") || names.has("write_bytes") || names.has("touch")) call.by.write(text, call);
        else if (names.has("unlink") || names.has("rmdir")) call.by.remove(text, call, { recursive: false });
        call.by.read(text, call);
      }
      return;
    case "mode":
      for (const arg of args)
        if (arg.raw !== undefined && /^0?o?[0-7]{3,4}$/.test(arg.raw)) {
          const bits = Number.parseInt(arg.raw.replace("o", ""), 8);
          for (const path of call.by.paths(args.find((other) => other.text !== undefined)?.text ?? UNKNOWN, call.state))
            call.by.add({ kind: "mode", path, recursive: false, mode: arg.raw, worldWritable: (bits & 2) !== 0, setId: (bits & 0o6000) !== 0 });
        }
      return;
    case "dynamic":
      if ((name === "eval" || name === "exec") && text !== undefined && isKnown(text) && text.length < 10_000) judgeCode(language, text, call);
      else if (
        name === "getattr" &&
        args[1]?.text !== undefined &&
        !/^(system|popen|rmtree|exec|spawn|call|run|Popen|remove|unlink)/.test(args[1].text) &&
        !names.has("os") &&
        !names.has("subprocess") &&
        !names.has("shutil")
      )
        return;
      else if (
        (name === "__import__" || name === "import_module") &&
        text !== undefined &&
        !["os", "subprocess", "shutil", "pty", "ctypes"].includes(text)
      )
        return;
      else call.by.harm("code-runs", `${call.program}: ${name}(…) runs code that is made while it runs`);
      return;
    case "kill": {
      const target = args.map((arg) => arg.raw ?? arg.text ?? "").join(",");
      if (/(^|[,>])-1(,|$)/.test(target)) call.by.add({ kind: "signal", target: "-1", everything: true, force: true, byName: false });
      else call.by.add({ kind: "signal", target, everything: false, force: /9|KILL/.test(target), byName: false });
      return;
    }
    case "sql":
      if (text !== undefined && isKnown(text)) judgeSql(text, call);
      return;
    case "fork":
      return;
    case "network":
      if (text !== undefined) call.by.network(text);
      else call.by.network("");
  }
}

function judgeEnvironmentUse(tokens: readonly Token[], i: number, call: Call): void {
  const name = tokens[i]!.text;
  const whole =
    (name === "environ" && tokens[i - 2]?.text === "os") ||
    (name === "env" && tokens[i - 2]?.text === "process") ||
    name === "ENV" ||
    name === "ENVIRON" ||
    name === "getenv" ||
    name === "environ" ||
    name === "_ENV";
  if (!whole) return;
  const next = tokens[i + 1]?.text;
  const key =
    next === "[" || next === "(" || next === "{"
      ? tokens[i + 2]
      : next === "."
        ? tokens[i + 2]?.text === "get"
          ? tokens[i + 4]
          : tokens[i + 2]
        : undefined;
  const keyed =
    key?.kind === "string" ||
    (next === "." && key?.kind === "name" && !["items", "values", "copy", "to_h", "keys"].includes(key.text)) ||
    (next === "{" && key?.kind === "name") ||
    (next === "[" && key !== undefined);
  if (!keyed && next !== "=" && tokens[i - 1]?.text !== "import" && (name !== "getenv" || tokens[i + 2]?.text === ")"))
    call.by.harm("environment-read", `${call.program} reads the whole environment`);
  else if (key !== undefined && /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL)/.test(key.text))
    call.by.harm("environment-read", `${call.program} reads ${key.text}`);
}

function judgeAwk(tokens: readonly Token[], i: number, variables: ReadonlyMap<string, string>, call: Call): number {
  const token = tokens[i]!;
  if (token.text === "system" && tokens[i + 1]?.text === "(") {
    const argument = readArguments(tokens, i + 2, variables, call.state.budget)[0];
    if (argument?.text === undefined) call.by.harm("code-runs", "awk: system(…) with text that is not written out");
    else call.by.script(argument.text, call);
    return 1;
  }
  if (token.text === "getline" && tokens[i - 1]?.text === "|") {
    if (tokens[i - 2]?.kind === "string") call.by.script(tokens[i - 2]!.text, call);
    else call.by.harm("code-runs", "awk: runs a command that is not written out");
    return 1;
  }
  if (token.text === "print" || token.text === "printf") {
    for (let at = i + 1; at < tokens.length && ![";", "}"].includes(tokens[at]!.text); at++) {
      const next = tokens[at + 1];
      if (tokens[at]!.text === "|" && next?.text !== "getline" && next?.text !== "|") {
        if (next?.kind === "string") call.by.script(next.text, call, { stdin: { text: undefined, from: "pipe" } });
        else call.by.harm("code-runs", "awk: pipes to a command that is not written out");
        return 1;
      }
      if (tokens[at]!.text === ">" && next?.kind === "string") call.by.write(next.text, call);
    }
  }
  if (token.text === "inet") call.by.harm("reverse-shell", "awk opens a network connection");
  return 0;
}

function base(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
