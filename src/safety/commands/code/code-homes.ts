import type { Token } from "./code-tokens.ts";

/** Ways in which programs ask for the home directory, as the texts of their tokens. */
const HOMES =
  `process . env . HOME|process . env [ HOME ]|Bun . env . HOME|Deno . env . get ( HOME )|os . environ [ HOME ]|environ [ HOME ]|os . getenv ( HOME )
os . environ . get ( HOME )|environ . get ( HOME )|Path . home ( )|pathlib . Path . home ( )|ENV [ HOME ]|ENV { HOME }|ENV . fetch ( HOME )|Dir . home|Dir . home ( )
getenv ( HOME )|Sys . getenv ( HOME )|System . getenv ( HOME )|System . get_env ( HOME )|System . user_home ( )|System . user_home|_SERVER [ HOME ]|ENVIRON [ HOME ]
System . getProperty ( user.home )|homedir ( )|userInfo ( ) . homedir|NSHomeDirectory ( )|path . expand ( ~ )|normalizePath ( ~ )|( getpwuid ( $ < ) ) [ 7 ]|( getpwuid ( $ > ) ) [ 7 ]
os . UserHomeDir ( )|( getpwuid  < ) [ 7 ]|( getpwuid  > ) [ 7 ]|( getpwuid (  < ) ) [ 7 ]|( getpwuid (  > ) ) [ 7 ]|Etc . getpwuid . dir|Etc . getlogin . dir|FileManager . default . homeDirectoryForCurrentUser`
    .split(/[|\n]/)
    .map((way) => way.split(" "));
/** Folders where python keeps packages whose files it loads automatically. */
const PACKAGES =
  `site . getusersitepackages ( )|site . getsitepackages ( ) [ 0 ]|site . USER_SITE|getusersitepackages ( )|getsitepackages ( ) [ 0 ]|sysconfig . get_path ( purelib )|sysconfig . get_path ( platlib )
sysconfig . get_paths ( ) [ purelib ]|sysconfig . get_paths ( ) [ platlib ]|get_path ( purelib )|get_python_lib ( )`
    .split(/[|\n]/)
    .map((way) => way.split(" "));
/** Ways to say `/`. */
const ROOTS =
  "os . sep|os . path . sep|path . sep|p . sep|nodePath . sep|File :: SEPARATOR|File . separator|File.separator"
    .split("|")
    .map((way) => way.split(" "));
/** The root of any path at all. */
const ROOT_MEMBER = /^(?:root|anchor)$/;
/** Functions whose value is the path that they are given, made plain. */
const PLAIN =
  /^(?:str|String|Path|PosixPath|PurePath|PurePosixPath|Pathname|fspath|abspath|realpath|normpath|resolve|normalize|realpathSync|expanduser|expand_path)$/;

/** The tokens with every home directory and every `/` that the program asks for written out. */
export function foldHomes(tokens: readonly Token[], home: string): readonly Token[] {
  const out: Token[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const found = spelled(HOMES, tokens, i);
    const packages = found === undefined ? spelled(PACKAGES, tokens, i) : undefined;
    const root = found === undefined ? spelled(ROOTS, tokens, i) : undefined;
    if (tokens[i]!.text === "sys" && tokens[i + 1]?.text === "." && tokens[i + 2]?.text === "executable") {
      out.push({ kind: "string", text: "python3" });
      i += 2;
    } else if (packages !== undefined) {
      out.push({ kind: "string", text: `${home}/.local/lib/python3/site-packages` });
      i += packages.length - 1;
    } else if ((found ?? root) !== undefined && tokens[i - 1]?.text !== "def" && tokens[i - 1]?.text !== "function") {
      const { length } = (found ?? root)!;
      if (/^(?:homedir|userInfo)$/.test(tokens[i]!.text) && out.at(-1)?.text === "." && out.at(-2)?.kind !== "string")
        takeOwner(out);
      i += length - 1;
      // Go: a value and an error.
      if (out.at(-1)?.text === "=" && /^(?:_|err)$/.test(out.at(-2)?.text ?? "") && out.at(-3)?.text === ",")
        out.splice(-3, 2);
      out.push({ kind: "string", text: root === undefined ? home : "/" });
    } else if (
      tokens[i]!.text === "." &&
      ROOT_MEMBER.test(tokens[i + 1]?.text ?? "") &&
      tokens[i + 2]?.text !== "(" &&
      ofPath(out)
    ) {
      out.push(tokens[i]!);
      takeOwner(out);
      out.push({ kind: "string", text: "/" });
      i++;
    } else if (tokens[i]!.text === "." && /^pw_dir$/.test(tokens[i + 1]?.text ?? "") && out.at(-1)?.text === ")") {
      const named = out.findLast(({ kind, text }) => kind === "string" || text === "(");
      out.push(tokens[i]!);
      takeOwner(out);
      out.push({ kind: "string", text: named?.text === "root" ? "/root" : home });
      i++;
    } else {
      out.push(tokens[i]!);
      unwrap(out, home);
    }
  }
  return out;
}

