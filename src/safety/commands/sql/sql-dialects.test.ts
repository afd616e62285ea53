import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { judgeCommand } from "../command.ts";

const answer = async (command: string): Promise<string> =>
  (await judgeCommand(command, { cwd: "/home/u/p", home: "/home/u" })).answer;
const word = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** How to call a client with a statement, harmful statements that it would run, and harmless look-alikes. */
interface Case {
  readonly call: (text: string) => string;
  readonly harmful: readonly string[];
  readonly harmless: readonly string[];
}

const given =
  (before: string) =>
  (text: string): string =>
    `${before} ${word(text)}`;
const typed =
  (client: string) =>
  (text: string): string =>
    `${client} <<'END'\n${text}\nEND`;

const STANDARD = {
  harmful: [
    String.raw`SELECT 'a\'; DROP TABLE t; --'`,
    String.raw`SELECT 'C:\'; DELETE FROM t; SELECT '`,
    "SELECT 'it''s'; DROP TABLE t",
    `SELECT 1 AS "a""b"; DROP TABLE t`,
    "SELECT 1 --; x\n; DROP TABLE t",
    "/* ' */ DROP TABLE t --'",
  ],
  harmless: [
    String.raw`SELECT 'a\', '; DROP TABLE t; '`,
    String.raw`UPDATE t SET a = 'C:\' WHERE id = 1`,
    "SELECT 'it''s; DROP TABLE t'",
    `SELECT "; DROP TABLE t"`,
    "SELECT 1 --; DROP TABLE t",
    "SELECT 1 --DROP TABLE t",
    "/* DROP TABLE t; */ SELECT 1",
  ],
};
/** Dialects such as MySQL's, in which `\'` inside a string is a quote character and does not end the string. */
const ESCAPING = {
  harmful: [
    String.raw`SELECT 'a\\'; DROP TABLE t; --'`,
    String.raw`SELECT 'it\'s'; DROP TABLE t`,
    String.raw`SELECT 'a\', '; DROP TABLE t; --'`,
    "SELECT `'`; DROP TABLE t; -- '",
  ],
  harmless: [
    String.raw`SELECT 'a\'; DROP TABLE t; --'`,
    String.raw`SELECT 'it\'s; DROP TABLE t'`,
    String.raw`UPDATE t SET a = 'it\'s' WHERE id = 1`,
    "SELECT `; DROP TABLE t`",
  ],
};

