import { DRAIN } from "./drain-script.ts";

/** Bash functions of a place that find processes. Zombies run no more. */
export const TREE = `
below() {
  local f c kids
  if [ -e "/proc/$$/task/$$/children" ]; then
    for f in /proc/$1/task/*/children; do kids=; read -r kids <"$f"; for c in $kids; do tree+=("$c"); below "$c"; done; done
  else
    for c in $(ps -axo ppid=,pid= | while read -r f c; do [ "$f" != "$1" ] || echo "$c"; done); do tree+=("$c"); below "$c"; done
  fi
}
marked() { local f; for f in $(grep -lsF "$1" /proc/[0-9]*/environ); do f=\${f#/proc/}; tree+=("\${f%/environ}"); done; }
living() {
  local c s
  run=()
  for c in "\${tree[@]}"; do
    s=; [ ! -e "/proc/$$/stat" ] || { read -r s <"/proc/$c/stat"; s=\${s##*) }; [ -n "$s" ] || continue; }
    case $s in Z*|X*) ;; *) [ "$c" = "$k" ] || [ "$c" = "$$" ] || run+=("$c") ;; esac
  done
}
`;

/** Bash function: when a process was started, as no other process ever was. */
export const BORN = `
born() {
  local s
  if [ -e "/proc/$$/stat" ]; then read -r s <"/proc/$1/stat" || return; s=\${s##*) }; set -- $s; printf '%s %s' "\${20}" "$(cat /proc/sys/kernel/random/boot_id)"
  else ps -o lstart= -p "$1"; fi
}
`;

/**
 * Bash functions of the supervisor of a shell whose background command is to outlive us. Output so far is ours; later
 * output goes into the file `log` of the shell's folder, and the exit code into `exit`. The file `kept` names the
 * supervisor. When our input ends, the supervisor waits for the command's end, ends the processes that it left, and
 * leaves the three files.
 * @param endMark Written after our part of the output.
 */
export const keepScript = (endMark: string): string => `${BORN}
hold() {
  running "$2"; [ \${#run[@]} = 0 ] || kill -STOP "\${run[@]}"
  running "$2"; still=("\${run[@]}"); [ \${#run[@]} = 0 ] || kill -STOP "\${run[@]}"
  printf '%s%s\\001' ${endMark} "$1" >"$h/$slot"
}
release() { [ \${#still[@]} = 0 ] || kill -CONT "\${still[@]}"; still=(); }
keep() {
  local folder=
  if ! command -v dd; then folder=dd
  elif kill -0 "$3"; then
    folder=$h
    log=$h/log
    exec 3<"$h/$slot"
    kill "$relay"; wait "$relay"
    ( exec 4>&- 5>&- 6>&- </dev/null; umask 077; ${DRAIN} ) &
    drain=$!
    exec 3<&-
    printf '%s %s\\n' $$ "$(born $$)" >"$h/kept"
    kept=$2
  fi
  release
  report kept "$1" "$folder"
}
mind() {
  trap : HUP INT QUIT TERM PIPE
  kill "$reporter"; wait "$reporter"
  exec 7<>"$h/control" 4>&- 5>&- </dev/null
  # The shell writes here when the command has ended. The timeout notices that the folder was removed.
  while [ -e "$h/kept" ] && [ ! -s "$h/exit" ] && kill -0 "$k"; do IFS= read -r -d '' -t 30 notice <&7; done
  end_tree 20 "$kept"
  wait "$drain"
}
left() {
  local f
  for f in "$h"/*; do case $f in */log|*/log.1|*/exit|*/kept) ;; *) rm -f -- "$f" ;; esac; done
  find "\${h%/*}" -maxdepth 2 -path '*/hermes-terminal-*/exit' -mtime +6 -exec sh -c 'rm -rf "\${1%/exit}"' sh {} ';'
}
`;

/** Shell text that ends with 0 where something runs that was left in this place. */
export const HAS_DETACHED_PROCESS = `h=\${TMPDIR:-/tmp}; [ -d "$h" ] && [ -w "$h" ] || h=/tmp; for f in "$h"/hermes-terminal-*/kept; do [ -r "$f" ] && [ ! -s "\${f%kept}exit" ] && read -r p rest <"$f" && kill -0 "$p" && exit 0; done 2>/dev/null; exit 1`;
