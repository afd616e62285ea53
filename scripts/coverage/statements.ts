import { parseSync } from "rolldown/utils";

/** A part of a source that V8 counted, as `NODE_V8_COVERAGE` writes it. */
export interface CountedRange {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/** Statements that only declare a name or group others. */
const NOT_COUNTED = new Set(["BlockStatement", "EmptyStatement", "FunctionDeclaration", "ClassDeclaration"]);

/**
 * Finds the statements of a TypeScript source that run. Types and imports do not; the body of `() => value` does.
 * @returns The offset of each statement's first character, in ascending order.
 */
export function statementsIn(file: string, text: string): readonly number[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`Cannot parse ${file}: ${errors[0]?.message}`);
  const starts: number[] = [];
  visit(program);
  return starts.sort((a, b) => a - b);

  function visit(value: unknown): void {
    if (Array.isArray(value)) return value.forEach(visit);
    if (typeof value !== "object" || value === null || !("type" in value)) return;
    const node = value as { readonly [key: string]: unknown };
    const type = String(node["type"]);
    if (type.startsWith("TS") && (type.endsWith("Declaration") || type.endsWith("Type"))) return;
    if (node["declare"] === true) return;
    if ((type.endsWith("Statement") || type === "VariableDeclaration") && !NOT_COUNTED.has(type))
      starts.push(Number(node["start"]));
    if (type === "ArrowFunctionExpression") {
      const body = node["body"] as { readonly type: string; readonly start: number };
      if (body.type !== "BlockStatement") starts.push(body.start);
    }
    Object.values(node).forEach(visit);
  }
}

/** Selects the statements that ran: those whose innermost range has a count. */
export function coveredOf(statements: readonly number[], ranges: readonly CountedRange[]): readonly number[] {
  const sorted = ranges.toSorted((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  const around: CountedRange[] = [];
  let next = 0;
  return statements.filter((at) => {
    for (let range = sorted[next]; range !== undefined && range.startOffset <= at; range = sorted[++next]) {
      while (around.length > 0 && around.at(-1)!.endOffset <= range.startOffset) around.pop();
      around.push(range);
    }
    while (around.length > 0 && around.at(-1)!.endOffset <= at) around.pop();
    return (around.at(-1)?.count ?? 0) > 0;
  });
}
