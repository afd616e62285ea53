/** The bash side of a kept-open shell: what it runs at its start, and the lines it is sent. Works from bash 3.2 on. */

/** Named pipes that exist from the start, each for the output of one command at a time. */
export const FIRST_SLOTS = 9;

/**
 * First process of a terminal. Makes the directory and the named pipes, starts the watchdog, and becomes the shell that reads its commands from `in`.
 * Where perl is there, it makes the shell the "child subreaper": whoever leaves parent, group and session comes back to the shell as
 * its child, so that nothing started in a terminal is ever out of its reach. The end of its input is the end of the agent. $1 directory, $2 mark, $3 number of prctl.
 */
export const BOOT = `
exec 3<&0 </dev/null
mkdir -m 700 "$1" || exit 1
mkfifo -m 600 "$1/in" "$1/control" "$1"/s0 ${Array.from({ length: FIRST_SLOTS - 1 }, (_, n) => `"$1"/s${n + 1}`).join(" ")} || exit 1
below() {
  local c
  if [ -r "/proc/$1/stat" ]; then for c in $(cat "/proc/$1/task/"*/children 2>/dev/null); do echo "$c"; below "$c"; done
  else ps -axo pid=,ppid= | while read -r c p; do [ "$p" = "$1" ] && { echo "$c"; below "$c"; }; done; fi
}
(
  trap '' HUP INT TERM QUIT USR1
  exec >/dev/null 2>&1
  read -r _ <&3
  me=$(exec sh -c 'echo $PPID')
  for round in 1 2 3 4 5; do
    found=
    if [ ! -r /proc/self/stat ] || grep -qsaF "$2" "/proc/$$/environ"; then found="$$ $(below $$)"; fi
    found="$found $(grep -lsaF "$2" /proc/[0-9]*/environ | tr -dc '0-9\\n')"
    for pid in $found; do [ "$pid" = "$me" ] || kill -STOP "$pid"; done
    for pid in $found; do [ "$pid" = "$me" ] || kill -KILL "$pid"; done
  done
  rm -rf "$1"
) </dev/null >/dev/null &
echo "$!"
export HERMES_TERMINAL="\${2#*=}"
[ -n "$3" ] && command -v perl >/dev/null && exec perl -e 'syscall($ARGV[0], 36, 1, 0, 0, 0); exec($ARGV[1], "--norc", "--noprofile")' "$3" "$BASH" <"$1/in" >/dev/null 2>&1 3<&-
exec "$BASH" --norc --noprofile <"$1/in" >/dev/null 2>&1 3<&-
`;

/**
 * Read by the shell before its first command, and again after a command that left it. `exit`, `set -e` and a stop signal all end in
 * `__hermes_left`: it reports, writes down variables, functions, aliases and options, and starts a new shell in the same process that
 * reads them. A command's own EXIT trap is kept aside and run at the end of that command, as a shell of its own would.
 */
export function initScript(directory: string, mark: string): string {
  const state = quoted(`${directory}/state`);
  return `
[ -r ${state} ] && { . ${state}; command rm -f -- ${state}; } >/dev/null 2>&1
__h=${quoted(directory)}
unset HERMES_RUN
export ${mark}
__hermes_id= __hermes_slot= __hermes_back= __hermes_exit=
shopt -s expand_aliases
unset -f trap
__hermes_end() {
  builtin set +eux
  builtin local action="$__hermes_exit"
  __hermes_exit=
  [ -z "$action" ] || builtin eval "$action" </dev/null >>"$__h/$__hermes_slot" 2>&1
  [ -z "$__hermes_back" ] || builtin cd -- "$__hermes_back"
  __hermes_back=
}
__hermes_done() {
  __hermes_end
  # A stop signal before this line leaves the shell, one after it is late: never both.
  builtin local id="$__hermes_id"
  __hermes_id=
  builtin printf 'done %s %s %s\\0' "$id" "$1" "$PWD" >"$__h/control"
  builtin export -p >"$__h/exports"
}
__hermes_left() {
  [ -n "$__hermes_id" ] || builtin return
  __hermes_end
  builtin trap - HUP INT QUIT TERM PIPE ALRM USR1 USR2 ERR DEBUG RETURN
  { builtin declare -p; builtin declare -f; builtin alias -p; builtin shopt -p; builtin set +o; } >"$__h/state"
  builtin printf 'left %s %s %s\\0' "$__hermes_id" "$1" "$PWD" >"$__h/control"
  builtin exec "$BASH" --norc --noprofile <"$__h/in" >/dev/null 2>&1
}
trap '{ __hermes_left $?; } 2>/dev/null' EXIT
trap '[ -z "$__hermes_id" ] || exit 130' USR1
trap() {
  if [ "$BASH_SUBSHELL" != 0 ] || [ $# -lt 2 ]; then builtin trap "$@"; return; fi
  case $1 in -*[pl]*) builtin trap "$@"; return ;; --) shift ;; esac
  builtin local action="$1" signal
  shift
  for signal; do
    case $signal in
      0|[Ee][Xx][Ii][Tt]|SIGEXIT) if [ "$action" = - ]; then __hermes_exit=; else __hermes_exit=$action; fi ;;
      *) builtin trap -- "$action" "$signal" || return ;;
    esac
  done
}
`;
}

