import type { Call } from "../evaluate/call.ts";
import { UNSEEN } from "./effect.ts";
import { judgeSqlLate } from "../evaluate/late-parts.ts";
import { isKnown } from "../parse/marks.ts";

/** Names of options that, on whatever program, say "run this". */
const RUNS =
  /^--?(exec|execute|exec-batch|rsh|askpass|use-askpass|ssh-cmd|pager|external-\w+|[\w-]+-(hook|script|cmd|command|exec|program|askpass|pager|shell|runner|handler|wrapper|editor|action)|hook|up|down|on-[\w-]+)$/i;
/** … and "load this". */
const LOADS = /^--?([\w-]*(plugin|preload|module|engine|extension|library|agent|provider|load|so|lib|dll)[\w-]*)$/i;

/** A shell, or a file of the moment: nothing a project's own tool chain is set up with. */
const SUSPECT =
  /^(\S*\/)?((ba|z|da|k|fi)?sh|cmd(\.exe)?|powershell|pwsh|rm|shred|dd|wipefs|mkfs\S*)(\s|$|,)|^(\.{1,2}\/|\/tmp\/|\/var\/tmp\/|\/dev\/shm\/)\S*$/;

/** Harms that the options of an otherwise unknown program show. */
export function optionHarms(call: Call): void {
  bangLines(call);
  statementHarms(call);
  typedVerbs(call);
  const words = call.args;
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (!isKnown(word)) continue;
    const [, option = word, value = words[i + 1] ?? ""] = /^(--?[A-Za-z][\w-]*)=(.*)$/s.exec(word) ?? [];
    if (option.startsWith("-") && RUNS.test(option) && SUSPECT.test(value))
      call.by.harm("option-runs", `${call.program} ${option} runs ${value}`);
    if (option.startsWith("-") && LOADS.test(option) && /\.(so(\.\d+)*|dylib|dll)$/.test(value))
      call.by.harm("option-runs", `${call.program} ${option} loads ${value}`);
    // A file name that is a pipe: opened by the programs that know this form.
    if (/^\|\s*[\w./]/.test(value) && option.startsWith("-") && value !== word)
      call.by.harm("option-runs", `${call.program} ${option} ${value}`);
  }
}

/** SQL that is handed on by a program with another purpose: `wrangler d1 execute db --command 'drop table t'`. */
export function statementHarms(call: Call): void {
  const ofDatabases = call.args
    .slice(0, 4)
    .some((arg) =>
      /(^|[:._-])(sql|psql|mysql|db|d1|database|query|console|dbconsole|dbshell|shell|execute|exec)($|[:._-])/i.test(
        arg,
      ),
    );
  const texts = call.args
    .filter((arg, i) => ofDatabases || TEXTS.test(call.args[i - 1] ?? ""))
    .map((arg) => arg.replace(/^--[\w-]+=/, ""));
  if (ofDatabases && call.stdin.text !== undefined) texts.push(call.stdin.text);
  for (const text of texts) if (STATEMENT.test(text)) judgeSqlLate(text, call);
  for (const [i, arg] of call.args.entries())
    if (GIVEN.test(call.args[i - 1] ?? "") && /\s/.test(arg) && unquotedLines(arg).some((one) => GIVEN_HARM.test(one)))
      call.by.harm("database-drop", `${call.program}: ${arg}`);
}

/** The commands of a text, split at line ends and semicolons outside quotes. */
function unquotedLines(text: string): readonly string[] {
  return text.replace(/'[^']*'/g, "''").split(/[;\n]/);
}

