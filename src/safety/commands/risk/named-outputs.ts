import type { Call } from "../evaluate/call.ts";
import { UNSEEN } from "./effect.ts";
import { isKnown } from "../parse/marks.ts";
import { fork } from "../parse/state.ts";

const TEMPORARY = String.raw`\/(?:tmp|var\/tmp|dev\/shm|private\/tmp)\/`;
/** Files that a shell, a login or the system reads without being asked, and folders of keys. */
const STARTUP =
  /(?:^|[/:=])\.(?:bash(?:rc|_profile|_login|_logout|_aliases)|profile|zshrc|zshenv|zprofile|zlogin|kshrc|xprofile|xinitrc|xsession|inputrc|vimrc)$|\/\.ssh(?:\/(?:authorized_keys\d?|config|rc|environment|known_hosts))?\/?$|\/\.config\/(?:autostart|systemd|fish)\/|^\/etc\/(?:cron|init\.d|profile|sudoers|systemd|ld\.so)|\/\.git\/hooks\//;
const WORTH_A_LOOK = new RegExp(
  [
    String.raw`\.(?:bash|zsh|profile|zprofile|kshrc|xprofile|xinit|xsession|inputrc|vimrc)`,
    String.raw`\.ssh\b|\/etc\/|autostart|systemd\/|\.git\/hooks|\.hermes`,
    TEMPORARY,
    String.raw`\b(?:os\.|io\.popen|subprocess|child_process|system\s*\()`,
    String.raw`\b(?:cmd(?:\.exe)?|del|rd|format)\s\S|powershell\s|(?:Proxy|Local)Command=`,
    String.raw`(?:[= :]|^)(?:\/\S*\/)?(?:rm|sh|bash|curl|wget|shred)\s+-`,
  ].join("|"),
);

/** Options of any program that name a file or a folder that it writes. */
const OUTPUT =
  /^-{1,2}(?:o|O|oL|oX|oJ|oG|MD|MF|out|output|[\w-]*out-?(?:file|dir)|output-[\w-]+|[\w-]*log-?(?:file|path|junit)?|daemonize|access-logfile|error-logfile|junit-?(?:xml|output)?|[\w-]*-html|[\w-]*-xml|dump|dump-[\w-]+|save|save-[\w-]+|write|write-[\w-]+|writepid|export|export-[\w-]+|report|report-[\w-]+|dest|destination|dest-?dir|target-?dir|trace|trace-[\w-]+|record|pid|pid-?file|history(?:-file)?|extract-[\w-]+|screenshot-[\w-]+|stats(?:-file)?|transcript|journal|session|cache-dir|download-dir|basetemp|temp-?dir|tmp-?dir|data-dir)$/i;
/** Options of any program whose value it runs, loads, or takes settings from. */
const STARTS =
  /^-{1,2}[\w.-]*(?:command|cmd|exec(?:utable)?|program|prog|extpass|askpass|helper|hooks?|plugins?|module|script|python|interpreter|viewer|editor|pager|loader|library|engine|formatter|reporter|runner|wrapper|callback|action|handler|filter|driver|policy|polfile|rules|setup[\w-]*|bootstrap|config|conf|rcfile|rc|pro|init-?file|startup|settings|profile|style)(?:[-_.]?(?:path|dir|file))?$/i;
