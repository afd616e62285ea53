import type { Call } from "./call.ts";
import { type Argument, readArguments, remember } from "./code-arguments.ts";
import { type Token, tokenize } from "./code-tokens.ts";
import { hasMark, isKnown, UNKNOWN } from "./marks.ts";

/** What a call in a program text does with its arguments. */
type Act = "shell" | "argv" | "words" | "delete-tree" | "delete" | "open" | "write" | "read" | "dynamic" | "kill" | "fork" | "environment" | "network" | "mode" | "move";

/** By the last part of the name that is called, and the parts that must stand before it (empty: anything). */
const CALLS: Readonly<Record<string, readonly (readonly [prefix: RegExp | undefined, act: Act])[]>> = {
  system: [[/^(os|posix|Kernel|IO|php|require)?$/, "shell"]],
  popen: [[undefined, "shell"]], popen2: [[undefined, "shell"]], popen3: [[undefined, "shell"]], getoutput: [[undefined, "shell"]], getstatusoutput: [[undefined, "shell"]], create_subprocess_shell: [[undefined, "shell"]], shell_exec: [[undefined, "shell"]], passthru: [[undefined, "shell"]], proc_open: [[undefined, "shell"]], execSync: [[undefined, "shell"]], sh: [[/^Kernel$/, "shell"]], qx: [[undefined, "shell"]], capture2: [[undefined, "shell"]], capture3: [[undefined, "shell"]], capture2e: [[undefined, "shell"]], popen2e: [[undefined, "shell"]],
  exec: [[/^(|child_process|cp|Kernel|proc|process|childProcess|require)$/, "shell"], [/^(re|.*regex|.*pattern)$/i, "network"]],
  run: [[/^(subprocess|sp|sub)$/, "argv"], [/^(vm)$/, "dynamic"]], call: [[/^(subprocess|sp)$/, "argv"]], check_call: [[undefined, "argv"]], check_output: [[undefined, "argv"]], Popen: [[undefined, "argv"]], create_subprocess_exec: [[undefined, "words"]],
  spawn: [[undefined, "words"]], spawnSync: [[undefined, "words"]], execFile: [[undefined, "words"]], execFileSync: [[undefined, "words"]], execv: [[undefined, "words"]], execvp: [[undefined, "words"]], execl: [[undefined, "words"]], execlp: [[undefined, "words"]], execve: [[undefined, "words"]], spawnl: [[undefined, "words"]], spawnlp: [[undefined, "words"]], spawnv: [[undefined, "words"]], posix_spawn: [[undefined, "words"]], fork_exec: [[undefined, "words"]], Command: [[/^(Deno|)$/, "words"]],
  rmtree: [[undefined, "delete-tree"]], rm_rf: [[undefined, "delete-tree"]], rm_r: [[undefined, "delete-tree"]], remove_entry_secure: [[undefined, "delete-tree"]], remove_dir: [[undefined, "delete-tree"]], rimraf: [[undefined, "delete-tree"]], rimrafSync: [[undefined, "delete-tree"]], removeSync: [[undefined, "delete-tree"]], emptyDirSync: [[undefined, "delete-tree"]], remove_tree: [[undefined, "delete-tree"]], rmSync: [[undefined, "delete-tree"]], rm: [[/^(fs|fsp|promises|FileUtils|fsPromises|Deno|)$/, "delete-tree"]], rmdirSync: [[undefined, "delete-tree"]], removedirs: [[undefined, "delete-tree"]],
  unlink: [[undefined, "delete"]], unlinkSync: [[undefined, "delete"]], remove: [[/^(os)$/, "delete"]],
  open: [[undefined, "open"]], file_put_contents: [[undefined, "write"]], writeFileSync: [[undefined, "write"]], writeFile: [[undefined, "write"]], appendFileSync: [[undefined, "write"]], appendFile: [[undefined, "write"]], createWriteStream: [[undefined, "write"]], write_text: [[undefined, "write"]], write: [[/^(File|IO)$/, "write"]], copyfile: [[undefined, "move"]], copyFileSync: [[undefined, "move"]], move: [[/^(shutil)$/, "move"]], rename: [[undefined, "move"]], renameSync: [[undefined, "move"]], symlink: [[undefined, "move"]],
  readFileSync: [[undefined, "read"]], readFile: [[undefined, "read"]], file_get_contents: [[undefined, "read"]], readfile: [[undefined, "read"]], read: [[/^(File|IO)$/, "read"]], Path: [[undefined, "read"]],
  eval: [[undefined, "dynamic"]], compile: [[/^$/, "dynamic"]], __import__: [[undefined, "dynamic"]], getattr: [[undefined, "dynamic"]], import_module: [[undefined, "dynamic"]], Function: [[undefined, "dynamic"]], instance_eval: [[undefined, "dynamic"]], class_eval: [[undefined, "dynamic"]], assert: [[/^php$/, "dynamic"]], create_function: [[undefined, "dynamic"]], call_user_func: [[undefined, "dynamic"]], runInThisContext: [[undefined, "dynamic"]], runInNewContext: [[undefined, "dynamic"]], loads: [[/^(pickle|marshal|dill|cloudpickle)$/, "dynamic"]], public_send: [[undefined, "dynamic"]], __send__: [[undefined, "dynamic"]], binding: [[/^process$/, "dynamic"]], dlopen: [[undefined, "dynamic"]], CDLL: [[undefined, "dynamic"]], syscall: [[undefined, "dynamic"]], methodcaller: [[undefined, "dynamic"]],
  kill: [[/^(os|process|Process|)$/, "kill"]], killpg: [[undefined, "kill"]], fork: [[/^(os|Process|posix|)$/, "fork"]], pcntl_fork: [[undefined, "fork"]],
  chmod: [[undefined, "mode"]], chmodSync: [[undefined, "mode"]],
  urlopen: [[undefined, "network"]], urlretrieve: [[undefined, "network"]], fetch: [[undefined, "network"]], fsockopen: [[undefined, "network"]], create_connection: [[undefined, "network"]], socket: [[undefined, "network"]], connect: [[undefined, "network"]], createConnection: [[undefined, "network"]],
};

