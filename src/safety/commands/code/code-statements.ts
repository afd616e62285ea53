import type { Call } from "../evaluate/call.ts";
import { readArguments } from "./code-arguments.ts";
import type { Token } from "./code-tokens.ts";
import { isKnown } from "../parse/marks.ts";
import { judgeSql } from "../sql/sql.ts";

/**
 * Functions that hand a statement to a database, whatever they are called on: `new Database("x").exec("drop table t")`.
 */
const HANDS_ON =
  /^\$?(?:exec\w*|run|query\w*|raw|all|each|prepare\w*|unsafe|none|any|one|many|oneOrNone|manyOrNone|batch|multi|do|sql\w*|text|statement|stmt|read_sql\w*|createQuery|createNativeQuery|createStatement|addBatch|mutate|\w+_(?:query|exec|execute|multi_query)|(?:execute|query)Raw(?:Unsafe)?|selectall_\w+|DB|dbExecute|dbSendQuery|dbGetQuery)$/;
const STATEMENT =
  /(?:^|;)[\s(]*(?:drop|truncate|delete\s+from|alter\s+(?:table|database|user|role)|update\s+\S+\s+set|grant\s+all)\b/i;

/** Methods that drop or empty whatever they are called on. */
const EMPTIES =
  /^(?:flush_?(?:all|db)|drop_?(?:database|db|all|schema|collection|table|tables|table_if_exists|all_?(?:schemas|collections|tables))|dropTableIfExists|dropAllAsync|delete_all|destroy_all|delete_collection|delete_database|deleteDatabase)$/i;
/** These do where nothing says of which. */
const EMPTIES_UNNARROWED = /^(?:delete_?many|remove_?many|drop)$/i;

/** `r.flushall()`, `db.dropDatabase()`, `users.delete_many({})`. */
function judgeEmptying(tokens: readonly Token[], i: number, call: Call): void {
  const { text } = tokens[i]!;
  if (tokens[i - 1]?.text !== "." || tokens[i + 1]?.text !== "(") return;
  const args = tokens
    .slice(i + 2, i + 6)
    .map((token) => token.text)
    .join("");
  const unnarrowed = EMPTIES_UNNARROWED.test(text) && /^(?:\{\})?\)/.test(args);
  const rebuilt = text === "sync" && args.startsWith("{force:true");
  if (EMPTIES.test(text) || unnarrowed || rebuilt)
    call.by.harm("database-drop", `${call.program}: ${tokens[i - 2]!.text}.${text}()`);
}

/** A statement among the arguments of the call at `i`, or behind it as a template: sql`drop table t`. */
export function judgeStatements(
  tokens: readonly Token[],
  i: number,
  variables: ReadonlyMap<string, string>,
  call: Call,
): void {
  judgeEmptying(tokens, i, call);
  if (!HANDS_ON.test(tokens[i]!.text)) return;
  const next = tokens[i + 1];
  const texts =
    next?.kind === "string"
      ? [next.text]
      : next?.text === "("
        ? readArguments(tokens, i + 2, variables, call.state.budget).map(({ text }) => text)
        : [];
  for (const text of texts) if (text !== undefined && isKnown(text) && STATEMENT.test(text)) judgeSql(text, call);
}
