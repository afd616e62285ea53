import type { Call } from "../evaluate/call.ts";
import { isKnown, readable } from "../parse/marks.ts";
import { carriedOut, steps } from "./sql-executed.ts";
import { dialectsOf, isPsql, type SqlDialect } from "./sql-dialects.ts";
import { readSql, type SqlReading } from "./sql-statements.ts";

/**
 * Finds statements that destroy data in SQL text; strings, quoted names and comments are only text. If no client is
 * known, reads the text in every dialect.
 */
export function judgeSql(text: string, call: Call): void {
  call.state.budget.spend(10 + text.length / 10);
  for (const line of text.split("\n")) judgeClientCommand(line.trim(), call);
  if (/\\gexec\b/.test(text)) call.by.harm("unseen-shell", `${call.program} runs statements that a query prints`);
  const dialects = dialectsOf(
    call.program,
    text,
    [...call.args, ...SETTINGS.map((name) => call.state.variables.get(name) ?? "")].join(" "),
  );
  const readings = dialects.map((dialect) => ({ dialect, ...read(text, dialect, call) }));
  const fits = isKnown(text) && readings.some(({ open }) => !open);
  for (const { dialect, statements, open } of readings)
    // Where the text ends inside a string it is another dialect's, and this one would not run the last statement.
    for (const words of fits && open ? statements.slice(0, -1) : statements) judgeWhole(words, dialect, call);
}

/** Of the environment: what may change how a client or its server reads strings. */
const SETTINGS = ["PGOPTIONS", "PGHOST"];

function read(text: string, dialect: SqlDialect, call: Call): SqlReading {
  const searches = dialect.dollar === "any" ? text.split("$").length : 0;
  call.state.budget.spend(10 + text.length / 10 + (searches * text.length) / 1000);
  return readSql(text, dialect);
}

/** A statement, and those that it carries out from its strings. */
function judgeWhole(words: readonly string[], dialect: SqlDialect, call: Call): void {
  if (dialect.client === "psql" && words[0] === ":" && isPsql(call.program))
    call.by.harm("unseen-shell", `${call.program} runs the value of a variable: ${readable(words.join(""))}`);
  judgeStatement(words, call);
  for (const text of carriedOut(words))
    for (const inner of read(text, dialect, call).statements)
      for (const part of steps(inner)) judgeWhole(part, dialect, call);
}