/** Finds what a text in python, node, perl, ruby, php, awk or lua would do to the system. Text in strings and comments is data. */
export function judgeCode(language: "python" | "javascript" | "perl" | "ruby" | "php" | "awk" | "lua" | "other", source: string, call: Call): void {
  if (hasMark(source) && !isKnown(source)) {
    const remote = source.includes("\uE001");
    if (remote || source.includes("\uE002") || source.includes("\uE004")) call.by.harm(remote ? "remote-shell" : source.includes("\uE002") ? "decoded-shell" : "code-runs", `${call.program} runs text that is not shown`);
  }
  call.state.budget.spend(20 + source.length / 4);
  const tokens = tokenize(source.slice(0, 60_000), language);
  const names = new Set(tokens.filter((token) => token.kind === "name").map((token) => token.text));
  const variables = new Map<string, string>();
  let shells = 0;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token.kind === "command") {
      shells++;
      call.by.script(token.text, call);
      continue;
    }
    if (token.kind !== "name") continue;
    const next = tokens[i + 1];
    if (next?.text === "=" && tokens[i + 2]?.text !== "=") remember(token.text, tokens, i + 2, variables);
    judgeEnvironmentUse(tokens, i, call);
    if (language === "awk") {
      shells += judgeAwk(tokens, i, variables, call);
      continue;
    }
    const called = next?.text === "(" || ((language === "perl" || language === "ruby") && (next?.kind === "string" || next?.text === "[" || next?.kind === "name"));
    const acts = CALLS[token.text];
    if (!acts || !called || !Object.hasOwn(CALLS, token.text)) continue;
    const before = tokens[i - 1]?.text;
    const prefix = before === "." || before === "::" || before === "->" ? (tokens[i - 2]?.kind === "name" ? tokens[i - 2]!.text : tokens[i - 2]?.text === ")" ? "require" : "?") : "";
    if (before === "def" || before === "function" || before === "sub" || (before === "import" && token.text !== "__import__")) continue;
    let act = acts.find(([wanted]) => wanted === undefined || wanted.test(prefix))?.[1];
    if (token.text === "exec" && prefix === "" && language === "python") act = "dynamic";
    if (token.text === "open" && prefix !== "" && !["io", "codecs", "File", "os", "?", "fs", "webbrowser"].includes(prefix)) act = undefined;
    if (token.text === "open" && prefix === "webbrowser") act = "network";
    if (act === undefined) continue;
    if (["shell", "argv", "words"].includes(act)) shells++;
    perform(act, token.text, readArguments(tokens, next!.text === "(" ? i + 2 : i + 1, variables, call.state.budget), names, language, call);
  }
  const sockets = ["socket", "fsockopen", "TCPSocket", "create_connection", "createConnection", "Socket", "IO::Socket", "net"].some((name) => names.has(name));
  if (sockets && (shells > 0 || names.has("dup2") || names.has("pty") || names.has("STDIN"))) call.by.harm("reverse-shell", `${call.program} connects a shell to the network`);
  if ((names.has("while") || names.has("for") || names.has("loop")) && tokens.some((token, i) => token.text === "fork" && ["os", "", "Process", "posix"].includes(tokens[i - 1]?.text === "." ? tokens[i - 2]!.text : "")) && !names.has("range") && !names.has("wait")) call.by.add({ kind: "fork bomb" });
  if (["b64decode", "atob", "decode64", "base64_decode", "unhexlify", "decode_base64"].some((name) => names.has(name)) && (shells > 0 || names.has("exec") || names.has("eval"))) call.by.harm("decoded-shell", `${call.program} runs decoded text`);
}