const TEXTS = /^(-c|-e|-q|-Q|--(command|execute|query|sql|eval|statement|stmt|script))$/;
/** Options behind which a command of the program's own stands: `vtysh -c 'clear bgp *'`. */
const GIVEN = /^(-c|-e|-q|-x|--(command|cmd|execute|exec|query|eval|run))$/;
const GIVEN_HARM =
  /^\s*(\w+\s+|db\.)?(drop|truncate|delete|clear|flush|destroy|shutdown|reset|kill|purge|wipe|erase|undeploy|remove)(range|all|db|mailbox|user|file|key|index)?(\s+[\w*:"'\\]|\s*$)/i;
const STATEMENT =
  /(?:^|;)\s*(drop|truncate|delete\s+from|alter\s+(table|database|user|role)|update\s+\S+\s+set|grant\s+all)\b/i;

/**
 * Lines handed to a program of which only words are known, which it may take as its own commands:
 * `hbase shell <<< "drop 't'"`.
 */
function typedVerbs(call: Call): void {
  const typed = call.stdin.text ?? call.stdin.shown;
  if (typed === undefined) return;
  for (const line of typed.split(/[\n;]/))
    if (TYPED_HARM.test(line)) call.by.harm("database-drop", `${call.program}: ${line.trim()}`);
}

export const TYPED_HARM =
  /^\s*\W?(\w+\.(delete|drop|remove|purge|destroy)\w*|drop|drop_all|truncate|delete|deleteall|destroy|wipe|purge|rmr|flush_?all|flush_?db|erase|delprinc|disable|shutdown|format|remove)\b\s*(?![=:]|\w+\()/i;

/** `!command` typed into a program of lines: the old way out to a shell. */
function bangLines(call: Call): void {
  const typed = call.stdin.text?.split("\n") ?? [];
  for (const line of [...typed, ...call.args]) {
    const command = /^\s*!\s*([a-z/][^!]*)$/s.exec(line)?.[1];
    if (command !== undefined) {
      call.by.suspect(() => void call.by.script(command, call, { stdin: UNSEEN }));
      if (SHELL_ESCAPE.test(call.program)) call.by.harm("option-runs", `${call.program} runs ${command}`);
    }
  }
}

const SHELL_ESCAPE = /^(l?ftp|sftp|dc|ginsh|tasksh|tdbtool|mail|mailx|telnet|smbclient|cpan)$/;

/** No file has a longer name. */
const MAX_PATH = 4096;

/** Words that name files: they are read, and may be printed; what follows an option of outputs is written. */
export function fileWords(call: Call, devices = true): void {
  // Of a program that makes something its words are names of what will be there.
  const shown = !call.args
    .slice(0, 3)
    .some((arg) => /^-{0,2}(create|new|generate|gen|init|genkey|req|keygen|newkey)$/.test(arg));
  // Tools of keys look at them without showing the secret part.
  if (/^(keytool|jarsigner|apksigner|certtool|xmlsec1)$/.test(call.program)) return;
  call.args.forEach((arg, i) => {
    if (arg.length > MAX_PATH) return;
    if (!arg.startsWith("-") && /[/.~]/.test(arg) && (devices || !arg.startsWith("/dev/")))
      call.by.read(arg, call, { shown });
    const output = OUTPUT.test(call.args[i - 1] ?? "") ? arg : OUTPUT_JOINED.exec(arg)?.[1];
    if (output !== undefined && /[/.~]/.test(output) && (devices || !output.startsWith("/dev/")))
      call.by.write(output, call);
  });
}

const OUTPUT =
  /^--?(?:o|f|prefix|out|output|output-file|outfile|output-path|log-file|logfile|dest|destination|target-file|save|save-to|export|dump|dump-bin|record|trace-file)$/;
const OUTPUT_JOINED =
  /^(?:-o(?=[/~])|--(?:out|output|output-file|outfile|output-path|log-file|logfile|dest|destination|target-file|save|save-to|export|dump|dump-bin|record|trace-file)=)(.+)$/s;

/** The output goes to a protected folder of the system or a home: `go build -o /usr/bin/x`. */
export function outputsInto(call: Call): void {
  call.args.forEach((arg, i) => {
    const value = INTO.test(call.args[i - 1] ?? "") ? arg : INTO_JOINED.exec(arg)?.[1];
    if (value !== undefined && /^[/~]/.test(value)) call.by.write(value, call);
  });
}

const INTO =
  /^(-o|-f|-t|--(output|output-(file|dir|directory)|out|outfile|out-dir|target|dest|destination|destdir|prefix|root|install-dir|bin-dir|directory))$/;
const INTO_JOINED =
  /^--(?:output|output-(?:file|dir|directory)|out|outfile|out-dir|target|dest|destination|destdir|prefix|root|install-dir|bin-dir)=(.+)$/s;
