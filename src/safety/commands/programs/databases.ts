import type { Call, Program } from "../evaluate/call.ts";
import { judgeCode } from "../code/code.ts";
import { NOTHING, UNSEEN } from "../risk/effect.ts";
import { DECODED, hasMark, REMOTE } from "../parse/marks.ts";
import { parseOptions } from "../parse/options.ts";
import { judgeSql } from "../sql/sql.ts";
import { cloud } from "./clouds.ts";

interface SqlClient {
  readonly short: string;
  readonly long: readonly string[];
  readonly code: readonly string[];
  /** Operand that holds SQL. */
  readonly operand?: number;
  /** One dash before whole words: sqlite3. */
  readonly words?: boolean;
}

/** A whole statement, not only a value in one, comes from a download or a decoder. */
const UNSHOWN = new RegExp(`(?:^|;)\\s*[${REMOTE}${DECODED}]`);

const sqlClient =
  (spec: SqlClient): Program =>
  (call) => {
    const options = parseOptions(call.args, { short: spec.short, long: spec.long, words: spec.words });
    const code = [
      ...options.values(...spec.code),
      ...(spec.operand === undefined ? [] : options.operands.slice(spec.operand)),
    ];
    for (const text of code) {
      if (UNSHOWN.test(text))
        call.by.harm(
          text.includes(REMOTE) ? "remote-run" : "decoded-shell",
          `${call.program} runs statements that ${text.includes(REMOTE) ? "came from the network" : "came out of a decoder"}`,
        );
      judgeSql(text, call);
      namedFiles(text, call);
    }
    if (spec.operand !== undefined && options.operands[0] !== undefined) call.by.read(options.operands[0], call);
    for (const file of options.values("f", "file", "init", "i")) {
      const own = call.by.written(file, call);
      if (own?.text !== undefined) judgeSql(own.text, call);
    }
    if (call.stdin.remote && code.length === 0)
      call.by.harm("remote-run", `${call.program} runs statements that came from the network`);
    for (const pager of options.values("pager"))
      if (!/^(less|more|cat)( -\w+)*$/.test(pager))
        call.by.harm("option-runs", `${call.program} --pager runs ${pager}`);
    const typed = call.stdin.text ?? call.stdin.shown;
    if (typed !== undefined && options.values(...spec.code).length === 0) {
      judgeSql(typed, call);
      namedFiles(typed, call);
    }
    if (call.stdin.answered && code.length === 0)
      call.by.harm("unseen-shell", `${call.program} runs statements that another query prints`);
    for (const option of options.values("o", "output", "L"))
      if (option.startsWith("|")) {
        call.by.harm("sql-program", `${call.program} -o ${option}`);
        call.by.script(option.slice(1), call);
      }
    call.by.add({ kind: "execute", program: call.program, words: [call.program, "…"] });
    return { ...UNSEEN, answered: true };
  };

/** Files that a statement or a command of the client reads: `.import F t`, `\\copy t from 'F'`, `readfile('F')`. */
function namedFiles(text: string, call: Call): void {
  if (text.length > 20_000) return;
  for (const [, quoted, word] of text.matchAll(
    /["']((?:\/|~\/)[^"'\n]{1,300})["']|^\s*\.(?:import|read|open|load)\s+(\S+)/gm,
  ))
    call.by.read((quoted ?? word)!.replace(/^~(?=\/)/, call.by.home), call);
}

const psql = sqlClient({
  short: "cdfhLoFPpRTUv",
  long: ["command", "dbname", "file", "host", "port", "username", "output", "set", "variable", "log-file"],
  code: ["c", "command"],
});
const mysql = sqlClient({
  short: "eDhPuS",
  long: [
    "execute",
    "database",
    "host",
    "port",
    "user",
    "socket",
    "init-command",
    "default-character-set",
    "pager",
    "tee",
  ],
  code: ["e", "execute", "init-command"],
});
const sqlite = sqlClient({
  short: "",
  long: ["cmd", "init", "separator", "nullvalue", "mode", "newline"],
  code: ["cmd"],
  operand: 1,
  words: true,
});
const anySql = sqlClient({
  short: "qcQehupdS",
  long: ["query", "execute", "command", "e", "host", "user", "password", "database"],
  code: ["q", "c", "Q", "e", "query", "execute", "command"],
  operand: 1,
});

/**
 * A database with its own language. @param pattern Statements that empty or drop data. @param code Options and verbs
 * before a program.
 */
const store =
  (pattern: RegExp, code?: RegExp): Program =>
  (call) => {
    const text = `${call.args.join(" ")}\n${call.stdin.text ?? ""}`;
    if (pattern.test(text)) call.by.harm("database-drop", `${call.program} ${call.args.join(" ")}`);
    if (call.stdin.remote) call.by.harm("remote-run", `${call.program} runs statements that came from the network`);
    if (code !== undefined)
      for (const [at, arg] of call.args.entries()) {
        const [, option = arg, value = call.args[at + 1] ?? ""] = /^(--[\w-]+)=(.*)$/s.exec(arg) ?? [];
        if (!code.test(option) || value === "") continue;
        if (hasMark(value)) call.by.harm("computed-command", `${call.program} runs a text that is not shown`);
        else judgeCode("javascript", value, call);
      }
    call.by.add({ kind: "execute", program: call.program, words: [call.program, ...call.args.slice(0, 7)] });
    return UNSEEN;
  };