function perform(act: Act, name: string, args: readonly Argument[], names: ReadonlySet<string>, language: string, call: Call): void {
  const first = args[0];
  const text = first?.text;
  const unclear = (): void => call.by.harm("code-runs", `${call.program}: ${name}(…) with arguments that are not written out`);
  switch (act) {
    case "shell":
      if (first?.items) call.by.run(first.items, call);
      else if (text === undefined) unclear();
      else if (args.length > 1 && args.every((arg) => arg.text !== undefined) && language !== "javascript" && language !== "python") call.by.run(args.map((arg) => arg.text!), call);
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
      const words = name.startsWith("exec") && !name.startsWith("execFile") && rest[0] !== undefined && base(rest[0]) === base(text) ? rest.slice(1) : rest;
      if (names.has("shell") && args.some((arg) => arg.object)) call.by.script([text, ...words].join(" "), call);
      else call.by.run([text, ...words], call);
      return;
    }
    case "delete-tree":
      call.by.remove(text ?? first?.items?.[0] ?? UNKNOWN, call, { recursive: name === "rmSync" || name === "rm" ? names.has("recursive") || language === "ruby" : true, by: `${call.program} ${name}` });
      for (const item of first?.items?.slice(1) ?? []) call.by.remove(item, call, { recursive: true, by: `${call.program} ${name}` });
      return;
    case "delete":
      if (text !== undefined) call.by.remove(text, call, { recursive: false, by: `${call.program} ${name}` });
      else if (names.has("walk") || names.has("glob") || names.has("rglob") || names.has("find")) call.by.harm("recursive-delete", `${call.program}: ${name} of many files`);
      return;
    case "open": {
      const mode = args.slice(1).find((arg) => arg.text !== undefined && /^[<>+rwaxbt|-]+$/.test(arg.text.trim()))?.text ?? "r";
      if (language === "perl" || language === "ruby") {
        const piped = args.map((arg) => arg.text ?? "").find((item) => /^\s*\|/.test(item) || /\|\s*$/.test(item));
        if (piped !== undefined) {
          call.by.script(piped.replace(/^\s*\|-?|-?\|\s*$/g, "") || args.slice(2).map((arg) => arg.text ?? "").join(" "), call);
          return;
        }
        if (language === "perl") {
          const file = args.slice(1).map((arg) => arg.text).filter((item) => item !== undefined && !/^[+<>]+$/.test(item)).at(-1);
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
      for (const arg of args) if (arg.raw !== undefined && /^0?o?[0-7]{3,4}$/.test(arg.raw)) {
        const bits = Number.parseInt(arg.raw.replace("o", ""), 8);
        for (const path of call.by.paths(args.find((other) => other.text !== undefined)?.text ?? UNKNOWN, call.state)) call.by.add({ kind: "mode", path, recursive: false, mode: arg.raw, worldWritable: (bits & 2) !== 0, setId: (bits & 0o6000) !== 0 });
      }
      return;
    case "dynamic":
      if ((name === "eval" || name === "exec") && text !== undefined && text.length < 10_000) judgeCode(language as "python", text, call);
      else if (name === "getattr" && args[1]?.text !== undefined && !/^(system|popen|rmtree|exec|spawn|call|run|Popen|remove|unlink)/.test(args[1].text) && !names.has("os") && !names.has("subprocess") && !names.has("shutil")) return;
      else if ((name === "__import__" || name === "import_module") && text !== undefined && !["os", "subprocess", "shutil", "pty", "ctypes"].includes(text)) return;
      else call.by.harm("code-runs", `${call.program}: ${name}(…) runs code that is made while it runs`);
      return;
    case "kill": {
      const target = args.map((arg) => arg.raw ?? arg.text ?? "").join(",");
      if (/(^|,)-1(,|$)/.test(target)) call.by.add({ kind: "signal", target: "-1", everything: true, force: true, byName: false });
      else call.by.add({ kind: "signal", target, everything: false, force: /9|KILL/.test(target), byName: false });
      return;
    }
    case "fork":
    case "environment":
      return;
    case "network":
      if (text !== undefined) call.by.network(text);
      else call.by.network("");
  }
}

function judgeEnvironmentUse(tokens: readonly Token[], i: number, call: Call): void {
  const name = tokens[i]!.text;
  const whole = (name === "environ" && tokens[i - 2]?.text === "os") || (name === "env" && tokens[i - 2]?.text === "process") || name === "ENV" || name === "ENVIRON" || name === "getenv" || name === "environ";
  if (!whole) return;
  const next = tokens[i + 1]?.text;
  const key = next === "[" || next === "(" || next === "{" ? tokens[i + 2] : next === "." ? (tokens[i + 2]?.text === "get" ? tokens[i + 4] : tokens[i + 2]) : undefined;
  const keyed = key?.kind === "string" || (next === "." && key?.kind === "name" && !["items", "values", "copy", "to_h", "keys"].includes(key.text)) || (next === "{" && key?.kind === "name") || (next === "[" && key !== undefined);
  if (!keyed && next !== "=" && tokens[i - 1]?.text !== "import" && name !== "getenv") call.by.harm("environment-read", `${call.program} reads the whole environment`);
  else if (key !== undefined && /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL)/.test(key.text)) call.by.harm("environment-read", `${call.program} reads ${key.text}`);
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
