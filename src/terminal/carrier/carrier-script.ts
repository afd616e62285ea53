import { quoted } from "../../contract/common/quoted.ts";

/** Seconds of silence after which a carrier assumes that the agent is gone, and ends its shell. */
const SILENCE_S = 45;
/** Bytes of output in one line at most. */
export const FRAME = 49_152;

export interface CarrierOptions {
  /** Of the carrier's directory, below the place's own directory for such. */
  readonly name: string;
  /** Streams that the environment forwards: none; output but no input (`output`); both. Pipes replace the rest. */
  readonly carries: "nothing" | "output" | "both";
  readonly variables: Record<string, string>;
}

/**
 * Run by `bash -c` in an environment that is reached by text requests instead of three pipes. It starts the shell and
 * transfers input and output as lines. In: `+TEXT` with escapes or `=BASE64` is input, `.` its end, an empty line a
 * sign of life. Out: each line is base64, preceded by `~` if it was compressed (deflate) from at most `FRAME` bytes,
 * and `.` is the end. The pipes are `i`, `o` and `e` of its directory. Spaces are signs of life for the reader of the
 * output.
 */
export function carrierScript(options: CarrierOptions): string {
  const exports = Object.entries(options.variables).map(([name, value]) => `export ${name}=${quoted(value)}`);
  const input = options.carries === "both" ? "5<&0" : '5<>"$d/i"';
  const output = options.carries === "nothing" ? '3<>"$d/o" 4<>"$d/e"' : "3>&1 4>&2";
  return `${carrierFolder(options.name)}
umask 077
mkdir -m 700 "$d" && mkfifo "$d/i" "$d/o" "$d/e" || exit 71
umask 022
${exports.join("\n")}
exec ${input} ${output} </dev/null >/dev/null 2>&1
feed() {
  printf '%s\\n' "$BASHPID" >"$d/feed"
  if [ -n "$perl" ]; then perl -MMIME::Base64 -e "$receive"; else receive; fi
  ( exec >/dev/null 3>&- 4>&- 5>&-; sleep 8; [ -d "$d" ] && { kill -KILL $(cat "$d/frames") $$; rm -rf "$d"; } ) &
}
receive() {
  while IFS= read -r -t ${SILENCE_S} l; do
    case $l in
      +*) printf '%b' "\${l#+}" ;;
      =*) printf '%s' "\${l#=}" | base64 -d ;;
      .) break ;;
      *) printf ' ' >&3; printf ' ' >&4 ;;
    esac
  done
}
# The same in one process, and faster: bash reads a pipe byte by byte.
receive='
  open(F, ">>", "$ENV{d}/feed"); print F "$$\\n"; close(F);
  open(O, ">&=3"); open(E, ">&=4"); $| = 1; $SIG{ALRM} = sub { exit };
  for (;;) {
    alarm ${SILENCE_S}; $l = <STDIN>; alarm 0;
    last unless defined $l; chomp $l;
    if ($l =~ s/^=//) { print decode_base64($l) }
    elsif ($l =~ s/^[+]//) { $l =~ s/\\\\0([0-7]{3})/chr oct $1/ge; print $l }
    elsif ($l eq ".") { last }
    else { syswrite(O, " "); syswrite(E, " ") }
  }'
# Compress output that gets shorter: most long output does, and each request then carries more.
frame='
  fcntl(STDIN, 1031, 1 << 20); fcntl(STDOUT, 1031, 1 << 20); $| = 1;
  $z = eval { require Compress::Raw::Zlib; Compress::Raw::Zlib::Deflate->new(-Level => 1, -WindowBits => -15, -AppendOutput => 1) };
  vec($r, 0, 1) = 1;
  while (sysread(STDIN, $b, ${FRAME})) {
    while (length($b) < ${FRAME} && select($n = $r, undef, undef, 0) > 0 && sysread(STDIN, $b, ${FRAME} - length($b), length($b))) {}
    if ($z && length($b) > 4096) {
      $z->deflateReset; $o = "";
      if ($z->deflate($b, $o) == 0 && $z->flush($o) == 0 && length($o) < 0.8 * length($b)) { print "~", encode_base64($o, ""), "\\n"; next }
    }
    print encode_base64($b, ""), "\\n";
  }
  print ".\\n"'
frames() {
  printf '%s\\n' "$BASHPID" >>"$d/frames"
  # One process where there is perl, some for each piece where there is not.
  [ -z "$perl" ] || exec perl -MMIME::Base64 -e "$frame" 3>&- 4>&-
  while l=$(exec 3>&- 4>&-; dd bs=49152 count=1 2>/dev/null | base64 | tr -d '\\n') && [ -n "$l" ]; do printf '%s\\n' "$l"; done
  printf '.\\n'
}
: >"$d/frames"
export d; perl=$(command -v perl) && perl -MMIME::Base64 -e 1 || perl=
{ feed <&5 6>&- | { env -u d bash --norc --noprofile 2>&6 3>&- 4>&- 5<&- 6>&-; kill -KILL $(cat "$d/feed"); } | frames >&3 4>&- 5<&- 6>&-; } 6>&1 | frames >&4 3>&- 5<&-
${options.carries === "nothing" ? "sleep 5" : ":"}
rm -rf "$d"
`;
}

/** Bash text that sets `d` to the directory of the carrier of that name. */
export function carrierFolder(name: string): string {
  return `d=\${TMPDIR:-/tmp}; [ -d "$d" ] && [ -w "$d" ] || d=/tmp; d=$d/${name}`;
}
