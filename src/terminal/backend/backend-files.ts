import { posix } from "node:path";
import { OutcomeUnknown, ToolFailure } from "../../contract/common/failure.ts";
import { TerminalUnavailable, type FileStat, type TerminalFiles } from "../../contract/providers/terminal.ts";
import type { PersistentTerminal } from "./persistent-terminal.ts";
import { quoted } from "../../contract/common/quoted.ts";

const LIMIT_MS = 120_000;

/**
 * The files of a place, by commands that run in the place: what is checked and what is changed are the same file,
 * whatever this machine has under that name.
 */
export class EnvironmentFiles implements TerminalFiles {
  readonly #terminal: PersistentTerminal;

  constructor(terminal: PersistentTerminal) {
    this.#terminal = terminal;
  }

  async resolve(path: string): Promise<string> {
    const { code, text } = await this.#ask(path, 'resolve "$f"');
    if (code !== 0) throw failure(text, this.#absolute(path));
    return text;
  }

  async stat(path: string): Promise<FileStat | undefined> {
    const { code, text } = await this.#ask(path, 'stat_of "$f"');
    if (code === ABSENT) return undefined;
    if (code !== 0) throw failure(text, this.#absolute(path));
    return readStat(text);
  }

  async read(path: string, slice?: { readonly from: number; readonly bytes: number }): Promise<Uint8Array | undefined> {
    const cut =
      slice === undefined
        ? "cat <&9"
        : `tail -c +${Math.floor(slice.from) + 1} <&9 | head -c ${Math.floor(slice.bytes)}`;
    // Opened once: another process may remove it at any time.
    const { code, bytes, text } = await this.#ask(
      path,
      `regular "$f"; { exec 9<"$f"; } 2>/dev/null || closed "$f"; ${cut}`,
    );
    if (code === ABSENT) return undefined;
    if (code !== 0) throw failure(text, this.#absolute(path));
    return bytes;
  }

  async write(
    path: string,
    bytes: Uint8Array,
    expect?: { readonly modifiedMs: number; readonly bytes: number } | "absent",
  ): Promise<void> {
    const expected =
      expect === undefined ? "any" : expect === "absent" ? "absent" : `${expect.bytes} ${expect.modifiedMs}`;
    await this.#change(path, `write_file ${quoted(expected)}`, bytes);
  }

  async remove(path: string): Promise<void> {
    await this.#change(
      path,
      '[ -e "$f" ] || [ -L "$f" ] || fail "No such file or directory"; [ ! -d "$f" ] || [ -L "$f" ] || fail "Is a directory"; rm -f -- "$f" 2>&1 || exit 1',
    );
  }

  async move(from: string, to: string): Promise<void> {
    await this.#change(from, `t=${quoted(this.#absolute(to))}; move_file`);
  }

  async list(path: string): Promise<readonly { readonly name: string; readonly kind: FileStat["kind"] }[]> {
    const { code, text } = await this.#ask(path, "list_files");
    if (code !== 0) throw failure(code === ABSENT ? "No such file or directory" : text, this.#absolute(path));
    return text
      .split("\0")
      .slice(0, -1)
      .map((entry) => ({ name: entry.slice(1), kind: KINDS[entry[0]!] ?? "other" }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** A change that was cut off is not known to have happened. */
  async #change(path: string, command: string, bytes?: Uint8Array): Promise<void> {
    const { code, text, lost } = await this.#ask(path, command, { changes: true, stdin: bytes });
    if (lost !== undefined)
      throw new OutcomeUnknown(
        `The terminal backend was lost while it changed ${JSON.stringify(this.#absolute(path))} (${lost}).`,
      );
    if (code !== 0) throw failure(text, this.#absolute(path));
  }

  async #ask(
    path: string,
    command: string,
    { changes, stdin }: { readonly changes: boolean; readonly stdin?: Uint8Array | undefined } = { changes: false },
  ): Promise<Answer> {
    if (path.includes("\0")) throw new ToolFailure("bad_arguments", "A path cannot contain a NUL byte.");
    const end = await this.#terminal.serve(`${FUNCTIONS}f=${this.#word(path)}\n${command}`, {
      stdin,
      timeoutMs: LIMIT_MS,
      changes,
    });
    const text = end.output.toString("utf8");
    if (end.kind === "exit") return { code: end.code, bytes: end.output, text };
    const lost = end.kind === "lost" ? end.reason : `it was ended by ${end.kind}`;
    if (!changes) throw new TerminalUnavailable(`The terminal backend was lost: ${lost}`);
    return { code: -1, bytes: end.output, text, lost };
  }

  #absolute(path: string): string {
    return path === "~" || path.startsWith("~/") ? path : posix.resolve(this.#terminal.cwd, path);
  }

  #word(path: string): string {
    const absolute = this.#absolute(path);
    return absolute.startsWith("~") ? `"$HOME"${quoted(absolute.slice(1))}` : quoted(absolute);
  }
}

interface Answer {
  readonly code: number;
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly lost?: string;
}

/** Status of a script that found nothing under the name. */
const ABSENT = 66;
const CONFLICT = "conflict: ";
const KINDS: { readonly [letter: string]: FileStat["kind"] } = { f: "file", d: "directory", o: "other" };

// GNU and BusyBox know -c, BSD -f. A time without a fraction is what the place has.
const FUNCTIONS = `
fail() { printf '%s' "$1"; exit 1; }
facts() { stat -L -c '%f %s %.9Y' -- "$1" 2>/dev/null || stat -L -c '%f %s %Y' -- "$1" 2>/dev/null || stat -L -f '%Xp %z %Fm' -- "$1" 2>/dev/null; }
missing() {
  [ -e "$1" ] && return 1
  [ ! -L "$1" ] || stat -L -- "$1" 2>&1 | { ! grep -qi 'too many'; } || fail "Too many levels of symbolic links"
  p=\${1%/*}; while [ -n "$p" ] && [ ! -e "$p" ]; do p=\${p%/*}; done
  [ -z "$p" ] || [ ! -d "$p" ] || [ -x "$p" ] || fail "Permission denied"
  return 0
}
closed() { ! missing "$1" || exit ${ABSENT}; fail "Permission denied"; }
stat_of() { ! missing "$1" || exit ${ABSENT}; facts "$1" || closed "$1"; }
regular() {
  ! missing "$1" || exit ${ABSENT}
  [ ! -d "$1" ] || fail "Is a directory"
  [ -f "$1" ] || { ! missing "$1" || exit ${ABSENT}; fail "not regular"; }
}
resolve() {
  rest=; at=$1
  while [ ! -e "$at" ] && [ ! -L "$at" ] && [ "$at" != / ] && [ -n "$at" ]; do rest=/\${at##*/}$rest; at=\${at%/*}; done
  [ -n "$at" ] || at=/
  if [ -L "$at" ] && [ ! -e "$at" ]; then
    l=$(readlink -- "$at"; printf x); l=\${l%?x}
    n=$((n + 1)); [ "$n" -lt 40 ] || fail "Too many levels of symbolic links"
    case $l in /*) ;; *) l=\${at%/*}/$l ;; esac
    resolve "$l$rest"; return
  fi
  real=$(readlink -f -- "$at"; printf x); real=\${real%?x}
  [ "$real" != / ] || [ -z "$rest" ] || real=
  printf '%s' "$real$rest"
}
same() {
  case $1 in
    any) return ;;
    absent) [ ! -e "$t" ] && [ ! -L "$t" ] || fail "${CONFLICT}already exists"; return ;;
  esac
  [ -e "$t" ] || fail "${CONFLICT}is gone: another process removed it"
  set -- $1 $(facts "$t")
  awk -v a="$2" -v b="$5" -v s="$1" -v z="$4" 'BEGIN { d = a - b * 1000; exit !(s == z && d < 0.01 && d > -0.01) }' || fail "${CONFLICT}has changed since it was last read"
}
write_file() {
  t=$(resolve "$f"; printf x) || { printf '%s' "\${t%x}"; exit 1; }; t=\${t%x}
  [ ! -e "$t" ] || { [ ! -d "$t" ] || fail "Is a directory"; [ -f "$t" ] || fail "not regular"; }
  same "$1"
  mkdir -p -- "\${t%/*}/" 2>&1 || exit 1
  b=\${t##*/}; b=\${t%/*}/.\${b:0:60}.$$.$RANDOM.tmp
  trap 'rm -f -- "$b"' EXIT
  set -C
  if [ -e "$t" ]; then (umask 077; cat >"$b") 2>&1 || exit 1; m=$(stat -c %a -- "$t" 2>/dev/null || stat -f %Lp -- "$t"); [ ! -O "$t" ] || chmod "$m" "$b" 2>&1 || exit 1; else cat 2>&1 >"$b" || exit 1; fi
  set +C
  sync -- "$b" 2>/dev/null
  if [ "$1" = absent ]; then
    ln -- "$b" "$t" 2>/dev/null || { [ ! -e "$t" ] && [ ! -L "$t" ] || fail "${CONFLICT}already exists"; mv -n -- "$b" "$t" 2>&1 || exit 1; }
  else
    same "$1"; mv -f -- "$b" "$t" 2>&1 || exit 1
  fi
}
move_file() {
  [ -e "$f" ] || [ -L "$f" ] || fail "No such file or directory"
  mkdir -p -- "\${t%/*}/" 2>&1 || exit 1
  if [ -f "$f" ] && [ ! -L "$f" ] && ln -- "$f" "$t" 2>/dev/null; then rm -f -- "$f" 2>&1; return; fi
  [ ! -e "$t" ] && [ ! -L "$t" ] || fail "${CONFLICT}already exists; nothing was moved"
  mv -- "$f" "$t" 2>&1 || exit 1
}
list_files() {
  ! missing "$f" || exit ${ABSENT}
  [ -d "$f" ] || fail "Not a directory"
  cd -- "$f" 2>&1 || exit 1
  [ -r . ] || closed "$f"
  shopt -s dotglob nullglob
  for e in *; do if [ -f "$e" ]; then k=f; elif [ -d "$e" ]; then k=d; else k=o; fi; printf '%s%s\\0' "$k" "$e"; done
}
`;

function readStat(text: string): FileStat {
  const [mode = "", bytes = "", modified = ""] = text.trim().split(" ");
  const bits = Number.parseInt(mode, 16);
  const type = bits & 0o170000;
  return {
    kind: type === 0o100000 ? "file" : type === 0o040000 ? "directory" : "other",
    bytes: Number(bytes),
    modifiedMs: Number(modified) * 1_000,
    mode: bits & 0o7777,
  };
}

const REASONS: readonly (readonly [RegExp, code: string, words: string])[] = [
  [/No such file/i, "not_found", "does not exist"],
  [/Not a directory/i, "not_found", "has a file where a directory should be"],
  [/File exists/i, "conflict", "already exists"],
  [/Is a directory/i, "bad_arguments", "is a directory"],
  [/^not regular/, "bad_arguments", "is not a regular file (a device, pipe or socket)"],
  [/Permission denied|not permitted/i, "blocked", "is not accessible to this user"],
  [/Read-only file system/i, "blocked", "is on a read-only file system"],
  [/No space left|quota exceeded/i, "disk_full", "cannot be written: the disk is full"],
  [/Too many levels/i, "bad_arguments", "is part of a symbolic link loop"],
  [/name too long/i, "bad_arguments", "has a name that is too long"],
];

function failure(text: string, path: string): ToolFailure {
  if (text.startsWith(CONFLICT))
    return new ToolFailure("conflict", `${JSON.stringify(path)} ${text.slice(CONFLICT.length)}.`, {
      hint: "Read it again before you change it.",
    });
  const reason = REASONS.find(([pattern]) => pattern.test(text));
  return reason === undefined
    ? new ToolFailure(
        "failed",
        `${JSON.stringify(path)}: ${text.trim().slice(-300) || "the terminal backend gave no reason"}.`,
      )
    : new ToolFailure(reason[1], `${JSON.stringify(path)} ${reason[2]}.`);
}
