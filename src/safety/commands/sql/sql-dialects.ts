/** How a kind of database, with its client, distinguishes text from statements. Absent fields mean standard SQL. */
export interface SqlDialect {
  /** A backslash takes its meaning from the quote behind it: in every '…', in those behind an E, in none. */
  readonly backslash: "all" | "E" | "none";
  /** A quoted text on the line after `E'…'` continues it. */
  readonly continues?: true;
  /** Other quotes in which it does so. */
  readonly backslashIn?: string;
  /** Characters besides `"` that open a quoted name. */
  readonly names?: "`" | "[" | "`[";
  /** `$$…$$`, or with a tag, or with any words for a tag. */
  readonly dollar?: "plain" | "tag" | "any";
  /** `q'[…]'` of Oracle. */
  readonly chosenQuotes?: true;
  /** `'''…'''`. */
  readonly triple?: true;
  /** Comments to the end of the line beside `--`, which may itself need something behind it. */
  readonly dashes?: RegExp;
  readonly lineComments?: readonly RegExp[];
  readonly nested?: true;
  /**
   * Runs the text in comments that begin with an exclamation mark: those that require at most this version; MariaDB
   * also its own, and none of those that only MySQL has.
   */
  readonly runs?: { readonly upTo: number; readonly mariaDb: boolean };
  /** Whose commands stand between the statements. */
  readonly client?: "psql" | "mysql";
  /**
   * Lines that the client takes for itself where a statement would begin; what they say is only text, or does nothing
   * to data.
   */
  readonly says?: RegExp;
}

/** psql itself looks at each line alone, where it reads a file; the server sees several. */
const PSQL: SqlDialect = { backslash: "E", dollar: "tag", nested: true, client: "psql" };
const POSTGRES: SqlDialect = { ...PSQL, continues: true };
const DUCKDB: SqlDialect = { backslash: "E", continues: true, dollar: "tag", nested: true, says: /^\.[a-z]/i };
const SQLITE: SqlDialect = { backslash: "none", names: "`[", says: /^(?:\.[a-z]|#)/i };
/** Every version runs what asks for an older one. */
export const SETTLED = 50_700;
const MYSQL: SqlDialect = {
  backslash: "all",
  backslashIn: '"',
  names: "`",
  dashes: /--(?=[\s\0-\x1f]|$)/y,
  lineComments: [/#/y],
  runs: { upTo: SETTLED, mariaDb: false },
  client: "mysql",
};
const TSQL: SqlDialect = { backslash: "none", names: "[", nested: true, says: /^(?::[a-z]|:?!!)/i };
const ORACLE: SqlDialect = {
  backslash: "none",
  chosenQuotes: true,
  says: /^(?:prompt|rem|remark|ttitle|btitle|accept|pause)\b/i,
};
const CLICKHOUSE: SqlDialect = {
  backslash: "all",
  backslashIn: '"`',
  names: "`",
  dollar: "any",
  nested: true,
  lineComments: [/#[ !]/y, /\/\//y],
};
const BIGQUERY: SqlDialect = { backslash: "all", backslashIn: '"`', names: "`", triple: true, lineComments: [/#/y] };
const SNOWFLAKE: SqlDialect = { backslash: "all", dollar: "plain", lineComments: [/\/\//y], says: /^!/ };
const HIVE: SqlDialect = { backslash: "all", backslashIn: '"', names: "`", says: /^[!#]/ };
const SPARK: SqlDialect = { ...HIVE, nested: true, says: /^!/ };
const STANDARD: SqlDialect = { backslash: "none" };
const CASSANDRA: SqlDialect = { backslash: "none", dollar: "plain", lineComments: [/\/\//y] };

const EVERY: readonly SqlDialect[] = [
  PSQL,
  POSTGRES,
  SQLITE,
  MYSQL,
  { ...MYSQL, backslash: "none", backslashIn: "" },
  TSQL,
  ORACLE,
  CLICKHOUSE,
  BIGQUERY,
  SNOWFLAKE,
  SPARK,
  HIVE,
  STANDARD,
  CASSANDRA,
];

const DIALECTS: Readonly<Record<string, readonly SqlDialect[]>> = {
  ...named("psql pgcli ysqlsh cockroach nzsql vsql", PSQL, POSTGRES),
  ...named("sqlite3 sqlite litecli sqlite-utils wrangler turso", SQLITE),
  ...named("mysql mariadb mycli mysqlsh dolt", MYSQL),
  ...named("sqlcmd mssql-cli", TSQL),
  ...named("sqlplus", ORACLE),
  ...named("clickhouse clickhouse-client", CLICKHOUSE),
  ...named("trino presto athenacli hdbsql", STANDARD),
  ...named("hive beeline impala-shell", HIVE, SPARK),
  duckdb: [DUCKDB],
  bq: [BIGQUERY],
  snowsql: [SNOWFLAKE],
  "spark-sql": [SPARK],
  cqlsh: [CASSANDRA],
};

/** Does this client have the commands of psql, and its variables? */
export function isPsql(program: string): boolean {
  return Object.hasOwn(DIALECTS, program) && DIALECTS[program]!.includes(PSQL);
}

/** Settings, and servers, that let a backslash mean something else than it mostly does. */
const OTHER_BACKSLASH = /standard_conforming_strings|redshift|gaussdb|no_backslash_escapes|\bansi/i;
/** Where nothing of this stands, all dialects read the same. */
const DISTINGUISHES =
  /[\\#[`$]|--|\/[*/]|q'|'''|"""|(?:^|;)\s*(?:[.:!]|prompt|rem|ttitle|btitle|accept|pause|delimiter)/im;

/** The dialects that text for this client may be in: every one where the client does not say. */
export function dialectsOf(program: string, text: string, around = ""): readonly SqlDialect[] {
  if (!DISTINGUISHES.test(text)) return [STANDARD];
  const known = Object.hasOwn(DIALECTS, program) ? DIALECTS[program]! : EVERY;
  const other = OTHER_BACKSLASH.test(text) || OTHER_BACKSLASH.test(around);
  const message = other ? known.flatMap(otherwise) : known;
  return message.flatMap((one) =>
    one.runs === undefined
      ? [one]
      : versions(text).flatMap((upTo) => [false, true].map((mariaDb) => ({ ...one, runs: { upTo, mariaDb } }))),
  );
}

function otherwise(one: SqlDialect): readonly SqlDialect[] {
  if (one.client === undefined) return [one];
  return [
    one,
    { ...one, backslashIn: "" },
    { ...one, backslash: one.backslash === "all" ? "none" : "all", backslashIn: "" },
  ];
}

/** The versions of the server between which text for MySQL reads differently. */
function versions(text: string): readonly number[] {
  const asked = [...text.matchAll(/\/\*M?!(\d{5,6})/g)]
    .map((match) => Number(match[1]))
    .filter((version) => version >= SETTLED);
  return [...new Set([SETTLED, ...asked])];
}

function named(programs: string, ...dialects: readonly SqlDialect[]): Readonly<Record<string, readonly SqlDialect[]>> {
  return Object.fromEntries(programs.split(" ").map((program) => [program, dialects]));
}