/** A command on its way to the shell: what reads it, and the word it is then. */
export interface CommandText {
  readonly read: string;
  readonly word: string;
  /** What a shell of its own is started with. */
  readonly own: string;
}

export function inlineText(command: string): CommandText {
  return { read: "", word: quoted(command), own: `-c ${quoted(command)}` };
}

/** Bash reads its own input byte by byte and files in blocks, so long commands travel through a file. */
export function fileText(file: string): CommandText {
  return { read: `IFS= builtin read -r -d '' __hermes_text <${quoted(file)};`, word: "\"$__hermes_text\"", own: quoted(file) };
}

interface Line {
  readonly id: number;
  readonly text: CommandText;
  readonly cwd: string | undefined;
}

/** Sent before the first line, and again after a command that left the shell. */
export function initLine(directory: string): string {
  return `. ${quoted(`${directory}/init`)}; builtin printf 'init \\0' >"$__h/control"\n`;
}

/** Runs in the shell itself, so that whatever it changes stays; not at all when a file ID.stop says that it was stopped before it began. `mark` names the run in its children's environment. */
export function runLine(run: Line & { readonly slot: string; readonly stdin: string; readonly mark: boolean }): string {
  const command = `builtin eval -- ${run.text.word}`;
  const body = run.cwd === undefined ? `${command};` : `if builtin cd -- ${quoted(run.cwd)}; then ${command}; else ( exit 126 ); fi;`;
  return `__hermes_id=${run.id} __hermes_slot=${run.slot};${run.cwd === undefined ? "" : "__hermes_back=$PWD;"}${run.mark ? `export HERMES_RUN=${run.id};` : ""}${run.text.read}if [ ! -e "$__h/${run.id}.stop" ]; then { ${body} } <${run.stdin} >"$__h/${run.slot}" 2>&1; fi
__hermes_done $?
`;
}

/** Runs in a copy of the shell, in a process group of its own; the outer copy tells how the inner one ended. */
export function besideLine(run: Line & { readonly slot: string; readonly make: boolean; readonly stdin: string; readonly exports: string | undefined }): string {
  return `${run.make ? `command mkfifo -m 600 "$__h/${run.slot}";` : ""}builtin set -m
( ${source(run.exports)}export HERMES_RUN=${run.id}; ( ${enter(run.cwd)}${run.text.read}builtin eval -- ${run.text.word} ) <${run.stdin} >"$__h/${run.slot}" 2>&1; builtin printf 'done %s %s \\0' ${run.id} $? >"$__h/control" ) </dev/null &
${afterStart(run.id)}`;
}

/** In a shell of its own with the exported variables, so that `$$` is the command's own number; with an input that stays open. */
export function backgroundLine(run: Line & { readonly exports: string | undefined }): string {
  const input = `"$__h/${run.id}.in"`;
  const output = `"$__h/${run.id}.out"`;
  return `builtin set -m
( ${source(run.exports)}export HERMES_RUN=${run.id} PYTHONUNBUFFERED=1; command mkfifo -m 600 ${input} ${output}; builtin printf 'made %s\\0' ${run.id} >"$__h/control"
exec <${input} >${output} 2>/dev/null; command rm -f -- ${input} ${output}; builtin printf 'ready %s\\0' ${run.id} >"$__h/control"
( ${enter(run.cwd)}builtin exec "$BASH" --norc --noprofile ${run.text.own} ) 2>&1; builtin printf 'done %s %s \\0' ${run.id} $? >"$__h/control" ) </dev/null &
${afterStart(run.id)}`;
}

/** A word that bash reads back as it is. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function enter(cwd: string | undefined): string {
  return cwd === undefined ? "" : `builtin cd -- ${quoted(cwd)} || exit 126;`;
}

// The other shell's variables, and our own mark.
function source(exports: string | undefined): string {
  return exports === undefined ? "" : `__hermes_mark=$HERMES_TERMINAL; . ${quoted(exports)} >/dev/null 2>&1; export HERMES_TERMINAL="$__hermes_mark";`;
}

// Disowned, so that a command's own `wait` does not wait for what others started.
function afterStart(id: number): string {
  return `builtin set +m; builtin disown $!; builtin printf 'started %s %s\\0' ${id} $! >"$__h/control"
`;
}