function spelled(
  ways: readonly (readonly string[])[],
  tokens: readonly Token[],
  i: number,
): readonly string[] | undefined {
  // `$ENV{…}` and `%ENV` keep their sign in some languages.
  const first = tokens[i]!.text.replace(/^[$@](?=\w)/, "");
  return ways.find(
    (words) => words[0] === first && words.every((word, at) => at === 0 || tokens[i + at]?.text === word),
  );
}

/** `path.parse(x)`, `Path.cwd()`: what has a root. */
function ofPath(out: readonly Token[]): boolean {
  if (out.at(-1)?.text !== ")") return false;
  return out.slice(-12).some(({ text }) => /^(?:parse|Path|PosixPath|cwd)$/.test(text));
}

/** Takes the expression in front of the last dot away: `(await import("os")).`, `require("os").`, `os.`. */
function takeOwner(out: Token[]): void {
  while (out.at(-1)?.text === ".") {
    out.pop();
    while (out.at(-1)?.text === ")") {
      let depth = 0;
      do {
        const { kind, text } = out.pop()!;
        if (kind === "punctuation" && text === ")") depth++;
        else if (kind === "punctuation" && text === "(") depth--;
      } while (depth > 0 && out.length > 0);
      if (out.at(-1)?.kind !== "name" || out.at(-2)?.text === "." || !/^[A-Za-z]/.test(out.at(-1)!.text)) continue;
      if (!/^(?:require|import|parse|cwd|Path|getpwuid|getpwnam|userInfo)$/.test(out.at(-1)!.text)) return;
      out.pop();
      if (out.at(-1)?.text === "await") out.pop();
    }
    if (out.at(-1)?.kind === "name" && out.at(-1)!.text !== "await") out.pop();
    else if (out.at(-1)?.kind === "string") out.pop();
  }
}

/** `str("/home/u")`, `Path("/")`, `Path("~").expanduser()`: of a home or the root the path itself. */
function unwrap(out: Token[], home: string): void {
  const [name, open, path, close] = out.slice(-4);
  if (close?.text !== ")" || close.kind !== "punctuation") return;
  if (
    name?.kind === "name" &&
    open?.text === "(" &&
    path?.kind === "string" &&
    PLAIN.test(name.text) &&
    (path.text === "/" ||
      path.text === home ||
      path.text === "~" ||
      path.text.endsWith("/site-packages") ||
      /^~\w+$/.test(path.text))
  ) {
    const expands = name.text === "expanduser" || name.text === "expand_path" || path.text.startsWith("/");
    let count = 4;
    while (out.at(-count - 1)?.text === "." && out.at(-count - 2)?.kind === "name") count += 2;
    out.splice(-count, count, { kind: "string", text: expands ? expanded(path.text, home) : path.text });
  }
  const [text, dot, method, opened, closed] = out.slice(-5);
  if (
    text?.kind === "string" &&
    text.text.startsWith("~") &&
    dot?.text === "." &&
    method?.text === "expanduser" &&
    opened?.text === "(" &&
    closed?.text === ")"
  )
    out.splice(-5, 5, { kind: "string", text: expanded(text.text, home) });
}

const expanded = (path: string, home: string): string =>
  path.startsWith("~/") || path === "~"
    ? home + path.slice(1)
    : path === "~root"
      ? "/root"
      : path.replace(/^~(?=\w)/, "/home/");