const dropper: Program = (call) => {
  if (!call.args.includes("--help")) call.by.harm("database-drop", `${call.program} ${call.args.join(" ")}`);
  return NOTHING;
};

const mongo = store(
  /dropDatabase|drop(User|Role|Index|AllUsers)|shutdown(Server)?\b|\.drop\(|(delete|update)Many\(\s*\{\s*\}|\b(rs\.(remove|stepDown)|sh\.removeShard\w*)\(|\.remove\(\s*\{?\s*\}?\s*\)/,
  /^--eval$/,
);
/** `EVAL`, `SCRIPT LOAD`, `FUNCTION LOAD`. */
const REDIS_CODE = /^(eval|eval_ro|load)$/i;

export const DATABASES: Readonly<Record<string, Program>> = {
  psql,
  pgcli: psql,
  mysql,
  mariadb: mysql,
  mycli: mysql,
  sqlite3: sqlite,
  sqlite,
  litecli: sqlite,
  duckdb: sqlClient({ short: "c", long: ["c", "s", "cmd", "init"], code: ["c", "s", "cmd"], operand: 1 }),
  "clickhouse-client": anySql,
  clickhouse: anySql,
  sqlcmd: anySql,
  isql: anySql,
  sqlplus: anySql,
  cqlsh: sqlClient({ short: "efupk", long: ["execute", "file"], code: ["e", "execute"] }),
  bq: (call) => (
    judgeSql(
      call.args
        .slice(1)
        .filter((arg) => !arg.startsWith("-"))
        .join(" ; "),
      call,
    ),
    cloud(/^(\S+ )*rm\b/)(call)
  ),
  snowsql: anySql,
  trino: anySql,
  presto: anySql,
  hive: anySql,
  "spark-sql": anySql,
  cockroach: anySql,
  usql: anySql,
  ...Object.fromEntries(
    "mssql-cli beeline impala-shell vsql nzsql hdbsql db2 bteq ysqlsh mclient pspg sqlite-utils dolt h2 mysqlsh monetdb ksql athenacli psql-cli"
      .split(" ")
      .map((name) => [name, anySql]),
  ),
  // Databases with other query languages
  ...Object.fromEntries(
    "cypher-shell neo4j-shell memgraph mgconsole"
      .split(" ")
      .map((name) => [
        name,
        store(/\bdetach\s+delete\b|\bdelete\s+\w+\s*["']?$|\bdrop\s+(database|index|constraint|user)/i),
      ]),
  ),
  "neo4j-admin": store(/--force|--overwrite-destination|\bdrop\b/),
  arangosh: store(/_drop|\.drop\(|truncate\(/),
  nodetool: store(
    /^(drain|decommission|removenode|stopdaemon|assassinate|clearsnapshot|disable\w+|truncatehints|rebuild|flush.*-f)/,
  ),
  rethinkdb: store(/--force|\bdrop/),
  surreal: store(/\bremove (table|database|namespace)|\bdelete\b/i),
  "couchbase-cli": store(/bucket-(delete|flush)|rebalance|failover|user-manage --delete/),
  cbq: store(/\b(drop|delete)\b/i),
  ldapdelete: dropper,
  ldapmodify: store(/changetype:\s*(delete|modrdn)/),
  "memcached-tool": store(/\bflush\b/),
  osqueryi: store(/(?!)/),
  iredis: store(/\b(flushall|flushdb|shutdown)\b/i),
  "keydb-cli": store(/\b(flushall|flushdb|shutdown)\b/i),
  diesel: store(/\b(reset|drop|redo --all|revert --all)\b/),
  sqlx: store(/\bdatabase (drop|reset)\b|revert --target-version 0/),
  dbmate: store(/\b(drop|down|rollback)\b/),
  goose: store(/\b(reset|down-to|down)\b/),
  migrate: store(/\b(drop|down)\b|\bforce \d/),
  atlas: store(/\bschema clean\b|\b(delete|terminate)\b|schema apply.*--auto-approve/),
  soda: store(/\b(drop|reset)\b/),
  sqitch: store(/\brevert\b|\brebase\b/),
  phinx: store(/rollback.*-t\s*0|rollback.*--force/),
  console: store(/doctrine:(database:drop|schema:drop)|doctrine:fixtures:load.*-n/),
  dropdb: dropper,
  dropuser: dropper,
  mysqladmin: store(/\b(drop|shutdown|kill|password|flush-privileges)\b/),
  "redis-cli": store(
    /\b(flushall|flushdb)\b|\b(del|unlink)\b.*[\uE000-\uE01F]|\bconfig\s+set\s+(dir|dbfilename)|\bmodule\s+load\b|\bshutdown\b|\bdebug\s+segfault\b|\bcluster\s+reset\b|\bfailover\b.*\bforce\b|\bsentinel\s+(failover|remove|reset)\b|\bswapdb\b|\bacl\s+deluser\b/i,
    REDIS_CODE,
  ),
  valkey: store(/\b(flushall|flushdb)\b/i, REDIS_CODE),
  "valkey-cli": store(/\b(flushall|flushdb)\b/i, REDIS_CODE),
  mongo,
  mongosh: mongo,
  etcdctl: store(/\bdel\b.*(--prefix|--from-key)|\bdel\b/),
  influx: store(/\b(drop|delete)\b/i),
  consul: cloud(/kv delete|leave|operator raft remove/),
  mongorestore: store(/--drop\b/),
  pg_restore: store(/--clean\b|(^|\s)-c\b/),
};
