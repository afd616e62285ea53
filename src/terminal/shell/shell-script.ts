/**
 * The bash side of a persistent shell: its start script, and the lines it receives. Works from bash 3.2 on. Backends
 * differ in what they start around it.
 */

import { quoted } from "../../contract/common/quoted.ts";

/**
 * Read by the shell before its first command, and again after a command that left it. `exit`, `set -e` and a stop
 * signal all end in `__hermes_left`: it reports, saves variables, functions, aliases and options, and starts a new
 * shell in the same process that reads them. Their aliases cannot affect our lines: words that are read while aliases
 * are active begin with a backslash. A command's own EXIT trap is saved and runs at the end of that command, as in a
 * separate shell.
 * @param directory A word that the shell reads as the path of the terminal's directory.
 * @param atEnd Lines run at the end of each command, before its end is reported; `$id` is its number.
 */
export function initScript(directory: string, mark: string, atEnd = ""): string {
  return `
__h=${directory}
[ -r "$__h/state" ] && { . "$__h/state"; command rm -f -- "$__h/state"; } >/dev/null 2>&1
\\shopt -u expand_aliases
__h=${directory}
unset HERMES_RUN
export ${mark}
__hermes_id= __hermes_slot= __hermes_back= __hermes_exit=
unset -f trap
__hermes_end() {
  builtin set +eux
  builtin local action="$__hermes_exit"
  __hermes_exit=
  [ -z "$action" ] || builtin eval "$action" </dev/null >>"$__h/$__hermes_slot" 2>&1
  [ -z "$__hermes_back" ] || builtin cd -- "$__hermes_back"
  __hermes_back=
}
# Overwrite without truncating: truncating first takes five times as long. The return ends the new text; older text follows it.
__hermes_keep() { { builtin export -p; builtin printf 'builtin return\\n'; } 1<>"$__h/exports"; }
__hermes_done() {
  __hermes_end
  # A stop signal before this line leaves the shell, one after it is late: never both.
  builtin local id="$__hermes_id"
  __hermes_id=
  __hermes_keep
  ${atEnd}
  builtin printf 'done %s %s %s\\0' "$id" "$1" "$PWD" >"$__h/control"
}
__hermes_left() {
  [ -n "$__hermes_id" ] || builtin return
  __hermes_end
  builtin trap - HUP INT QUIT TERM PIPE ALRM ABRT ILL TRAP BUS FPE SEGV SYS USR1 USR2 ERR DEBUG RETURN
  { builtin declare -p; builtin declare -f; builtin alias -p; builtin shopt -p; builtin set +o; } >"$__h/state"
  __hermes_keep
  builtin local id="$__hermes_id"
  ${atEnd}
  builtin printf 'left %s %s %s\\0' "$__hermes_id" "$1" "$PWD" >"$__h/control"
  builtin exec "$BASH" --norc --noprofile <"$__h/in" >/dev/null 2>&1
}
trap '{ __hermes_left $?; } 2>/dev/null' EXIT
trap '[ -z "$__hermes_id" ] || exit 130' USR1
# Without these the status that it ends with would be that of the command before.
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 141' PIPE
trap 'exit 142' ALRM
trap 'exit 134' ABRT
trap 'exit 132' ILL
trap 'exit 133' TRAP
trap 'exit 135' BUS
trap 'exit 136' FPE
trap 'exit 139' SEGV
trap 'exit 140' USR2
trap 'exit 159' SYS
trap() {
  if [ "$BASH_SUBSHELL" != 0 ] || [ $# -lt 2 ]; then builtin trap "$@"; return; fi
  case $1 in -*[pl]*) builtin trap "$@"; return ;; --) shift ;; esac
  builtin local action="$1" signal
  shift
  for signal; do
    case $signal in
      0|[Ee][Xx][Ii][Tt]|SIGEXIT) if [ "$action" = - ]; then __hermes_exit=; else __hermes_exit=$action; fi ;;
      [Dd][Ee][Bb][Uu][Gg]|[Ee][Rr][Rr]|[Rr][Ee][Tt][Uu][Rr][Nn])
        # Where one of these is taken away in a function, it is back after it.
        [ "$action" != - ] || action=:
        builtin trap -- "$action" "$signal" ;;
      *) builtin trap -- "$action" "$signal" || return ;;
    esac
  done
}
shopt -s expand_aliases
`;
}

/** A command on its way to the shell: what reads it, and the word it is then. */
export interface CommandText {
  readonly read: string;
  readonly word: string;
  /** The start script of a separate shell. */
  readonly own: string;
}

export function inlineText(command: string): CommandText {
  return { read: "", word: quoted(command), own: `-c ${quoted(command)}` };
}

/** Bash reads its own input byte by byte and files in blocks, so long commands travel through a file. */
export function fileText(file: string): CommandText {
  return {
    read: `IFS= \\builtin read -r -d '' __hermes_text <${quoted(file)};`,
    word: '"$__hermes_text"',
    own: quoted(file),
  };
}

interface Line {
  readonly id: number;
  readonly text: CommandText;
  readonly cwd: string | undefined;
}