const CASES: Readonly<Record<string, Case>> = {
  psql: { call: given("psql -c"), ...STANDARD },
  "psql, its own quotes": {
    call: given("psql -c"),
    harmful: [
      String.raw`SELECT E'a\\'; DROP TABLE t; --'`,
      "SELECT $$'$$; DROP TABLE t; --'",
      "SELECT $a$ $$ ' $a$; DROP TABLE t; --'",
      "SELECT a.$$'$$; DROP TABLE t; --'",
      "SELECT 1$$'$$; DROP TABLE t; --'",
      "/* /* */ ' */ DROP TABLE t; --'",
      "SELECT E'a'\n'\\''; DROP TABLE t; --'",
      "DO $$ BEGIN DELETE FROM t; END $$",
      "DO 'begin drop table t; end'",
      "DO $x$ BEGIN EXECUTE format('DROP TABLE %I', 't'); END $x$",
      "DO $$ BEGIN IF true THEN EXECUTE 'delete from ' || 't'; END IF; END $$",
      "CREATE FUNCTION f() RETURNS void AS $$ BEGIN DELETE FROM t; END $$ LANGUAGE plpgsql; SELECT f()",
      "SELECT U&'\\'; DROP TABLE t; --'",
      "SELECT `; DROP TABLE t; SELECT `",
    ],
    harmless: [
      String.raw`SELECT E'a\'; DROP TABLE t; --'`,
      "SELECT $$; DROP TABLE t; $$",
      "SELECT $a$ $$; DROP TABLE t; $$ $a$",
      "SELECT a$$ FROM b",
      "/* /* */ ; DROP TABLE t; */ SELECT 1",
      "DO $$ BEGIN RAISE NOTICE 'drop table t'; END $$",
      "DO $$ BEGIN EXECUTE 'delete from t where id = $1' USING 4; END $$",
      "SELECT data #>> '{a}' FROM t",
      "UPDATE t SET a = b #>> '{a}' WHERE id = 1",
      "UPDATE t SET tags = ARRAY['a', 'b'] WHERE id = 1",
    ],
  },
  "psql, what is typed": {
    call: typed("psql app"),
    harmful: [
      String.raw`\echo '\\' \\ DROP TABLE t;`,
      "\\timing on \\echo '\nDROP TABLE t; \\echo '",
      "SELECT 1 \\g '/dev/null\nDROP TABLE t; \\echo '",
      String.raw`SELECT 1 \; DROP TABLE t;`,
      "SELECT E'a'\n'\\'; DROP TABLE t; --'",
      "COPY nothing FROM stdin; DROP TABLE t;\n1\n\\.",
      "COPY (SELECT 1 AS stdin) TO stdout;\nDROP TABLE t;\n\\.",
      "delimiter //; DROP TABLE t;",
      "rem; DROP TABLE t;",
      "SET standard_conforming_strings = off;\nSELECT 'it\\'s', ';'; DROP TABLE t; --'",
      "\\set v 'DROP TABLE t'\n:v;",
      "\\echo `touch x; rm -rf /srv`",
    ],
    harmless: [
      String.raw`\echo '\\' drop table t`,
      "\\echo it's\nSELECT 1;",
      "\\echo 'where'\nDELETE FROM t WHERE id = 1;",
      "COPY t FROM stdin;\ndrop table t\n\\.\nSELECT 1;",
      "\\set id 4\nDELETE FROM t WHERE id = :id;",
    ],
  },
  sqlite3: {
    call: given("sqlite3 app.db"),
    harmful: [
      ...STANDARD.harmful,
      "SELECT 1 AS [it's]; DROP TABLE t; --'",
      "SELECT 1 AS `'`; DROP TABLE t; --'",
      "/* /* */ DROP TABLE t; /* */",
    ],
    harmless: [...STANDARD.harmless, "SELECT [; DROP TABLE t] FROM t", "SELECT `; DROP TABLE t`"],
  },
  "sqlite3, what is typed": {
    call: typed("sqlite3 app.db"),
    harmful: ["# it's\nDROP TABLE t;", "SELECT 1 \\ ;\nDROP TABLE t;"],
    harmless: ["# drop table t\nSELECT 1;", ".print drop table t\nSELECT 1;"],
  },
  sqlcmd: {
    call: given("sqlcmd -Q"),
    harmful: [
      ...STANDARD.harmful,
      "SELECT [it's] FROM t; DROP TABLE t; --'",
      "SELECT [a]]'] FROM t; DROP TABLE t --'",
      "DROP TABLE #t",
      "EXEC('DROP TABLE t')",
      "EXEC sp_executesql N'DROP TABLE t'",
      "/* /* */ ' */ DROP TABLE t --'",
    ],
    harmless: [
      ...STANDARD.harmless,
      "SELECT [; DROP TABLE t] FROM t",
      "SELECT [a]]; DROP TABLE t] FROM t",
      "SELECT * FROM #t",
      "EXEC sp_help 't'",
      "/* /* */ ; DROP TABLE t */ SELECT 1",
    ],
  },
  sqlplus: {
    call: typed("sqlplus -S u@db"),
    harmful: [
      ...STANDARD.harmful,
      "SELECT q'[']' FROM dual; DROP TABLE t; --'",
      "SELECT nq'!it's!' FROM dual;\nDROP TABLE t;",
      "BEGIN EXECUTE IMMEDIATE 'DROP TABLE t'; END;\n/",
      "SELECT 1\n#host rm -rf /srv\nFROM dual;",
    ],
    harmless: [
      ...STANDARD.harmless,
      "SELECT q'[it's; DROP TABLE t]' FROM dual;",
      "SELECT q'{'; DROP TABLE t; '}' FROM dual;",
      "prompt it's time to drop table t\nSELECT 1 FROM dual;",
    ],
  },
  duckdb: {
    call: given("duckdb -c"),
    harmful: [...STANDARD.harmful, String.raw`SELECT E'a\\'; DROP TABLE t; --'`, "SELECT $$'$$; DROP TABLE t; --'"],
    harmless: [
      ...STANDARD.harmless,
      String.raw`SELECT E'a\'; DROP TABLE t; --'`,
      "SELECT $$; DROP TABLE t$$",
      "SELECT ['a', 'b'][1]",
    ],
  },
  trino: { call: given("trino --execute"), ...STANDARD },
  cqlsh: {
    call: given("cqlsh -e"),
    harmful: [...STANDARD.harmful, "SELECT $$'$$; DROP TABLE t; --'", "SELECT 1 // '\n; DROP TABLE t; --'"],
    harmless: [...STANDARD.harmless, "SELECT $$; DROP TABLE t$$", "SELECT 1 // ; DROP TABLE t"],
  },
  mysql: {
    call: given("mysql -e"),
    harmful: [
      ...ESCAPING.harmful,
      "SELECT 1--1; DROP TABLE t",
      "SELECT 1 # '\n; DROP TABLE t; # '",
      String.raw`SELECT "a\\"; DROP TABLE t; # "`,
      "/*!50000 DROP TABLE t */",
      "/*!99999 ' */ DROP TABLE t; /*!99999 ' */",
      "/*!99999 ' */ /*!80030 DROP TABLE t */ /*!99999 ' */",
      "/*!90000 ' */ /*!100100 DROP TABLE t */ /*!90000 ' */",
      "/*M! ' */ DROP TABLE t; /*M! ' */",
      "/* /* */ DROP TABLE t; /* */",
      "PREPARE s FROM 'DROP TABLE t'; EXECUTE s",
      String.raw`SET sql_mode = 'NO_BACKSLASH_ESCAPES'; SELECT 'a\'; DROP TABLE t; -- '`,
    ],
    harmless: [
      ...ESCAPING.harmless,
      "SELECT 1 -- ; DROP TABLE t",
      "SELECT 1 #; DROP TABLE t",
      String.raw`SELECT "a\"; DROP TABLE t"`,
      "/*!40101 SET NAMES utf8 */",
      "SELECT /*+ MAX_EXECUTION_TIME(1) */ 1",
      "SELECT 'it''s; DROP TABLE t'",
    ],
  },
  "mysql, what is typed": {
    call: typed("mysql app"),
    harmful: [
      "\\u shop; DROP TABLE t;",
      "\\s DROP TABLE t;",
      "\\W SELECT 1; DROP TABLE t;",
      "\\u it's\nDROP TABLE t;",
      "SELECT 1 \\G DROP TABLE t;",
    ],
    harmless: ["\\u shop\nSELECT 1;", "\\s\nSELECT 1\\G", "delimiter //\nSELECT ';'//\ndelimiter ;"],
  },
  clickhouse: {
    call: given("clickhouse-client -q"),
    harmful: [
      ...ESCAPING.harmful,
      "SELECT 1 # '\n; DROP TABLE t; --'",
      "SELECT 1 // '\n; DROP TABLE t; --'",
      "SELECT $a b$'$a b$; DROP TABLE t; --'",
      "/* /* */ ' */ DROP TABLE t; --'",
    ],
    harmless: [
      ...ESCAPING.harmless,
      "SELECT 1 # ; DROP TABLE t",
      "SELECT $x$; DROP TABLE t$x$",
      "/* /* */ ; DROP TABLE t */ SELECT 1",
    ],
  },
  bq: {
    call: given("bq query"),
    harmful: [...ESCAPING.harmful, "SELECT '''it's'''; DROP TABLE t; --'", "SELECT 1 # '\n; DROP TABLE t; --'"],
    harmless: [
      ...ESCAPING.harmless,
      "SELECT '''it's; DROP TABLE t'''",
      `SELECT """a"; DROP TABLE t"""`,
      "SELECT 1 #; DROP TABLE t",
    ],
  },
  snowsql: {
    call: given("snowsql -q"),
    harmful: [
      String.raw`SELECT 'it\'s'; DROP TABLE t`,
      "SELECT $$'$$; DROP TABLE t; --'",
      "SELECT 1 // '\n; DROP TABLE t; --'",
    ],
    harmless: [String.raw`SELECT 'it\'s; DROP TABLE t'`, "SELECT $$; DROP TABLE t$$", "SELECT 1 // ; DROP TABLE t"],
  },
  "spark-sql": { call: given("spark-sql -e"), ...ESCAPING },
  // The database may be any.
  usql: {
    call: given("usql db -c"),
    harmful: [
      ...STANDARD.harmful,
      ...ESCAPING.harmful,
      String.raw`SELECT 'a\'; DROP TABLE t; --'`,
      "SELECT [it's]; DROP TABLE t; --'",
      "SELECT 1--1; DROP TABLE t",
    ],
    harmless: [
      "SELECT 'it''s; DROP TABLE t'",
      "SELECT 1 -- ; DROP TABLE t",
      String.raw`UPDATE t SET a = 'it\'s' WHERE id = 1`,
      String.raw`UPDATE t SET a = 'C:\' WHERE id = 1`,
      "/* DROP TABLE t */ SELECT 1",
      "UPDATE t SET tags = ARRAY['a', 'b'] WHERE id = $1",
      "SELECT $$it's$$, `a`, [b] FROM t",
    ],
  },
  "a program that hands statements on": {
    call: given("wrangler d1 execute db --command"),
    harmful: [String.raw`SELECT 'a\'; DROP TABLE t; --'`, "SELECT 1; DROP TABLE t"],
    harmless: [String.raw`SELECT 'a\', '; DROP TABLE t; '`, "SELECT 1; SELECT 'drop table t'"],
  },
  "a program in another language": {
    call: (text) => `python3 -c ${word(`import db; db.connect().execute(${JSON.stringify(text)})`)}`,
    harmful: [String.raw`SELECT 'a\'; DROP TABLE t; --'`, String.raw`SELECT 'it\'s'; DROP TABLE t`],
    harmless: [
      String.raw`UPDATE t SET a = 'it\'s' WHERE id = 1`,
      "UPDATE t SET a = 'C:\\' WHERE id = 1",
      "SELECT '; DROP TABLE t'",
    ],
  },
};

