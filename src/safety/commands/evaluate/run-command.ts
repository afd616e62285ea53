import { posix } from "node:path";
import type { Call } from "./call.ts";
import { callFunction } from "./call-function.ts";
import { derived, type Flow, literal, NOTHING, UNSEEN } from "../risk/effect.ts";
import { expandWord } from "../parse/expand.ts";
import {
  COMPUTED,
  DECODED,
  hasGlob,
  hasMark,
  isKnown,
  mayBe,
  quietGlobs,
  readable,
  REMOTE,
  STAR,
} from "../parse/marks.ts";
import { doesFiles, fetchedWords } from "../risk/fetched-files.ts";
import { guessCommands, POWER } from "../risk/guess-commands.ts";
import { printedPlace } from "./printed-paths.ts";
import { judgeProgramText } from "./program-texts.ts";
import { GUESSED_NAMES } from "../risk/guessed-names.ts";
import { printsSetup } from "./prints-setup.ts";
import { findProgram, lookedAtAgain, mayConnect, runsItsWords } from "../programs/program-tables.ts";
import { hostWords } from "../programs/roles/host-words.ts";
import { judgeRoles } from "../programs/roles/judge-roles.ts";
import { readsOnly } from "../risk/reads.ts";
import { fork, type ShellState } from "../parse/state.ts";
import { takesSecrets } from "../risk/carried-secrets.ts";
import { namedOutputs } from "../risk/named-outputs.ts";
import { namedSecrets } from "../risk/named-secrets.ts";
import { rehearses } from "../risk/rehearsals.ts";
import { judgeUnknownProgram } from "../risk/unknown-program.ts";
import { looksAtDevices } from "../risk/machine-evidence.ts";
import { judgeSecrets, judgeVerbs } from "../risk/verbs.ts";
import { fileWords } from "../risk/unknown-options.ts";
import type { Walker } from "./walker.ts";

const MAX_DEPTH = 8;
const MAX_SCRIPT = 60_000;

/**
 * Runs a program, function or alias, resolved as a shell does.
 * @param by `program`: started by another program (`env`, `ssh`, `xargs`), which does not know the shell's functions
 * and aliases.
 */
export function execute(
  argv: readonly string[],
  state: ShellState,
  stdin: Flow,
  walk: Walker,
  by: "shell" | "program" = "shell",
): Flow {
  state.budget.spend(8 + argv.length / 2 + (lettersOf(argv) + (stdin.text?.length ?? 0)) / 50);
  const word = argv[0];
  if (word === undefined) return NOTHING;
  walk.lines.add(argv.map(readable).join(" "));
  const call = (program: string): Call => ({ program, args: argv.slice(1), stdin, state, by: walk });
  if (hasMark(word)) return computed(word, argv, state, stdin, walk);
  // Unknown names may still be aliases or functions, so evaluate them too.
  const own = by === "shell" || findProgram(posix.basename(word), walk.platform) === undefined;
  const alias = own ? state.aliases.get(word) : undefined;
  if (alias !== undefined) return runAlias(word, alias, argv.slice(1), state, stdin, walk);
  const body = own ? state.functions.get(word) : undefined;
  if (body) {
    const flow = callFunction(body, argv.slice(1), state, stdin, walk);
    state.status = undefined;
    return flow;
  }
  if (LEAVES.has(word)) walk.exits.push({ by: word, state: fork(state) });
  if (word.includes("/")) {
    const written = walk.written(word, call(word));
    if (written) return runWritten(word, written, call(word), walk);
  }
  const copied = ownCopy(word, state, walk);
  if (copied !== undefined) return execute([copied, ...argv.slice(1)], state, stdin, walk);
  if (word.startsWith("/etc/init.d/") || word.startsWith("/etc/rc.d/"))
    return execute(["service", posix.basename(word), ...argv.slice(1)], state, stdin, walk);
  const name = posix
    .basename(word)
    .replace(/\.(exe|com|cmd|bat)$/i, "")
    .replace(GNU_NAME, "$1");
  if (/[^\x00-\x7f]/.test(name) && looksLatin(name))
    walk.harm("deceptive", `the program's name "${name}" contains look-alike letters`);
  walk.onlyReads &&= readsOnly(word, argv.slice(1));
  const inTables = judgeRoles(call(name));
  // Made to be evaluated by the shell that asked for it.
  if (printsSetup(name, argv)) {
    walk.add({ kind: "execute", program: word, words: argv.slice(0, 8).map(readable) });
    return NOTHING;
  }
  takesSecrets(call(name));
  judgeProgramText(call(name));
  if (rehearses(name, argv.slice(1))) {
    walk.add({ kind: "execute", program: word, words: argv.slice(0, 8).map(readable) });
    return UNSEEN;
  }
  const program = findProgram(name, walk.platform);
  const help =
    (argv.length === 2 && /^--(help|version)$/.test(argv[1]!)) ||
    (argv.length <= 4 &&
      argv.at(-1) === "--help" &&
      SUBCOMMANDED.has(name) &&
      argv.slice(1, -1).every((word) => /^[a-z][\w-]*$/.test(word)));
  if (!runsItsWords(name)) namedSecrets(call(name));
  if (!runsItsWords(name) && !readsOnly(word, argv.slice(1))) namedOutputs(call(name), program === undefined);
  if (mayConnect(name)) hostWords(call(name), program === undefined && !inTables);
  if (!program || help) return unknown(word, argv, call(name), walk);
  namesHashes(call(name), walk);
  state.status = undefined;
  const flow = program(call(name)) ?? derived(stdin);
  const look = lookedAtAgain(name);
  if (look !== undefined || doesFiles(call(name))) fetchedWords(call(name));
  if (look === "all") lookAgain(call(name));
  else if (look === "secrets") judgeSecrets(call(name));
  const place = printedPlace(call(name));
  return place === undefined ? flow : literal(`${place}\n`);
}

