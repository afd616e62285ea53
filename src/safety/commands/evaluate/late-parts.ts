import type { Call } from "./call.ts";
import type * as Code from "../code/code.ts";
import type { Language } from "../code/code-tokens.ts";
import { PartMissing } from "./part-missing.ts";
import type * as GitVariables from "../programs/git-variables.ts";
import type * as Sql from "../sql/sql.ts";

let code: typeof Code | undefined;
let git: typeof GitVariables | undefined;
let sql: typeof Sql | undefined;

/** `judgeCode`, for what is loaded with every command: most of them hold no program in another language. */
export function judgeCodeLate(language: Language, source: string, call: Call): void {
  if (code === undefined) throw new PartMissing("code", async () => void (code = await import("../code/code.ts")));
  code.judgeCode(language, source, call);
}

/** `judgeSql`, likewise. */
export function judgeSqlLate(text: string, call: Call): void {
  if (sql === undefined) throw new PartMissing("sql", async () => void (sql = await import("../sql/sql.ts")));
  sql.judgeSql(text, call);
}

/** `judgeGitVariable`, likewise. */
export function judgeGitLate(role: GitVariables.GitVariable, value: string, call: Call): void {
  if (git === undefined)
    throw new PartMissing("git", async () => void (git = await import("../programs/git-variables.ts")));
  git.judgeGitVariable(role, value, call);
}
