import type { HarmId } from "../risk/harms.ts";
import type { Call } from "../evaluate/call.ts";
import { opensFiles, perform } from "./code-acts.ts";
import { readArguments, remember } from "./code-arguments.ts";
import { judgeAwk } from "./code-awk.ts";
import { type Act, actOf, STARTS } from "./code-calls.ts";
import { judgeComputedCall, judgeImport } from "./code-computed.ts";
import { judgeOwnPath } from "./code-own-paths.ts";
import { judgeStatements } from "./code-statements.ts";
import { judgeStrings } from "./code-strings.ts";
import { aliasesOf, foldPaths } from "./code-fold.ts";
import { judgeHandedOn } from "./code-callbacks.ts";
import { foldListings, judgeWalks } from "./code-listings.ts";
import { foldLiterals } from "./code-literals.ts";
import { type Language, MAX_TOKENS, type Token, tokenize } from "./code-tokens.ts";
import { loopRounds, unrollLists } from "./code-unroll.ts";
import { namesMetadata } from "../risk/metadata-hosts.ts";
import { COMPUTED, DECODED, hasMark, isKnown, REMOTE } from "../parse/marks.ts";

const MAX_SOURCE = 60_000;
/** No file has a longer name, and no host stands further back in an address. */
const MAX_PLACE = 4096;

/**
 * Finds what a text in python, node, perl, ruby, php, awk or lua would do to the system. Text in strings and comments
 * is data.
 */
export function judgeCode(language: Language, source: string, call: Call): void {
  sayUnseen(source, call);
  call.state.budget.spend(20 + source.length / 4);
  const words = tokenize(source.slice(0, MAX_SOURCE), language);
  if (source.length > MAX_SOURCE || words.length > MAX_TOKENS)
    call.by.harm("parser-limit", `${call.program} runs a program that is too long to analyse`);
  const tokens = foldPaths(words, call.by.home);
  judgeWalks(tokens, call);
  const names = namesIn(tokens);
  judgeTokens(tokens, names, language, call);
  if (language === "awk") return;
  // Judges the program again with its constant expressions evaluated.
  const unrolled = unrollLists(foldListings(tokens, call.by.home), language, call.state.budget);
  const worked = foldLiterals(unrolled, language, call.state.budget);
  const again = (text: readonly Token[]): void => {
    const folded = foldPaths(text, call.by.home);
    judgeTokens(folded, new Set([...names, ...namesIn(folded)]), language, call);
  };
  if (worked !== words) again(worked);
  for (const round of loopRounds(foldPaths(worked, call.by.home), language)) {
    call.state.budget.spend(20 + source.length / 4);
    again(foldLiterals(round, language, call.state.budget));
  }
}

function judgeTokens(tokens: readonly Token[], names: ReadonlySet<string>, language: Language, call: Call): void {
  const aliases = aliasesOf(tokens);
  const variables = new Map<string, string>();
  const around = { names, language, judge: (inner: string) => judgeCode(language, inner, call) };
  let shells = 0;
  let evaluated = false;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token.kind === "command") {
      shells++;
      call.by.script(token.text, call);
      continue;
    }
    judgeComputedCall(tokens, i, language, aliases, call);
    if (token.kind === "string") judgePlace(token.text, names, call);
    if (token.kind !== "name") continue;
    const next = tokens[i + 1];
    if (next?.text === "=" && tokens[i + 2]?.text !== "=") remember(token.text, tokens, i + 2, variables);
    else if (next !== undefined && GROWS.test(next.text + (next.text.endsWith("=") ? "" : (tokens[i + 2]?.text ?? ""))))
      variables.delete(token.text);
    judgeEnvironmentUse(tokens, i, call);
    if (language === "awk") {
      shells += judgeAwk(tokens, i, variables, call);
      continue;
    }
    if (language === "javascript")
      judgeImport(
        tokens,
        i,
        FETCHES.some((name) => names.has(name)),
        call,
      );
    judgeStatements(tokens, i, variables, call);
    if (judgeOwnPath(tokens, i, call)) continue;
    judgeHandedOn(tokens, i, aliases, around, call);
    const act = actAt(tokens, i, language, language === "php" ? new Map([...aliases, ...variables]) : aliases);
    if (act === undefined || next === undefined) continue;
    if (STARTS.has(act)) shells++;
    evaluated ||=
      act === "dynamic" && EVALUATES.test(token.text) && next.text === "(" && tokens[i + 2]?.kind !== "string";
    const name = aliases.get(token.text) ?? token.text;
    // `File("d").deleteRecursively()`: the target precedes the call.
    const bare = tokens[i + 2]?.text === ")" || tokens[i + 2]?.text === "recursive";
    const owner =
      bare && (act === "delete-tree" || act === "delete")
        ? tokens[i - 1]?.text === "." && tokens[i - 2]?.text === ")" && tokens[i - 3]?.kind === "string"
          ? tokens[i - 3]!.text
          : undefined
        : undefined;
    if (owner !== undefined && (act === "delete-tree" || names.has("recursive"))) {
      call.by.remove(owner, call, { recursive: true, by: `${call.program} ${name}` });
      continue;
    }
    perform(
      act,
      name,
      readArguments(tokens, next.text === "(" ? i + 2 : i + 1, variables, call.state.budget),
      around,
      call,
    );
  }
  if (CONNECTS.some((name) => names.has(name))) {
    const metadata = tokens.find(
      (token) => token.kind === "string" && token.text !== "metadata" && namesMetadata(token.text.slice(0, MAX_PLACE)),
    );
    if (metadata !== undefined) call.by.harm("cloud-metadata", metadata.text);
  }
  if (language === "other") judgeStrings(tokens, call);
  judgeWhole(tokens, names, shells, call);
  const requested =
    (names.has("get") || names.has("request")) &&
    tokens.some((token) => token.kind === "string" && /^(?:node:)?https?$/.test(token.text));
  if (
    evaluated &&
    (requested || FETCHES.some((name) => names.has(name))) &&
    tokens.some((token) => token.kind === "string" && /^https?:\/\/./.test(token.text))
  )
    call.by.harm("remote-shell", `${call.program} runs code that came from the network`);
}