/** The names that GNU's own tools have beside those of another system. */
const GNU_NAME =
  /^g(awk|base64|cat|chgrp|chmod|chown|cp|cut|date|dd|env|head|id|install|kill|ln|ls|make|mkdir|mkfifo|mktemp|mv|nice|nohup|paste|printenv|printf|readlink|realpath|rm|rmdir|sed|shred|sort|split|stat|stdbuf|stty|tac|tail|tar|tee|timeout|touch|tr|truncate|uniq|unlink|wc|xargs|grep|egrep|find)$/;

const LEAVES: ReadonlySet<string> = new Set(["break", "continue", "return"]);

/** Judge the words alone, for programs whose table also lists words. */
function lookAgain(call: Call): void {
  judgeVerbs(call);
  call.by.suspect(() => guessCommands(call));
}

/** Programs of subcommands, each with a page of help. */
const SUBCOMMANDED = new Set(
  "docker podman kubectl helm git gh terraform aws gcloud systemctl brew npm pnpm yarn cargo go apt dnf snap flatpak".split(
    " ",
  ),
);

/** Whatever a program is for: with the file of password hashes among its words it shows or changes it. */
function namesHashes(call: Call, walk: Walker): void {
  if (HARMLESS_WITH_HASHES.test(call.program)) return;
  // Git's own table knows which of its words are addresses.
  for (const arg of call.args)
    if (ADDRESS_OPTION.test(arg) && !(call.program === "git" && arg.startsWith("ext::")))
      walk.harm("option-runs", `${call.program} ${arg}`);
  const named = call.args.find((arg) => HASHES.test(arg));
  if (named !== undefined) walk.harm("secret-read", `${call.program} ${named}`);
}

