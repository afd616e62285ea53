import { keepScript, TREE } from "./process-script.ts";
import { RESIZE } from "../program/pseudo-terminal.ts";
import { quoted } from "../../contract/common/quoted.ts";
import { initScript } from "./shell-script.ts";

/** `prctl` on Linux, by what `uname -m` says. */
const PRCTL =
  "case $(uname -sm) in Linux*x86_64) n=157 ;; Linux*aarch64|Linux*riscv64|Linux*loongarch64) n=167 ;; Linux*armv*|Linux*i?86|Linux*s390x) n=172 ;; Linux*ppc64*) n=171 ;; *) n= ;; esac";

export interface EnvironmentStart {
  /** Name of the directory for the shell's pipes, below the place's own directory for such. */
  readonly name: string;
  /** `NAME=value` that everything started from the shell carries in its environment. */
  readonly mark: string;
  /** Written into the output behind the end of each command, and nowhere else. */
  readonly endMark: string;
  /** Empty: the home directory. One that is gone gives way to the nearest above it. */
  readonly cwd: string;
  /** Made when it is not there. */
  readonly folder: string | undefined;
  readonly state: string | undefined;
  /** Reads the user's profile there for its variables. */
  readonly login: boolean;
  /** Exported variables outlast a lost connection, for the shell that takes over. */
  readonly keeps: boolean;
}

/**
 * Sent to a fresh `bash`, which becomes the supervisor of one shell: it passes our lines to the shell, returns its
 * output and reports to us. On request it stops what the shell runs, and it ends everything when our input ends. It
 * reads orders, one a line, each a call of one of these functions. Output goes through a relay and a named pipe, so
 * that the output of processes that a command left behind can be separated from the next one's.
 */
