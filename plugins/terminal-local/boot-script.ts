/** Named pipes that exist from the start, each for the output of one command at a time. */
export const FIRST_SLOTS = 9;

/**
 * First process of a terminal. Creates the named pipes, starts the watchdog, and becomes the shell that reads its
 * commands from `in`. If perl is installed, it makes the shell the "child subreaper": a process that leaves its parent,
 * group and session becomes a child of the shell again, so the shell can always find it. The end of its input means
 * that the agent ended. $1 directory, $2 mark, $3 number of prctl.
 */
export const BOOT = `
exec 3<&0 </dev/null
mkfifo -m 600 "$1/in" "$1/control" "$1"/s0 ${Array.from({ length: FIRST_SLOTS - 1 }, (_, n) => `"$1"/s${n + 1}`).join(" ")} || exit 1
below() {
  local task c kids
  if [ -r "/proc/$1/stat" ]; then
    for task in "/proc/$1/task/"*/children; do
      kids=; read -r kids <"$task"
      for c in $kids; do echo "$c"; below "$c"; done
    done
  else ps -axo pid=,ppid= | while read -r c p; do [ "$p" = "$1" ] && { echo "$c"; below "$c"; }; done; fi
} 2>/dev/null
(
  trap '' HUP INT TERM QUIT USR1
  exec >/dev/null 2>&1
  # As long as we hold it open too, the shell does not read the end of its commands before we have found what it has started.
  exec 4<>"$1/in"
  read -r _ <&3
  me=$(exec sh -c 'echo $PPID')
  shell=
  if [ ! -r /proc/self/stat ] || grep -qsaF "$2" "/proc/$$/environ"; then shell=$$; kill -STOP "$shell"; fi
  stays() {
    while read -r pid run; do
      echo "$pid $(below "$pid")"
      grep -lsaF "$2" $(grep -lszxF "HERMES_RUN=$run" /proc/[0-9]*/environ) /dev/null | tr -dc '0-9\\n'
    done <"$1/kept"
  }
  # The shell goes last: orphans come back to it, and nothing else knows those without a mark.
  before=none
  for round in 1 2 3 4 5; do
    found="$([ -z "$shell" ] || below "$shell") $(grep -lsaF "$2" /proc/[0-9]*/environ | tr -dc '0-9\\n')"
    if [ -s "$1/kept" ]; then
      spared=" $(echo $(stays "$1" "$2")) " rest=
      for pid in $found; do case $spared in *" $pid "*) ;; *) rest="$rest $pid" ;; esac; done
      found=$rest
    fi
    for pid in $found; do [ "$pid" = "$me" ] || [ "$pid" = "$shell" ] || kill -STOP "$pid"; done
    for pid in $found; do [ "$pid" = "$me" ] || [ "$pid" = "$shell" ] || kill -KILL "$pid"; done
    [ "$found" != "$before" ] || break
    before=$found
  done
  [ -z "$shell" ] || kill -KILL "$shell"
  rm -rf "$1"
  rmdir "\${1%/*}" 2>/dev/null
) </dev/null >/dev/null &
echo "$! $$"
export HERMES_TERMINAL="\${2#*=}"
[ -n "$3" ] && command -v perl >/dev/null && exec perl -e 'syscall($ARGV[0], 36, 1, 0, 0, 0); exec($ARGV[1], "--norc", "--noprofile")' "$3" "$BASH" <"$1/in" >/dev/null 2>&1 3<&-
exec "$BASH" --norc --noprofile <"$1/in" >/dev/null 2>&1 3<&-
`;
