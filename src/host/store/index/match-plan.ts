import { gramOf, hasNoLetter, hasUnspaced } from "./short-grams.ts";
import { asPhrase, termsOf, type SearchQuery, type Term } from "./search-query.ts";

type FullText = "messages_fts" | "messages_fts_trigram" | "messages_fts_short";

/** One SELECT over the full-text indexes, which reads one of them from its end. */
export interface MatchPlan {
  /** `FROM … WHERE …` with the message as `m`. */
  readonly from: string;
  readonly values: readonly string[];
  /** Orders by this column, so that SQLite reads the index backwards and stops early. */
  readonly id: string;
}

interface Match {
  readonly table: FullText;
  readonly match: string;
}

/** Whole words. `undefined`: a term is not written with blanks around it, or has no letter. */
export function wordPlan(query: SearchQuery): MatchPlan | undefined {
  if (termsOf(query).some(({ text }) => hasUnspaced(text) || hasNoLetter(text))) return undefined;
  return plansOf(query, wordMatch)[0];
}

/**
 * Pieces of words, languages without blanks, symbols. Each term in the index that knows terms of its length; the results
 * of all plans together are the answer.
 */
export function piecePlans(query: SearchQuery): readonly MatchPlan[] {
  return plansOf(query, ({ text, prefix }) => {
    const gram = gramOf(text);
    if (gram !== undefined) return { table: "messages_fts_short", match: asPhrase(gram) };
    return [...text].length >= 3
      ? { table: "messages_fts_trigram", match: asPhrase(text) }
      : wordMatch({ text, prefix });
  });
}

/** The words of a query in the words' index, for its own snippets. */
export function wordMatchOf(query: SearchQuery): string {
  return allOf(query.groups.map((group) => anyOf(group.map((term) => wordMatch(term).match))));
}

function wordMatch({ text, prefix }: Term): Match {
  return { table: "messages_fts", match: `${asPhrase(text)}${prefix ? " *" : ""}` };
}

const anyOf = (matches: readonly string[]): string =>
  matches.length === 1 ? matches[0]! : `(${matches.join(" OR ")})`;
/** A query with more groups of mixed alternatives than anybody types. */
const MOST_PLANS = 16;

const allOf = (matches: readonly string[]): string => matches.join(" AND ");

/** The index that is likely to have the fewest hits reads; the others only confirm. */
const LEADING: readonly FullText[] = ["messages_fts_trigram", "messages_fts_short", "messages_fts"];

/** `(a OR b) AND c`, where a and b are in different indexes, is `a AND c` and `b AND c`: each reads one index backwards. */
function plansOf(query: SearchQuery, matchOf: (term: Term) => Match): readonly MatchPlan[] {
  const without = byTable(query.not.map(matchOf));
  const alternatives = query.groups
    .map((group) => byTable(group.map(matchOf)))
    .reduce<readonly (readonly Match[])[]>(
      (plans, group) => plans.flatMap((plan) => group.map((match) => [...plan, match])),
      [[]],
    );
  return alternatives.slice(0, MOST_PLANS).map((matches) => planOf(matches, without));
}

function planOf(wanted: readonly Match[], without: readonly Match[]): MatchPlan {
  const leader = LEADING.find((table) => wanted.some((one) => one.table === table))!;
  const led = (matches: readonly Match[]): readonly string[] =>
    matches.filter(({ table }) => table === leader).map(({ match }) => match);
  const all = allOf(led(wanted));
  const not = led(without);
  const others = [
    ...wanted.map((one) => ({ ...one, how: "IN" })),
    ...without.map((one) => ({ ...one, how: "NOT IN" })),
  ].filter(({ table }) => table !== leader);
  const id = `${leader}.rowid`;
  const conditions = others.map(({ table, how }) => `${id} ${how} (SELECT rowid FROM ${table} WHERE ${table} MATCH ?)`);
  return {
    from: `FROM ${leader} CROSS JOIN messages m ON m.id = ${id} WHERE ${[`${leader} MATCH ?`, ...conditions].join(" AND ")}`,
    values: [not.length === 0 ? all : `(${all}) NOT ${anyOf(not)}`, ...others.map(({ match }) => match)],
    id,
  };
}

/** Alternatives of one index become one. */
function byTable(matches: readonly Match[]): readonly Match[] {
  const grouped = Map.groupBy(matches, ({ table }) => table);
  return [...grouped].map(([table, all]) => ({ table, match: anyOf(all.map(({ match }) => match)) }));
}