for (const [name, { call, harmful, harmless }] of Object.entries(CASES))
  // req: R-30
  test(`${name}: asks about statements that its database would run, but not about plain text`, async () => {
    const wrong: string[] = [];
    for (const text of harmful) if ((await answer(call(text))) === "allow") wrong.push(`allowed: ${text}`);
    for (const text of harmless) if ((await answer(call(text))) !== "allow") wrong.push(`asked: ${text}`);
    assert.deepEqual(wrong, []);
  });

test("tries both string syntaxes if a setting or server may change them, and stops at a self-including file", async () => {
  const text = word(String.raw`SELECT 'it\'s', ';'; DROP TABLE t; --'`);
  assert.equal(await answer(`psql -c ${text}`), "allow");
  assert.equal(await answer(`psql -h a.redshift.amazonaws.com -c ${text}`), "ask");
  assert.equal(await answer(`PGOPTIONS='-c standard_conforming_strings=off' psql -c ${text}`), "ask");
  assert.equal(await answer("printf '.read x.sql\\n' > x.sql; sqlite3 a.db < x.sql"), "ask");
});

test("the real SQLite agrees with these cases", () => {
  const emptied = (text: string): boolean => {
    using database = new DatabaseSync(":memory:");
    database.exec("CREATE TABLE t (a, id); INSERT INTO t VALUES (1, 7)");
    try {
      database.exec(text);
    } catch {
      // Where a statement fails those before it have run.
    }
    return (
      database.prepare("SELECT name FROM sqlite_master").all().length === 0 ||
      database.prepare("SELECT * FROM t").all().length === 0
    );
  };
  const { harmful, harmless } = CASES.sqlite3!;
  assert.deepEqual(
    harmful.filter((text) => !emptied(text)),
    [],
  );
  assert.deepEqual(harmless.filter(emptied), []);
});
