import type { Call, Program } from "../evaluate/call.ts";
import { UNSEEN } from "../risk/effect.ts";
import { EVERY_PROCESS_LIST, findsProcesses } from "./process-lists.ts";
import { isKnown, STAR, UNKNOWN } from "../parse/marks.ts";
import { fileBelow, namePattern, printedNames } from "./printed-names.ts";
import { definedFields } from "../../../contract/common/defined-fields.ts";

/** Tests and actions of find that exclude (nearly) no file. */
const WIDE = new Set([
  "-type",
  "-mindepth",
  "-depth",
  "-d",
  "-xdev",
  "-mount",
  "-print",
  "-print0",
  "-maxdepth",
  "-delete",
  "-exec",
  "-execdir",
  "-ok",
  "-okdir",
  "-ls",
  "-follow",
  "-true",
  "-o",
  "-a",
  "-noleaf",
  "-warn",
  "-nowarn",
  "-ignore_readdir_race",
  "-fprint",
  "-fprint0",
  "-fprintf",
  "-printf",
  "-fls",
  "-daystart",
  "-regextype",
]);

const find: Program = (call) => {
  const args = call.args.filter((arg) => !/^-[HLP]$/.test(arg) && !/^-O\d$/.test(arg));
  const first = args.findIndex((arg) => arg.startsWith("-") || arg === "(" || arg === "!" || arg === ")");
  const roots = (first === -1 ? args : args.slice(0, first)).filter((arg) => arg !== "-D");
  const tests = first === -1 ? [] : args.slice(first);
  const follows = call.args.includes("-L") || call.args.includes("-H");
  const starts = (roots.length > 0 ? roots : ["."]).map((root) => (follows && !root.endsWith("/") ? `${root}/` : root));
  const narrowed = withoutExceptions(ownTests(tests)).some(
    (test, i, own) => (test.startsWith("-") && !WIDE.has(test) && !everything(test, own[i + 1])) || test === "!",
  );
  let packed = false;
  for (let i = 0; i < tests.length; i++) {
    const test = tests[i]!;
    if (test === "-delete")
      for (const root of starts) call.by.remove(root, call, { recursive: true, narrowed, by: "find -delete" });
    else if (test.startsWith("-fprint") || test === "-fls") call.by.write(tests[i + 1] ?? "", call);
    else if (["-exec", "-execdir", "-ok", "-okdir"].includes(test)) {
      const ran = execute(tests, i, starts, narrowed, call);
      i = ran.end;
      packed ||= ran.archive;
    } else if (test === "-files0-from") i++;
  }
  for (const root of starts)
    if (/\.ssh|\.aws|\.gnupg/.test(root) && tests.includes("-exec")) call.by.read(root, call, { recursive: true });
  if (packed) return { ...UNSEEN, secret: "archive" };
  const prints = !tests.some((test) => /^-(delete|exec|execdir|ok|okdir|fprint|fls|quit|printf|prune)/.test(test));
  // Without a test, find prints every file, the start folder first: `find / | xargs rm -rf`.
  if (prints && !narrowed && starts.every((start) => isKnown(start)) && starts.some((start) => /^[/~]/.test(start)))
    return {
      text: starts.join(tests.includes("-print0") ? "\0" : "\n"),
      below: true,
      names: printedNames(foundFiles(starts, tests), call)?.names,
      from: "pipe",
    };
  if (findsProcesses(starts, tests)) return EVERY_PROCESS_LIST;
  const secret = literalName(tests);
  if (prints && secret !== undefined)
    return { text: starts.map((start) => `${start}/${UNKNOWN}/${secret}`).join("\n"), from: "pipe" };
  return (prints ? printedNames(foundFiles(starts, tests), call) : undefined) ?? UNSEEN;
};

/** The files that a find may name, as patterns. */
function foundFiles(roots: readonly string[], tests: readonly string[]): readonly string[] {
  if (tests.some((test, i) => test === "-type" && !/[fl]/.test(tests[i + 1] ?? ""))) return [];
  if (tests.some((test, i) => /^(?:!|-not)$/.test(test) && HIDDEN.test(tests[i + 2] ?? ""))) return [];
  const names = ownTests(tests)
    .filter((_, i, own) => /^-i?name$/.test(own[i - 1] ?? "") && !/^(?:!|-not)$/.test(own[i - 2] ?? ""))
    .map(namePattern);
  return roots.flatMap((root) => (names.length === 0 ? [fileBelow(root)] : names.map((name) => fileBelow(root, name))));
}

/** A pattern for hidden files: `-not -path` with it leaves out the places of secrets. */
const HIDDEN = /^(?:\*|\*\/|\.\/|\/\S+\/)?\.\*/;