/** A file of statements that a client reads: `.read`, `\i`, `source`, `@`. */
const READS = /^(?:\.read|\\ir?|\\\.|source|:r|start|@@?)\s*["']?([^\s"';|]+)/i;
/** Commands that start programs, which only these clients have. */
const SHELLS: Readonly<Record<string, RegExp | undefined>> = {
  sqlplus: /^#?\s*(?:host\b|!|\$)\s*(.+)$/i,
  sql: /^(?:host\b|!)\s*(.+)$/i,
  sqlcmd: /^:?!!\s*(.+)$/,
  beeline: /^!sh\s+(.+)$/i,
  hive: /^!\s*(.+)$/,
  "impala-shell": /^(?:!|shell\s)\s*(.+)$/i,
  snowsql: /^!system\s+(.+)$/i,
};

/** Commands of the clients themselves that start programs: `\!`, `.shell`, `system`. */
function judgeClientCommand(line: string, call: Call): void {
  const own = READS.exec(line)?.[1];
  const text = own === undefined ? undefined : call.by.written(own, call)?.text;
  if (text !== undefined) judgeSql(text, call);
  const match =
    (Object.hasOwn(SHELLS, call.program) ? SHELLS[call.program]!.exec(line) : null) ??
    /^(?:\\!|\.(?:shell|system)\b|system\b|\\o\s*\||\\g\s*\||\\copy\b.*\bprogram\b|\.(?:once|output|import|read|log)\s+["']?\||\.load\b)\s*(.*)$/i.exec(
      line,
    );
  // Backquotes in the words of a command of psql.
  const backquoted = isPsql(call.program) ? /(?:^|\s)\\[a-z].*?`([^`]+)`/i.exec(line)?.[1] : undefined;
  if (backquoted !== undefined) {
    call.by.harm("sql-program", `the database client runs ${backquoted.slice(0, 80)}`);
    call.by.script(backquoted, call);
  }
  const file = /^\.(?:output|once|backup|save|log|excel)\s+(?:main\s+)?["']?([^|"'\s]+)/.exec(line)?.[1];
  if (file !== undefined) call.by.write(file, call);
  if (/^\.restore\b/.test(line)) call.by.harm("database-drop", `the database client restores ${line}`);
  const outfile = /\binto\s+(?:outfile|dumpfile)\s+["']([^"']+)["']/i.exec(line)?.[1];
  if (outfile !== undefined) call.by.write(outfile, call);
  if (!match) return;
  call.by.harm("sql-program", `the database client runs ${match[1]!.slice(0, 80)}`);
  call.by.script(match[1]!.replace(/;$/, ""), call);
}

function judgeStatement(words: readonly string[], call: Call): void {
  const show = readable(words.join(" ")).slice(0, 120);
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    const next = words[i + 1] ?? "";
    const starts =
      i === 0 ||
      words[i - 1] === "(" ||
      words[i - 1] === "then" ||
      words[i - 1] === "begin" ||
      words[i - 1] === "analyze" ||
      words[i - 1] === "do" ||
      (words[0] === "alter" && words[1] === "table" && i === 3 && (word === "delete" || word === "update"));
    if (word === "program" && (words[i - 1] === "to" || words[i - 1] === "from"))
      call.by.harm("sql-program", `${show} runs a program`);
    if (/^(pg_drop_\w+|lo_unlink|dropgeometrytable)$/.test(word)) call.by.harm("sql-drop", show);
    if (word === "pg_terminate_backend" || word === "pg_cancel_backend") call.by.harm("force-kill", show);
    if (
      /^((pg_catalog\.)?pg_(shadow|authid)|mysql\.(user|global_priv)|sys\.sql_logins)$/.test(word) &&
      (words.includes("*") ||
        words[0] === "table" ||
        words.some((one) => /(^|\.)(passwd|rolpassword|authentication_string|password|password_hash|priv)$/.test(one)))
    )
      call.by.harm("secret-read", show);
    if ((starts && word === "grant" && next === "all") || (words[0] === "alter" && word === "superuser"))
      call.by.harm("privilege-config", show);
    if (
      starts &&
      ((word === "reset" && /^(master|slave|replica)$/.test(next)) ||
        (word === "purge" && /^(binary|master)$/.test(next)))
    )
      call.by.harm("sql-drop", show);
    if (starts && word === "shutdown") call.by.harm("service-stop", show);
    if (word === "xp_cmdshell" || word === "sys_exec" || word === "sys_eval" || word === "load_extension")
      call.by.harm("sql-program", `${show} runs a program`);
    if (
      starts &&
      ((word === "load" && isPlace(next)) ||
        (word === "install" && (isPlace(next) || /^(from|community)$/.test(words[i + 2] ?? ""))))
    )
      call.by.harm("sql-program", `${show} loads code into the database`);
    if (
      word === "drop" &&
      (starts || words[0] === "alter") &&
      next !== "" &&
      next !== "constraint" &&
      next !== "default" &&
      next !== "not"
    )
      call.by.harm("sql-drop", show);
    // Behind what a client or T-SQL needs no semicolon for, behind a CTE.
    if (!starts && !(ANYWHERE.has(`${word} ${next}`) || (word === "update" && words[i + 2] === "set"))) continue;
    if (!starts && /^(?:create|grant|revoke|show|help|comment)$/.test(words[0]!)) continue;
    if (word === "drop" && !starts) call.by.harm("sql-drop", show);
    if (word === "truncate" && next !== "(") call.by.harm("sql-truncate", show);
    if (word === "delete" && !narrowed(words, i)) call.by.harm("sql-delete", show);
    // `on conflict … do update set`, `when matched then update set` change the row they found.
    if (
      word === "update" &&
      next !== "set" &&
      !/^(?:for|key)$/.test(words[i - 1] ?? "") &&
      words.includes("set") &&
      !narrowed(words, i)
    )
      call.by.harm("sql-update", show);
  }
}

const ANYWHERE: ReadonlySet<string> = new Set([
  "delete from",
  "truncate table",
  ..."table database schema view index user role login procedure function sequence keyspace tablespace"
    .split(" ")
    .map((what) => `drop ${what}`),
]);

/** A path or an address in quotes, where a name would be an extension that the vendor signed. */
function isPlace(word: string): boolean {
  return /^'.*[/\\.].*'$/.test(word);
}

/** Has a WHERE that can be false. */
function narrowed(words: readonly string[], from: number): boolean {
  const where = words.indexOf("where", from);
  if (where === -1) return words[0] === "explain" && words[1] !== "analyze";
  const condition = words.slice(where + 1).filter((word) => word !== "(" && word !== ")");
  if (condition.length === 0) return false;
  const or = condition.lastIndexOf("or");
  return ![condition, ...(or >= 0 ? [condition.slice(or + 1)] : [])].some(alwaysTrue);
}

function alwaysTrue(condition: readonly string[]): boolean {
  if (condition.length === 1) return condition[0] === "true" || /^[1-9]\d*$/.test(condition[0]!);
  return condition.length === 3 && condition[1] === "=" && condition[0] === condition[2];
}
