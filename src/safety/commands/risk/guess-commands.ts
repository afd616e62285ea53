import { posix } from "node:path";
import type { Call } from "../evaluate/call.ts";
import { UNSEEN } from "./effect.ts";
import { judgeCodeLate } from "../evaluate/late-parts.ts";
import { fork } from "../parse/state.ts";

/** Programs whose name may start a command among the words of an unknown program. */
const BEGINNINGS = new Set(
  `rm dd mkfs shred chmod chown git sh bash zsh dash sudo doas su kill pkill killall reboot shutdown poweroff halt
    systemctl find xargs env nohup python python3 perl ruby node curl wget docker kubectl terraform psql mysql
    sqlite3 crontab tee mv busybox cat nc ncat socat mkfs.ext4 mkfs.xfs wipefs blkdiscard truncate scp rsync useradd
    usermod passwd chpasswd mount iptables nft helm aws redis-cli mongosh dropdb launchctl at`.split(/\s+/),
);
export const POWER = /^(reboot|shutdown|poweroff|halt)$/;
const FILE_VERB = /^(rm|mv|cat|tee|find)$/;
const TEXT_OPTION =
  /^--?(e|c|x|r|q|g|eval|evaluate|exec|execute|expr|expression|command|cmd|commands|run|script|shell|preview|pager|prog|program|hook|pre|post|before|after|on-\w+|batch|batch-string|code|wrap|goal|query-goal|init|startup|runner|(?:before|after)-?run|on-?(?:success|fail(?:ure)?|pass|error|exit|change|start|end|complete|compilation\w*|emit|first-?\w*)|[\w.]+\.(?:cmd|bin)|\w+-(cmd|command|exec|script|hook|string))$/i;
const TEXT_VERB =
  /^(eval|exec|execute|run|runner|ssh|shell|sh|bash|cmd|command|console|remote|script|spawn|launch|do|rsh|invoke|sudo|enqueue|submit|type|write-chars|send-keys|send-text|send-command|exec_blind|schedule|at)$/i;
/** Programs whose very name says that they run things, here or on other machines. */
const CARRIER = /ssh$|^ssh|exec$|^exec|^run|run$|sh$|^remote|^pd|^clus|^srun|^mpi/;

/** Programs that run tests, and their options for the names of tests. */
const TESTERS = new Set("vitest jest mocha ava playwright cypress rspec phpunit pest karma wdio".split(" "));
const NAME_OF_TEST = /^--?(t|g|e|k|n|m|test-?name-?pattern|grep|fgrep|example|filter|match|title)$/i;

/**
 * Commands that an unknown program may run: the words after an option, after `--`, or from the name of a known program
 * on.
 */
export function guessCommands(call: Call): void {
  const words = [call.program, ...call.args];
  const carries = CARRIER.test(call.program) || words.slice(1, 6).some((word) => TEXT_VERB.test(word));
  // A program text on its input: `nim r -`.
  if (
    call.stdin.text !== undefined &&
    (carries || call.args.includes("-") || call.args.every((arg) => arg.startsWith("-")))
  )
    judgeCodeLate("other", call.stdin.text, call);
  for (let i = 1; i < words.length; i++) {
    const word = words[i]!;
    const before = words[i - 1]!;
    // `rndc halt`, `squid -k shutdown`: a verb of the program's own.
    const verb = POWER.test(word) && (i + 1 === words.length || !words[i + 1]!.startsWith("-"));
    // `aws s3 rm s3://…`: a verb for remote files.
    const ofPlaces = FILE_VERB.test(word) && words.slice(i + 1).some((place) => /^[a-z][\w+.-]*:\/\//i.test(place));
    const command = !verb && !ofPlaces && BEGINNINGS.has(posix.basename(word)) && (i > 1 || i + 1 < words.length);
    if (command || before === "--") call.by.run(words.slice(i), call, UNSEEN, { ...fork(call.state), guessed: true });
    const [, option = before, value = word] = /^(--?[\w-]+)=(.*)$/s.exec(word) ?? [];
    if (!/[\s(]/.test(value) || (TESTERS.has(call.program) && NAME_OF_TEST.test(option))) continue;
    // `exec rm -rf x` in one word, as window managers take it; `%sh{…}` as editors do.
    const script =
      /^(?:exec(?:ute)?|spawn|shell|system|run(?:-shell)?|sh)\s+(?:--?[\w-]+\s+)*(.+)$/s.exec(value)?.[1] ??
      inBraces(value);
    if (script !== undefined)
      call.by.script(script, call, { stdin: UNSEEN, state: { ...fork(call.state), guessed: true } });
    const given = TEXT_OPTION.test(option);
    if (!given && !carries) continue;
    if (/\s/.test(value)) call.by.script(value, call, { stdin: UNSEEN, state: { ...fork(call.state), guessed: true } });
    if (given || TEXT_VERB.test(before)) judgeCodeLate("other", value, call);
  }
}

/** The text in `%sh{…}`. */
function inBraces(text: string): string | undefined {
  const from = text.indexOf("%sh{");
  const to = text.lastIndexOf("}");
  return from === -1 || to < from ? undefined : text.slice(from + "%sh{".length, to);
}