/** The tests without the words of `-exec` commands. */
function ownTests(tests: readonly string[]): readonly string[] {
  const own: string[] = [];
  for (let i = 0; i < tests.length; i++) {
    if (!/^-(exec|execdir|ok|okdir)$/.test(tests[i]!)) own.push(tests[i]!);
    else while (i < tests.length && tests[i] !== ";" && !(tests[i] === "+" && tests[i - 1] === "{}")) i++;
  }
  return own;
}

/** Removes exceptions such as `! -path '/proc/*'`, which exclude only a few files. */
function withoutExceptions(tests: readonly string[]): readonly string[] {
  const left: string[] = [];
  for (let i = 0; i < tests.length; i++) {
    if ((tests[i] === "!" || tests[i] === "-not") && /^-i?(name|path|wholename|regex)$/.test(tests[i + 1] ?? ""))
      i += 2;
    else left.push(tests[i]!);
  }
  return left;
}

const everything = (test: string, value: string | undefined): boolean =>
  (test === "-name" || test === "-path" || test === "-iname") && (value === "*" || value === "");

function execute(
  tests: readonly string[],
  at: number,
  roots: readonly string[],
  narrowed: boolean,
  call: Call,
): { readonly end: number; readonly archive: boolean } {
  let end = at + 1;
  while (end < tests.length && tests[end] !== ";" && !(tests[end] === "+" && tests[end - 1] === "{}")) end++;
  const argv = tests.slice(at + 1, end);
  const elsewhere = tests[at]!.endsWith("dir");
  const inside: Call["state"] = {
    ...call.state,
    ...definedFields({
      eachFile: argv.some((arg) => arg.includes("{}")) ? ("find-rm" as const) : undefined,
      cwds: elsewhere ? [undefined] : undefined,
    }),
  };
  const name = literalName(tests);
  let archive = false;
  // `{}` may be any file below the start folders.
  for (const root of roots) {
    const target =
      name !== undefined
        ? `${root === "/" ? "" : root}/${UNKNOWN}/${name}`
        : narrowed || elsewhere
          ? `${root === "/" ? "" : root}/${UNKNOWN}`
          : root;
    const words = argv.map((arg) => (arg === "{}" ? target : arg.replaceAll("{}", target)));
    const program = (argv[0] ?? "").replace(/^.*\//, "");
    if (["rm", "unlink", "shred", "rmdir"].includes(program))
      call.by.harm("find-rm", `find ${tests.slice(at).join(" ")}`);
    // Deleting every file one by one equals a recursive delete.
    if (["rm", "unlink", "shred"].includes(program) && !narrowed && argv.includes("{}"))
      call.by.remove(root, call, { recursive: true, by: `find ${tests[at]} ${program}` });
    // Run for every file below the root, the command acts like `-R`.
    const deep =
      !narrowed && /^(\S*\/)?(chmod|chown|chgrp)$/.test(words[0] ?? "") ? [words[0]!, "-R", ...words.slice(1)] : words;
    if (call.by.run(deep, { ...call, state: inside }, call.stdin, inside).secret === "archive") archive = true;
    // A found file may be a secret, so the command is also judged with the pattern of that file.
    if (!/^(?:rm|unlink|shred|rmdir|chmod|chown|chgrp|touch|mv|ls|stat|du|file)$/.test(program))
      for (const file of printedNames(foundFiles([root], tests.slice(0, at)), call)
        ?.text?.trimEnd()
        .split("\n") ?? [])
        call.by.run(
          argv.map((arg) => arg.replaceAll("{}", file)),
          { ...call, state: inside },
          call.stdin,
          inside,
        );
    // A file name may be any text, which a shell would evaluate.
    if (target === root && /^(ba|z|da|k|fi)?sh$/.test(program))
      call.by.run(
        argv.map((arg) => arg.replaceAll("{}", UNKNOWN)),
        { ...call, state: inside },
        call.stdin,
        inside,
      );
  }
  return { end, archive };
}

/** The file name in the tests, if it is the name of a secret. */
function literalName(tests: readonly string[]): string | undefined {
  const names = tests
    .filter((_, i) => /^-(i?name|i?path|i?wholename)$/.test(tests[i - 1] ?? ""))
    .map((name) => name.replace(/^.*\//, ""));
  const secret = names.find((name) =>
    /^\*?(id_(rsa|dsa|ecdsa|ed25519)|\.env(\.\w+)?|credentials|\.netrc|\.pgpass|\.npmrc|\.git-credentials|wallet\.dat)$|\.(pem|key|p12|pfx|jks|kdbx|keystore)$/i.test(
      name.replaceAll(STAR, "*"),
    ),
  );
  return secret === undefined ? undefined : /\.(pem|key)$/i.test(secret) ? "id_rsa" : secret.replaceAll(STAR, "");
}

export const FIND: Readonly<Record<string, Program>> = { find, gfind: find, bfs: find };