/** `b += c`: what the name stands for is no longer what it was given first. */
const GROWS = /^<<|^(?:\+|-|\.|\*|\/|\||\|\||&&|\?\?|%|\^)=$/;
const CONNECTS =
  "urlopen urlretrieve requests httpx aiohttp urllib3 fetch axios got get request open fopen connect create_connection HTTPConnection HTTPClient file_get_contents curl_init curl_exec LWP Net Faraday HTTParty RestClient readfile copy Session session client".split(
    " ",
  );
const EVALUATES = /^(exec|eval|Function|loadstring|instance_eval|class_eval|runInThisContext|runInNewContext)$/;
const FETCHES = [
  "urlopen",
  "urlretrieve",
  "requests",
  "httpx",
  "aiohttp",
  "urllib3",
  "fetch",
  "axios",
  "got",
  "open_uri",
  "file_get_contents",
  "curl_exec",
  "LWP",
  "Net",
];

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
      /^(require|import|from)$/.test(
        tokens[i - 1]?.text === "(" ? (tokens[i - 2]?.text ?? "") : (tokens[i - 1]?.text ?? ""),
      )
    )
      names.add(token.text.replace(/^node:/, ""));
  });
  return names;
}

/** A place of the system or of a home that a program names: whatever it does there, it can be read. */
function judgePlace(text: string, names: ReadonlySet<string>, call: Call): void {
  if (text.length < MAX_PLACE && /^(~|\/)[^\n]*\/\.?\w/.test(text))
    call.by.read(text.replace(/^~(?=\/)/, call.by.home), call, {
      // Of a listing only the names are read, unless the program opens what it lists.
      shown: !text.endsWith("/.env") && (!hasMark(text) || opensFiles(names)),
    });
}

/** The effect of the call that begins at `i`, if one does. */
function actAt(
  tokens: readonly Token[],
  i: number,
  language: Language,
  aliases: ReadonlyMap<string, string>,
): Act | undefined {
  const next = tokens[i + 1];
  const text = aliases.get(tokens[i]!.text) ?? tokens[i]!.text;
  // Handed on to be called: `.then(eval)`.
  if (next?.text === ")" && tokens[i - 1]?.text === "(" && /^(eval|Function|execSync|system)$/.test(text))
    return "dynamic";
  const bare =
    next?.kind === "string" ||
    next?.text === "[" ||
    next?.kind === "name" ||
    next?.kind === "number" ||
    next?.text === "-" ||
    (next?.text === ":" && tokens[i + 2]?.kind === "name" && language === "ruby");
  const lisp = language === "other" && next?.kind === "string";
  if (next?.text !== "(" && !lisp && !((language === "perl" || language === "ruby") && bare)) return undefined;
  const before = tokens[i - 1]?.text;
  if (before === "def" || before === "function" || before === "sub" || (before === "import" && text !== "__import__"))
    return undefined;
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
  if (text === "exec" && (prefix === "" || prefix === "builtins" || prefix === "__builtins__") && language === "python")
    return "dynamic";
  if (text === "open" && prefix === "webbrowser") return "network";
  if (text === "open" && prefix !== "" && !["io", "codecs", "File", "os", "?", "fs"].includes(prefix)) return undefined;
  if (text === "load" && language !== "lua") return undefined;
  if (text === "execute" && language === "lua")
    return prefix === "os" || aliases.has(tokens[i]!.text) ? "shell" : undefined;
  return actOf(text, prefix) ?? actOf(text, dotted && owner?.kind === "name" ? owner.text : prefix);
}