/** An address that is taken for an option: `ssh://-oProxyCommand=…`. */
const ADDRESS_OPTION = /^((git|svn|hg)\+)?ssh:\/\/-|^ext::/;
const HASHES = /^(--?[\w-]+=)?(\/private)?\/etc\/(g?shadow|master\.passwd)-?$/;
const HARMLESS_WITH_HASHES =
  /^(ls|stat|test|\[|echo|printf|man|file|du|export|type|which|readlink|realpath|basename|dirname)$/;

/** A program under a name that this very script gave it, or one that it fetched into a directory of programs. */
function ownCopy(word: string, state: ShellState, walk: Walker): string | undefined {
  if (word.includes("/")) {
    for (const path of walk.paths(word, state)) {
      const copied = state.copies.get(path);
      if (copied !== undefined && /(^|\/)s?bin\//.test(copied)) return copied;
      if (posix.basename(path) !== "configure")
        for (const directory of state.fetched)
          if (path.startsWith(`${directory}/`)) walk.harm("remote-run", `runs ${path}, which came from the network`);
    }
  } else if (state.files.size > 0) {
    for (const directory of ["/usr/local/bin", "/usr/bin", "/bin", `${walk.home}/.local/bin`, `${walk.home}/bin`])
      if (state.files.get(`${directory}/${word}`)?.remote)
        walk.harm("remote-run", `runs ${directory}/${word}, which came from the network`);
  }
  return undefined;
}

/** A program nothing is known of. */
function unknown(word: string, argv: readonly string[], call: Call, walk: Walker): Flow {
  walk.add({ kind: "execute", program: word, words: argv.slice(0, 8).map((item) => readable(item).slice(0, 120)) });
  fileWords(call, !looksAtDevices(call));
  if (/^[A-Z][A-Za-z]+-[A-Z][A-Za-z]+$/.test(word))
    return execute(["powershell", ...argv], call.state, call.stdin, walk);
  if (call.state.guessed) return derived(call.stdin);
  if (doesFiles(call)) {
    fetchedWords(call);
    if (
      call.args.some(
        (arg, i) =>
          /^(-I|-b|-f|-P|--init-script|--build-file|--file)$/.test(call.args[i - 1] ?? "") && /^https?:/.test(arg),
      )
    )
      walk.harm("remote-run", `${call.program} ${call.args.join(" ")}`);
  }
  judgeUnknownProgram(call, word);
  walk.suspect(() => guessCommands(call));
  const place = printedPlace(call);
  return place === undefined ? derived(call.stdin) : literal(`${place}\n`);
}

function computed(word: string, argv: readonly string[], state: ShellState, stdin: Flow, walk: Walker): Flow {
  // `"$VENV/bin/pytest"`: only the directory is not known.
  const tail = /^[\uE000\uE005]\uE008?((?:\/[\w.+@-]+)+)$/.exec(word);
  if (tail) return execute([tail[1]!.replace(/^\//, ""), ...argv.slice(1)], state, stdin, walk);
  if (word.includes(REMOTE)) walk.harm("remote-run", `the command's text comes from the network: ${argv.join(" ")}`);
  else if (word.includes(DECODED))
    walk.harm("decoded-shell", `the command's text comes out of a decoder: ${argv.join(" ")}`);
  else walk.harm("computed-command", `the command's name is computed: ${argv.join(" ")}`);
  if (hasGlob(word) && isKnown(word)) {
    const pattern = word.slice(word.lastIndexOf("/") + 1);
    state.budget.spend(pattern.length * GUESSED_NAMES.length);
    const guesses = GUESSED_NAMES.filter((name) => mayBe(pattern, name));
    // Among several a shell takes the first: none of them is proven to stop the machine.
    const taken = guesses.length > 1 ? guesses.filter((name) => !POWER.test(name)) : guesses;
    if (guesses.length < 6 || !pattern.startsWith(STAR))
      for (const name of taken) execute([name, ...argv.slice(1)], fork(state), stdin, walk);
  }
  return UNSEEN;
}

function runAlias(
  name: string,
  text: string,
  rest: readonly string[],
  state: ShellState,
  stdin: Flow,
  walk: Walker,
): Flow {
  const inside = fork(state);
  inside.aliases.delete(name);
  if (tooDeep(inside, walk)) return UNSEEN;
  const script = walk.parse(text, state);
  const last = script.commands.at(-1)?.command;
  if (script.commands.length === 1 && last?.type === "Command") {
    const words = [last.name, ...last.suffix].flatMap((item) =>
      item?.type === "Word" ? expandWord(item, inside, walk) : [],
    );
    return execute([...words, ...rest], inside, stdin, walk);
  }
  return walk.list(script.commands, inside, stdin);
}

/** Runs a file that this very script has written or fetched. */
function runWritten(word: string, content: Flow, call: Call, walk: Walker): Flow {
  if (content.remote) walk.harm("remote-run", `runs ${word}, which came from the network`);
  else if (content.decoded) walk.harm("decoded-shell", `runs ${word}, which came out of a decoder`);
  if (content.text === undefined) {
    walk.add({ kind: "execute", program: word, words: [word] });
    return UNSEEN;
  }
  // A file that starts itself again is followed once; one that does so twice starts processes without end.
  const again = walk.files.get(word);
  if (again !== undefined) {
    walk.files.set(word, again + 1);
    if (again === 1) walk.add({ kind: "fork bomb" });
    return UNSEEN;
  }
  walk.files.set(word, 0);
  const flow = runAs(word, content.text, call);
  walk.files.delete(word);
  return flow;
}

function runAs(word: string, text: string, call: Call): Flow {
  const shebang = /^#!\s*(\S+)(?:[ \t]+(\S+))?/.exec(text);
  const interpreter =
    shebang && posix.basename(shebang[1]!) === "env"
      ? (shebang[2] ?? "sh")
      : shebang
        ? posix.basename(shebang[1]!)
        : "sh";
  return call.by.run([interpreter, word, ...call.args], call);
}

/** Shell text that another shell runs. */
export function nested(text: string, state: ShellState, stdin: Flow, walk: Walker): Flow {
  if (tooDeep(state, walk)) return UNSEEN;
  if (text.includes(REMOTE)) walk.harm("remote-shell", "a shell runs text that came from the network");
  else if (text.includes(DECODED)) walk.harm("decoded-shell", "a shell runs text that came out of a decoder");
  else if (text.includes(COMPUTED)) walk.harm("computed-command", "a shell runs text that another command prints");
  const inner: ShellState = state;
  inner.depth++;
  if (text.length > MAX_SCRIPT) walk.overflow();
  const script = walk.parse(quietGlobs(text).slice(0, MAX_SCRIPT), state);
  walk.checkErrors(script);
  const flow = walk.list(script.commands, inner, stdin);
  inner.depth--;
  return flow;
}

function tooDeep(state: ShellState, walk: Walker): boolean {
  if (state.depth < MAX_DEPTH) return false;
  walk.harm("too-deep", `more than ${MAX_DEPTH} nested interpreters`);
  return true;
}

function lettersOf(words: readonly string[]): number {
  let letters = 0;
  for (const word of words) letters += word.length;
  return letters;
}

/** Letters of another script beside Latin ones, or fullwidth Latin: a name made to be misread. */
function looksLatin(name: string): boolean {
  return (
    /[\p{Script=Cyrillic}\p{Script=Greek}\uFF01-\uFF5E\p{Script=Armenian}\p{Script=Cherokee}\u0131\u{1D400}-\u{1D7FF}]/u.test(
      name,
    ) || /\p{M}/u.test(name.normalize("NFD").replace(/[a-z]\u0308|[a-z]\u0301/gi, ""))
  );
}