const SETTINGS_FILE = new RegExp(
  String.raw`^(?:rc:)?${TEMPORARY}\S*(?:\.(?:conf|cfg|ini|toml|ya?ml|cnf|rc|py|rb)|rc)$`,
);
/** Behind `-c` of a program of which nothing is known. */
const SETTINGS_THERE = new RegExp(
  String.raw`^${TEMPORARY}[\w./-]*?(?:/[\w-]+|\.(?:lua|js|json|xml|sh|pl|rules|conf\w*))$|^${TEMPORARY}[\w-]+$`,
);
/** A program text behind any letter: `-r /tmp/x.rb`. */
const SCRIPT_THERE = new RegExp(String.raw`^${TEMPORARY}\S*\.(?:rb|py|lua|pl|pm|sh|bash|js|mjs|so)$`);
/** A text that starts a program in one of the usual languages. */
const RUNS_CODE = /\b(?:os\.(?:execute|system|popen)|io\.popen|subprocess\.\w+|child_process|system)\s*\(\s*["'[]/;
const IN_TEMPORARY = new RegExp(`^${TEMPORARY}`);
const LIBRARY = new RegExp(String.raw`(?:^|[\s=:,])${TEMPORARY}\S+\.(?:so|dylib)\b`);

/** `config set hooks.dir /tmp/x` */
const SETS = /^(?:-\S+ )*(?:config|set|option|settings?)(?: set)? /;
const KEY_RUNS =
  /(?:^|[._-])(?:hooks?|exec|command|cmd|script|program|plugins?|helper|editor|pager|askpass|shell)(?:$|[._-])/i;

/** A file without an ending in a folder where anyone may write, and no output: `-s /tmp/ssh`. */
const LOOSE = new RegExp(`^["']?${TEMPORARY}[\\w-]+(?:/[\\w-]+)*["']?$`);
function isLoose(option: string, value: string): boolean {
  return LOOSE.test(value) && option.startsWith("-") && !OUTPUT.test(option) && !FOLDER.test(option);
}
const FOLDER =
  /^-(?![sScCefFxX]$)[a-zA-Z]$|^-{1,2}(?:[\w-]*dir(?:ectory)?|root|chdir|cwd|path|prefix|to|into|folder|project|workspace|socket|sock|mount|home)$/;

/** Programs whose words are texts, names or addresses, or which a separate function judges as a whole. */
const OWN_WORDS = new Set(
  `git gh glab hg svn grep egrep fgrep zgrep rg ag ack sed awk echo printf jq yq psql mysql mariadb sqlite3 find fd
    tee cp mv ln rm install rsync scp sftp ssh docker podman nerdctl kubectl helm curl wget tar zip test [ export alias
    set unset declare local readonly bash sh zsh dash python python3 node ruby perl php make npm npx pnpm yarn cargo go
    logger notify-send say tmux screen xdotool at crontab mail mailx aws gcloud az hermes cmake gdb lldb java`.split(
    /\s+/,
  ),
);
/** Programs that only look at the files they are given, or manage files of a home under the user's eyes. */
const LOOKS = new Set(
  `shellcheck checkbashisms bashate exa eza lsd delta difft difftastic glow mdcat code subl gedit chezmoi stow yadm tree
    file ldd nm objdump readelf patchelf strip size strings stat ls cat less more bat xxd hexdump od cmp diff colordiff
    wdiff meld touch chmod chown source . type which ssh-keygen ssh-add ssh-copy-id nginx apache2ctl visudo`.split(
    /\s+/,
  ),
);
const TEXT_OPTION =
  /^-{1,2}(?:m|t|e|s|n|k|title|message|msg|body|text|name|label|description|comment|subject|summary|pattern|regexp?|expr|expression|grep|match|filter|query|search|format|note|notes|tag|prompt|arg|args|env|define|data|header)$/;
const COMMAND =
  /^(?:[\w.[\]-]+=)?(?:[.:\\!]*(?:shell|system|exec|run|sh|!)\s+)?((?:\/\S*\/)?(?:(?:rm|sh|bash|curl|wget|shred)\s+-|(?:cmd(?:\.exe)?|del|rd|format)\s+(?:\/[a-z]|[a-z]:)|powershell\s).*)$/is;

/**
 * Files, commands and libraries that the words of any program name, whatever the tables know of it: `--log
 * ~/.bashrc`, `--ctags='rm -rf x'`, `plugin /tmp/x.so`. Most calls end at the first look.
 * @param unknown The tables do not have the program, so a file that starts something may be written by it.
 */
export function namedOutputs(call: Call, unknown: boolean): void {
  if (call.args.length === 0 || OWN_WORDS.has(call.program) || LOOKS.has(call.program)) return;
  const text = call.args.join(" ");
  if (text.length > 4000 || !WORTH_A_LOOK.test(text)) return;
  for (const [at, arg] of call.args.entries()) {
    if (!isKnown(arg)) continue;
    const [, option = call.args[at - 1] ?? "", value = arg] =
      /^(-{1,2}[A-Za-z][\w.-]*)=(.*)$/s.exec(arg) ?? /^(rc)[:.=][\w.]*=?(.*)$/s.exec(arg) ?? [];
    const path = value.replace(/^(?:[a-z]+|\d+):(?=[/~])/, "");
    const named = option.startsWith("-");
    if (named && OUTPUT.test(option)) call.by.write(path, call);
    else if ((named || unknown) && COMMAND.test(value) && !(named && TEXT_OPTION.test(option))) {
      const command = COMMAND.exec(value)![1]!;
      call.by.suspect(() => void call.by.script(command, call, { stdin: UNSEEN, state: fork(call.state) }));
    } else if (unknown && STARTUP.test(value)) call.by.write(path, call);
    if (
      LIBRARY.test(arg) ||
      (unknown && /(?:Proxy|Local)Command=/.test(arg)) ||
      (unknown && /^-[cC]$/.test(option) && SETTINGS_THERE.test(value)) ||
      (named && STARTS.test(option) && IN_TEMPORARY.test(value)) ||
      (/^(?:-[cCR]|rc)$/.test(option) && SETTINGS_FILE.test(value)) ||
      (option === "-f" && IN_TEMPORARY.test(value) && /\.(?:conf|cfg|ini|rc|ya?ml|toml)$/.test(value)) ||
      (unknown && SETS.test(call.args.join(" ")) && KEY_RUNS.test(option) && IN_TEMPORARY.test(value)) ||
      (unknown && /^-[a-zA-Z]$/.test(option) && SCRIPT_THERE.test(value)) ||
      (unknown && RUNS_CODE.test(value)) ||
      (unknown && isLoose(option, value)) ||
      (unknown &&
        /(?:conf|config|cfg|rc|toml|cnf|policy|rules)["']?$/.test(value) &&
        IN_TEMPORARY.test(value.replace(/^(?:\w+=|["'])/, "")))
    )
      call.by.harm("option-runs", `${call.program} ${option} ${value}`);
  }
}
