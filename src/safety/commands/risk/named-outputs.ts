import type { Call } from "../evaluate/call.ts";
import { UNSEEN } from "./effect.ts";
import { isKnown } from "../parse/marks.ts";
import { fork } from "../parse/state.ts";

/** Files that a shell, a login or the system reads, folders of keys, and libraries of the moment, in any words. */
const WORTH_A_LOOK =
  /\.(?:bash|zsh|profile|zprofile|kshrc|login|inputrc|vimrc|netrc|npmrc|pypirc)|\.ssh\b|authorized_keys|\/etc\/|autostart|systemd\/|\.git\/hooks|\.hermes|\/(?:tmp|shm)\/\S+\.(?:so|dylib)\b|[= :](?:\/\S*\/)?(?:rm|sh|bash|curl|wget|shred)\s+-/;

/** Options of any program that name a file or a folder that it writes. */
const OUTPUT =
  /^-{1,2}(?:o|O|out|output|out-?(?:file|dir)|output-(?:file|dir|directory|path)|log|log-?(?:file|path)|dump|dump-[\w-]+|save|save-[\w-]+|write|write-[\w-]+|writepid|export|export-[\w-]+|report|report-file|dest|destination|dest-?dir|target-?dir|trace|trace-(?:file|output)|record|pid-?file|history(?:-file)?|extract-[\w-]+|screenshot-[\w-]+|stats(?:-file)?|transcript|journal|cache-dir|download-dir)$/;

/** Programs whose words are texts, names or places of their own, or which their own function judges as a whole. */
const OWN_WORDS = new Set(
  `git gh glab hg svn grep egrep fgrep zgrep rg ag ack sed awk gawk echo printf jq yq psql mysql mariadb sqlite3 find fd
    tee cp mv ln rm install rsync scp sftp ssh docker podman nerdctl kubectl helm curl wget tar zip test [ export alias
    set unset declare local readonly bash sh zsh dash python python3 node ruby perl php make npm npx pnpm yarn cargo go
    logger notify-send say tmux screen xdotool at crontab mail mailx aws gcloud az hermes`.split(/\s+/),
);
const TEXT_OPTION =
  /^-{1,2}(?:m|t|e|d|b|s|n|k|q|title|message|msg|body|text|name|label|description|comment|subject|summary|pattern|regexp?|expr|expression|grep|match|filter|query|search|format|note|notes|tag|prompt|arg|args|env|define|data|header)$/;
const COMMAND = /^(?:\/\S*\/)?(?:rm|sh|bash|curl|wget|shred)\s+-/;
/** Programs that look at libraries, or make and move them. */
const OF_LIBRARIES =
  /^(?:file|ldd|nm|objdump|objcopy|readelf|strip|patchelf|gcc|g\+\+|cc|c\+\+|clang|clang\+\+|ld|ar|size|strings|stat|ls|sha\d+sum|md5sum|xxd|hexdump|od|cmp|diff|chmod|touch|cat|unzip|python3?)$/;

/**
 * What the options of any program say about files, commands and libraries, whatever the tables know of it: `--log
 * ~/.bashrc`, `--ctags='rm -rf x'`, `plugin /tmp/x.so`. Most calls end at the first look.
 */
export function namedOutputs(call: Call): void {
  if (call.args.length === 0 || OWN_WORDS.has(call.program)) return;
  const text = call.args.join(" ");
  if (text.length > 4000 || !WORTH_A_LOOK.test(text)) return;
  for (const [at, arg] of call.args.entries()) {
    if (!isKnown(arg)) continue;
    const [, option = call.args[at - 1] ?? "", value = arg] = /^(-{1,2}[A-Za-z][\w-]*)=(.*)$/s.exec(arg) ?? [];
    if (OUTPUT.test(option)) call.by.write(value.replace(/^[a-z][\w-]*:(?=\/)/, ""), call);
    else if (option.startsWith("-") && COMMAND.test(value) && !TEXT_OPTION.test(option))
      call.by.suspect(() => void call.by.script(value, call, { stdin: UNSEEN, state: fork(call.state) }));
    if (/(?:^|[\s=:,])\/(?:tmp|var\/tmp|dev\/shm)\/\S+\.(?:so|dylib)\b/.test(arg) && !OF_LIBRARIES.test(call.program))
      call.by.harm("option-runs", `${call.program} loads ${arg}`);
  }
}