export function environmentScript(start: EnvironmentStart): string {
  return `
__place() {
exec 4>&1 5>&2 >/dev/null 2>&1
trap : HUP INT QUIT TERM PIPE USR1
unset HERMES_RUN
h=\${TMPDIR:-/tmp}; [ -d "$h" ] && [ -w "$h" ] || h=/tmp
h=$h/${start.name}
mkdir -m 700 "$h" && mkfifo -m 600 "$h/in" "$h/control" "$h/pid" "$h/s0" || { printf 'No directory could be made in %s.\\n' "\${h%/*}" >&5; exit 71; }
printf -v d %q "$h"; t=${escaped(initScript(DIRECTORY, start.mark, atEnd(start.endMark)))}; printf '%s' "\${t//${DIRECTORY}/$d}" >"$h/init"
${start.state === undefined ? "" : `(umask 077; printf '%s' ${escaped(start.state)} >"$h/state")`}
cat <>"$h/control" >&5 4>&- 5>&- &
reporter=$!
relay s0
exec 6<>"$h/in"
( exec 4>&- 5>&- 6>&-
  ( shell ) <"$h/in" &
  printf '%s\\n' $! >"$h/pid"
  wait $!
  c=$?
  [ ! -e "$h/kept" ] || printf '%s\\n' "$c" >"$h/exit"
  printf 'gone 0 %s\\0' "$c" >"$h/control"
) </dev/null &
read -r k <"$h/pid"
LC_ALL=C
printf 'dir 0 %s\\0' "$h" >"$h/control"
printf '. %s/init; builtin printf "home 0 %%s\\\\0at 0 %%s\\\\0init 0 \\\\0" "$HOME" "$PWD" >"$__h/control"\\n' "$d" >&6
while IFS= read -r order; do eval "$order"; done
[ ! -e "$h/kept" ] || mind
finish ${start.keeps ? "keep" : "drop"}
}
shell() {
  trap enter EXIT
  ${start.login ? 'for f in /etc/profile "$HOME/.bash_profile" "$HOME/.bash_login" "$HOME/.profile"; do [ -r "$f" ] || continue; . "$f" </dev/null; [ "$f" = /etc/profile ] || break; done' : ":"}
  exit 0
}
enter() {
  trap - EXIT; set +eu
  ${start.folder === undefined ? "" : `d=${quoted(start.folder)}; case $d in '~/'*) d=$HOME\${d#?} ;; esac; mkdir -p -- "$d"`}
  d=${quoted(start.cwd)}; case $d in '') d=$HOME ;; '~'|'~/'*) d=$HOME\${d#?} ;; esac
  until cd -- "$d"; do case $d in */?*) d=\${d%/*} ;; *) cd /; break ;; esac; [ -n "$d" ] || d=/; done
  export ${start.mark}
  ${PRCTL}
  [ -n "$n" ] && command -v perl && exec perl -e 'syscall($ARGV[0], 36, 1, 0, 0, 0); exec($ARGV[1], "--norc", "--noprofile")' "$n" "$BASH"
  exec "$BASH" --norc --noprofile
}
relay() { slot=$1; cat <>"$h/$1" >&4 4>&- 5>&- 6>&- & relay=$!; }
rotate() {
  cat <>"$h/$slot" >/dev/null 4>&- 5>&- 6>&- &
  old=$relay; mkfifo -m 600 "$h/$1"; relay "$1"; kill "$old"; wait "$old"
  printf '%s%s\\001' ${escaped(start.endMark)} "$1" >&4
}
report() { printf '%s %s %s\\0' "$1" "$2" "$3" >"$h/control"; }
${TREE}children() { kids=; [ -e "/proc/$k/task/$k/children" ] && read -r kids <"/proc/$k/task/$k/children"; }
spare() { children; spared=" $kids "; }
running() {
  local c
  tree=()
  if [ -e "/proc/$$/task/$$/children" ]; then children; for c in $kids; do case $spared in *" $c "*) ;; *) tree+=("$c"); below "$c" ;; esac; done; else below "$k"; fi
  marked "HERMES_RUN=$1"
  living
}
end_tree() {
  local left=$1 signalled=" " p name
  while [ "$left" -gt 0 ]; do
    running "$2"; [ \${#run[@]} = 0 ] && return
    for p in "\${run[@]}"; do
      name=; read -r name <"/proc/$p/comm"
      case $signalled in *" $p:$name "*) ;; *) signalled="$signalled$p:$name "; kill -TERM "$p"; kill -CONT "$p" ;; esac
    done
    sleep 0.04 || sleep 1
    left=$((left - 1))
  done
  for left in 1 2 3 4 5 6 7 8 9; do
    running "$2"; [ \${#run[@]} = 0 ] && return
    kill -STOP "\${run[@]}"; running "$2"; kill -STOP "\${run[@]}"; kill -KILL "\${run[@]}"
    sleep 0.02 || sleep 1
  done
}
runs() { running "$2"; report runs "$1" "\${run[*]:-$k}"; }
stop() {
  : >"$h/$1.stop"
  kill -USR1 "$k"
  end_tree "$3" "$2"; sleep 0.02; end_tree 20 "$2"
  report stopped "$1"
}
slay() { kill -STOP "$k"; end_tree 0 "$1"; kill -KILL "$k"; }
feed() {
  exec 4>&- 5>&- 6>&-
  while IFS= read -r order <&7; do [ "$order" != . ] || break; printf '%b' "\${order#:}"; report fed "$1"; done 7<>"$h/$1.feed" >"$h/$1.in"
  report fed "$1"
}
${RESIZE}
${keepScript(escaped(start.endMark))}
in_use() { children; if [ -n "$kids" ]; then report used 0 yes; else report used 0 no; fi; }
show_state() { cat "$h/state" >&4; printf '%s' ${escaped(start.endMark)}"0"$'\\001' >&4; }
finish() {
  trap : HUP INT QUIT TERM PIPE
  [ "$1" != keep ] || [ ! -r "$h/exports" ] || (umask 077; cp "$h/exports" "$h.state")
  for n in 1 2 3 4 5; do
    tree=(); below $$; marked ${quoted(start.mark)}
    [ \${#tree[@]} -gt 0 ] || break
    for p in "\${tree[@]}"; do [ "$p" = $$ ] || kill -STOP "$p"; done
    for p in "\${tree[@]}"; do [ "$p" = $$ ] || kill -KILL "$p"; done
  done
  if [ -e "$h/kept" ]; then left; else rm -rf "$h"; fi
  find "\${h%/*}" -maxdepth 1 -name 'hermes-terminal-*.state' -mtime +0 -exec rm -f {} +
  exit 0
}
__place
`;
}

/** Text as a word on one line, for bash in the C locale. */
export function escaped(text: string): string {
  return `$'${text.replaceAll(/[\\'\n\r\t\0]/g, (found) => ESCAPES[found]!)}'`;
}

/** Any bytes as the argument of `printf '%b'`, on one line. */
export function bytesWord(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString("latin1");
  return `'${text.replaceAll(/[^ -&(-[\]-~]/g, (found) => `\\0${found.charCodeAt(0).toString(8).padStart(3, "0")}`)}'`;
}

/** Stands for the directory, whose name the place completes. */
const DIRECTORY = "@DIRECTORY@";

const ESCAPES: { readonly [character: string]: string } = {
  "\\": "\\\\",
  "'": "\\'",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\0": "",
};

// The shell's children at the end of a command are those it left behind. Of one that outlives us the exit code is left.
const atEnd = (endMark: string): string => `builtin local kids=
  if [ -e "/proc/$$/task/$$/children" ]; then builtin read -r kids <"/proc/$$/task/$$/children"; else kids=$(builtin jobs -p); fi
  [ -z "$kids" ] || builtin printf 'stray %s %s\\0' "$id" "$kids" >"$__h/control"
  if [ -e "$__h/kept" ]; then builtin printf '%s\\n' "$1" >"$__h/exit"; else builtin printf '%s%s\\001' ${escaped(endMark)} "$id" >"$__h/$__hermes_slot"; fi`;