const SOCKETS = [
  "socket",
  "fsockopen",
  "TCPSocket",
  "create_connection",
  "createConnection",
  "Socket",
  "IO::Socket",
  "net",
  "tls",
];
const DECODERS = [
  "b64decode",
  "atob",
  "decode64",
  "base64_decode",
  "unhexlify",
  "decode_base64",
  "fromhex",
  "unpack1",
  "decompress",
];

/** Findings from several parts of a program together. */
function judgeWhole(tokens: readonly Token[], names: ReadonlySet<string>, shells: number, call: Call): void {
  const any = (list: readonly string[]): boolean => list.some((name) => names.has(name));
  if (any(SOCKETS) && (shells > 0 || any(["dup2", "pty", "STDIN"])))
    call.by.harm("reverse-shell", `${call.program} connects a shell to the network`);
  if (any(["setuid", "setreuid", "setresuid"]) && shells > 0)
    call.by.harm("root-shell", `${call.program} runs a program as another user`);
  if (any(["while", "for", "loop"]) && tokens.some((_, i) => forks(tokens, i)) && !any(["range", "wait", ...SOCKETS]))
    call.by.add({ kind: "fork bomb" });
  if (spawnsWithoutEnd(tokens, names)) call.by.add({ kind: "fork bomb" });
  if (
    any(["source", "include", "eval_string", "loadstring", "sys_source"]) &&
    tokens.some((token) => token.kind === "string" && /^https?:\/\//.test(token.text))
  )
    call.by.harm("remote-run", `${call.program} runs code that came from the network`);
  killsMany(tokens, names, call);
  if (any(DECODERS) && (shells > 0 || any(["exec", "eval"])))
    call.by.harm("decoded-shell", `${call.program} runs decoded text`);
  if (
    names.has("array_map") &&
    tokens.some(
      (token) => token.kind === "string" && /^(unlink|rmdir|system|exec|shell_exec|passthru)$/.test(token.text),
    )
  )
    call.by.harm("code-runs", `${call.program} calls a function by a computed name`);
}

/**
 * Goes through the processes that there are and ends them: all of them, unless a condition asks for more than whether a
 * name is a number.
 */
function killsMany(tokens: readonly Token[], names: ReadonlySet<string>, call: Call): void {
  const lists =
    ["process_iter", "pids", "ProcTable", "getProcesses", "Pgrep"].some((name) => names.has(name)) ||
    tokens.some(({ kind, text }) => kind === "string" && /^\/proc\/?(?:\*|\[0-9\]\*)?$/.test(text));
  const kills = tokens.some(
    ({ text }, i) =>
      (text === "kill" || text === "terminate" || text === "send_signal") &&
      /^[("':]$/.test(tokens[i + 1]?.text ?? "") &&
      tokens[i - 1]?.text !== "def",
  );
  if (!lists || !kills) return;
  const asked =
    tokens.filter(({ text }) => /^(?:if|unless|filter|select|grep|next|and)$/.test(text)).length -
    tokens.filter(({ text }) => /^(?:isdigit|isnumeric|isdecimal|getpid)$/.test(text)).length;
  const force = names.has("kill");
  if (asked <= 0 || force)
    call.by.add({ kind: "signal", target: "every process", everything: asked <= 0, force, byName: true });
}

const SPAWNS = [
  "Popen",
  "spawn",
  "pcntl_fork",
  "fork",
  "create_subprocess_exec",
  "create_subprocess_shell",
  "startfile",
];
const BRAKES = [
  "wait",
  "waitpid",
  "communicate",
  "sleep",
  "join",
  "range",
  "setTimeout",
  "on",
  "once",
  "await",
  "input",
  "readline",
  "break",
  "run",
  "call",
  "check_call",
  "check_output",
  "execSync",
  "spawnSync",
  "accept",
  "poll",
  ...SOCKETS,
];

/** `while True: Popen(…)`, `setInterval(() => spawn(…), 0)`: each round starts another, and none is waited for. */
function spawnsWithoutEnd(tokens: readonly Token[], names: ReadonlySet<string>): boolean {
  if (!SPAWNS.some((name) => names.has(name)) || BRAKES.some((name) => names.has(name))) return false;
  const endless = tokens.some(
    ({ text }, i) =>
      text === "while" &&
      /^(?:True|true|1|\()$/.test(tokens[i + 1]?.text ?? "") &&
      (tokens[i + 1]!.text !== "(" || /^(?:true|1)$/.test(tokens[i + 2]?.text ?? "")),
  );
  return (
    endless ||
    (names.has("setInterval") &&
      tokens.some(
        ({ text }, i) => text === "," && /^\d?\d?$/.test(tokens[i + 1]?.text ?? "x") && tokens[i + 2]?.text === ")",
      ))
  );
}

function forks(tokens: readonly Token[], i: number): boolean {
  if (tokens[i]!.text !== "fork") return false;
  const owner = tokens[i - 1]?.text === "." ? tokens[i - 2]!.text : "";
  return ["os", "", "Process", "posix", ")"].includes(owner);
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
