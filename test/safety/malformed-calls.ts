import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../src/contract/common/json.ts";
import { coerce } from "../../src/engine/arguments/coerce.ts";
import { decodeArguments } from "../../src/engine/arguments/decode.ts";
import { nearName } from "../../src/engine/arguments/near-name.ts";
import { textualCalls, unreadableCall } from "../../src/engine/arguments/textual-calls.ts";
import { validate } from "../../src/engine/arguments/validate.ts";
import { isQuiet } from "../../src/engine/approval/quiet.ts";
import { ownNames } from "../../src/engine/tools/offered-names.ts";

/**
 * A malformed call, as a model wrote it: in the text of an answer, or as the arguments of a call. `want` lists the calls
 * that must come out; `refuse` means that nothing may run and the model is asked again; `text` is no call.
 */
export interface MalformedCall {
  readonly id: string;
  readonly form: string;
  /** The model card, chat template or issue thread that documents the form. */
  readonly source: string;
  readonly text?: string;
  readonly tool?: string;
  readonly args?: string;
  readonly want: Outcome;
}

export type Outcome = "refuse" | "text" | readonly { readonly tool: string; readonly args: JsonObject }[];

const text = { type: "string" } as const;
const whole = { type: "integer" } as const;
const tool = (effect: "read" | "write" | "execute", properties: JsonObject, required: readonly string[]) =>
  ({ effect, input: { type: "object", properties, required } }) as const;
const TOOLS = {
  read_file: tool("read", { path: text, offset: whole, limit: whole }, ["path"]),
  search_files: tool("read", { pattern: text, path: text, limit: whole }, ["pattern"]),
  web_search: tool("read", { query: text, limit: whole }, ["query"]),
  terminal: tool("execute", { command: text, timeout: whole, background: { type: "boolean" } }, ["command"]),
  write_file: tool("write", { path: text, content: text }, ["path", "content"]),
};
const OFFERED: ReadonlySet<string> = new Set(Object.keys(TOOLS));
const CANDIDATES = Object.entries(TOOLS).map(([name, { effect }]) => ({ name, effect }));

/**
 * The rows of all rounds. Each round was written before its first measurement. First contact, of the calls that must be
 * recovered or refused: round 1 53 %, 2 52 % (other vendors' forms), 3 91 % (one guess that ran), 4 89 %, 5 100 %.
 */
export function malformedCalls(): readonly MalformedCall[] {
  const folder = join(import.meta.dirname, "calls");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) =>
      readFileSync(join(folder, name), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as MalformedCall),
    );
}

/** What the engine makes of the row, by the functions and the rule that a turn uses. */
export async function outcomeOf(row: MalformedCall): Promise<Outcome> {
  if (row.text === undefined) return prepared([{ tool: row.tool!, args: row.args! }]);
  const spoken = textualCalls(row.text, OFFERED);
  if (spoken === undefined) return unreadableCall(row.text, OFFERED) === undefined ? "text" : "refuse";
  const quiet = spoken.calls.every(({ tool }) => isQuiet(TOOLS[tool as keyof typeof TOOLS].effect));
  return spoken.marked || quiet ? prepared(spoken.calls) : "refuse";
}

async function prepared(calls: readonly { readonly tool: string; readonly args: string }[]): Promise<Outcome> {
  const made: { tool: string; args: JsonObject }[] = [];
  for (const call of calls) {
    const name = OFFERED.has(call.tool) ? call.tool : nearName(call.tool, CANDIDATES);
    if (name === undefined) return "refuse";
    const { effect, input } = TOOLS[name as keyof typeof TOOLS];
    const decoded = decodeArguments(call.args, isQuiet(effect));
    if (!decoded.ok) return "refuse";
    const args = coerce(ownNames(decoded.args, input), input);
    if (!(await validate(args, input)).ok) return "refuse";
    made.push({ tool: name, args });
  }
  return made;
}
