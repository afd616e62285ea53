import { parseSync } from "rolldown/utils";
import { childrenOf, FUNCTIONS, type Node } from "./syntax-tree.ts";

/** A function or method that is longer than allowed. */
export interface LongFunction {
  readonly line: number;
  /** Empty for a function without a name. */
  readonly name: string;
  readonly lines: number;
}

/** Finds the functions and methods of a file that have more than `limit` lines, signature included. */
export function longFunctions(file: string, text: string, limit: number): readonly LongFunction[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`);
  const newlines = (from: number, to: number): number => text.slice(from, to).split("\n").length - 1;

  function walk(node: Node, owner: Node | undefined): readonly LongFunction[] {
    const inner = childrenOf(node).flatMap((child) => walk(child, node));
    if (!FUNCTIONS.has(node.type)) return inner;
    const lines = newlines(node.start, node.end) + 1;
    return lines > limit ? [{ line: newlines(0, node.start) + 1, name: nameOf(node, owner), lines }, ...inner] : inner;
  }

  return walk(program as unknown as Node, undefined);
}

/** The function's own name, or that of the variable or member it is assigned to. */
function nameOf(node: Node, owner: Node | undefined): string {
  const name = [node["id"], owner?.["id"], owner?.["key"]].find((one) => one !== null && one !== undefined);
  return String((name as Node | undefined)?.["name"] ?? "");
}