/** For a shell that runs one command at a time: in a copy of it, so that nothing the command changes stays. */
export function asideLine(
  run: Line & {
    readonly slot: string;
    readonly stdin: string;
    readonly mark: string;
    readonly exports: string | undefined;
    readonly background: boolean;
  },
): string {
  const body = run.background
    ? `\\builtin export PYTHONUNBUFFERED=1; \\builtin printf 'started %s %s\\0' ${run.id} "\${BASHPID:-0}" >"$__h/control"; \\builtin exec "$BASH" --norc --noprofile ${run.text.own}`
    : `\\builtin trap - EXIT; \\builtin eval -- ${run.text.word}`;
  return `__hermes_id=${run.id} __hermes_slot=${run.slot};${run.text.read}if [ ! -e "$__h/${run.id}.stop" ]; then ( ${source(run.exports)}\\builtin export HERMES_RUN=${run.mark}; ${enter(run.cwd)}${body} ) <${run.stdin} >"$__h/${run.slot}" 2>&1; fi
__hermes_done $?
`;
}

/** Sent before the first line, and again after a command that left the shell. */
export function initLine(directory: string): string {
  return `\\builtin . ${quoted(`${directory}/init`)}; \\builtin printf 'init 0 \\0' >"$__h/control"\n`;
}

/**
 * Runs in the shell itself, so that whatever it changes stays; not at all when a file ID.stop says that it was stopped
 * before it began. `mark` names the run in its children's environment, for places where they are not found otherwise.
 */
export function runLine(
  run: Line & { readonly slot: string; readonly stdin: string; readonly mark: string | undefined },
): string {
  const command = `\\builtin eval -- ${run.text.word}`;
  const body =
    run.cwd === undefined
      ? `${ENTER_AGAIN} ${command};`
      : `if \\builtin cd -- ${quoted(run.cwd)}; then ${command}; else ( \\builtin exit 126 ); fi;`;
  return `__hermes_id=${run.id} __hermes_slot=${run.slot};${run.cwd === undefined ? "" : "__hermes_back=$PWD;"}${run.mark === undefined ? "" : `\\builtin export HERMES_RUN=${run.mark};`}${run.text.read}if [ ! -e "$__h/${run.id}.stop" ]; then { ${body} } <${run.stdin} >"$__h/${run.slot}" 2>&1; fi
__hermes_done $?
`;
}

/** Makes the named pipe of a slot and reports it, before a command that runs in the shell itself needs it. */
export function makeSlotLine(id: number, slot: string): string {
  return `\\command mkfifo -m 600 "$__h/${slot}"; \\builtin printf 'made %s\\0' ${id} >"$__h/control"\n`;
}

/** Runs in a copy of the shell, in a separate process group; the outer copy reports how the inner one ended. */
export function besideLine(
  run: Line & {
    readonly slot: string;
    readonly make: boolean;
    readonly stdin: string;
    readonly exports: string | undefined;
  },
): string {
  return `${run.make ? `\\command mkfifo -m 600 "$__h/${run.slot}";` : ""}\\builtin set -m
( ${source(run.exports)}\\builtin export HERMES_RUN=${run.id}; ( ${enter(run.cwd)}${run.text.read}\\builtin eval -- ${run.text.word} ) <${run.stdin} >"$__h/${run.slot}" 2>&1; \\builtin printf 'done %s %s \\0' ${run.id} $? >"$__h/control" ) </dev/null &
${afterStart(run.id)}`;
}

/**
 * In a separate shell with the exported variables, so that `$$` is the command's own number, with an input that stays
 * open. Its exit code also goes into `exitFile`, which is complete once it has a line end. A pipe opened both ways
 * reports its end and needs no reader: the agent may be gone.
 */
export function backgroundLine(
  run: Line & { readonly exports: string | undefined; readonly exitFile: string | undefined },
): string {
  const input = `"$__h/${run.id}.in"`;
  const output = `"$__h/${run.id}.out"`;
  const keepCode =
    run.exitFile === undefined ? "" : `\\builtin printf '%s\\n' "$__hermes_code" >|${quoted(run.exitFile)};`;
  return `\\builtin set -m
( ${source(run.exports)}\\builtin export HERMES_RUN=${run.id} PYTHONUNBUFFERED=1; \\command mkfifo -m 600 ${input} ${output}; \\builtin printf 'made %s\\0' ${run.id} >"$__h/control"
\\exec <${input} >${output} 2>/dev/null; \\command rm -f -- ${input} ${output}; \\builtin printf 'ready %s\\0' ${run.id} >"$__h/control"
( ${enter(run.cwd)}\\builtin exec "$BASH" --norc --noprofile ${run.text.own} ) 2>&1; __hermes_code=$?; ${keepCode} \\builtin printf 'done %s %s \\0' ${run.id} "$__hermes_code" 1<>"$__h/control" ) </dev/null &
${afterStart(run.id)}`;
}

/** Enters the working directory again by its path, because the directory may have been replaced since. */
const ENTER_AGAIN = `[ . -ef "$PWD" ] || \\builtin cd -- "$PWD" 2>/dev/null;`;

function enter(cwd: string | undefined): string {
  return cwd === undefined ? ENTER_AGAIN : `\\builtin cd -- ${quoted(cwd)} || \\builtin exit 126;`;
}

// The other shell's variables, and our own mark.
function source(exports: string | undefined): string {
  return exports === undefined
    ? ""
    : `__hermes_mark=$HERMES_TERMINAL; \\builtin . ${quoted(exports)} >/dev/null 2>&1; \\builtin export HERMES_TERMINAL="$__hermes_mark";`;
}

// Disowned, so that a command's own `wait` does not wait for what others started.
function afterStart(id: number): string {
  return `\\builtin set +m; \\builtin disown $!; \\builtin printf 'started %s %s\\0' ${id} $! >"$__h/control"
`;
}
