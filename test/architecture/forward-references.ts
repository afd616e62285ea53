import { parseSync } from "rolldown/utils";
import { childrenOf, FUNCTIONS, membersOf, type Node } from "./syntax-tree.ts";

/** The declarations of one function body or file, without nested functions. */
interface Scope {
  readonly variables: Map<string, Variable>;
  /** The number of functions around it. */
  readonly depth: number;
}

interface Variable {
  readonly declaredAt: number;
  readonly depth: number;
  /** `let x!: T` */
  readonly definite: boolean;
}

/**
 * Finds two things that make wiring hard to follow: a closure that mentions a variable which the surrounding function
 * declares later, and a
 * variable without a value (`let x!: T`).
 * @returns one sentence for each.
 */
export function forwardReferences(file: string, text: string): readonly string[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`);
  const found: string[] = [];
  const lineOf = (at: number): number => text.slice(0, at).split("\n").length;

  function walk(node: Node, scopes: readonly Scope[]): void {
    if (node.type.startsWith("TS") && !WITH_VALUES.has(node.type)) return;
    if (node.type === "Identifier") return use(node, scopes);
    const depth = scopes[0]?.depth ?? 0;
    const inner = FUNCTIONS.has(node.type)
      ? [{ variables: variablesOf(childrenOf(node), depth + 1), depth: depth + 1 }, ...scopes]
      : BLOCKS.has(node.type)
        ? [{ variables: variablesOf(childrenOf(node), depth), depth }, ...scopes]
        : scopes;
    if (inner !== scopes)
      for (const [name, { definite, declaredAt }] of inner[0]?.variables ?? [])
        if (definite) found.push(`${file}:${lineOf(declaredAt)} declares ${name} without a value`);
    for (const [member, child] of membersOf(node)) if (!isName(node, member)) walk(child, inner);
  }

  function use({ name, start }: Node, scopes: readonly Scope[]): void {
    const variable = scopes.find(({ variables }) => variables.has(String(name)))?.variables.get(String(name));
    if (variable === undefined || start >= variable.declaredAt || variable.depth === 0) return;
    if ((scopes[0]?.depth ?? 0) > variable.depth)
      found.push(
        `${file}:${lineOf(start)} mentions ${String(name)}, which is declared in line ${lineOf(variable.declaredAt)}`,
      );
  }

  walk(program as unknown as Node, []);
  return found;
}

const BLOCKS = new Set([
  "Program",
  "BlockStatement",
  "ForStatement",
  "ForOfStatement",
  "ForInStatement",
  "SwitchStatement",
]);
/** Type syntax around a value. */
const WITH_VALUES = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"]);

/** The variables that these statements declare, without those of nested blocks and functions. */
function variablesOf(nodes: readonly Node[], depth: number): Map<string, Variable> {
  const variables = new Map<string, Variable>();
  for (const node of nodes) {
    if (node.type === "VariableDeclaration")
      for (const { id, definite } of node["declarations"] as readonly (Node & { id: Node; definite?: boolean })[])
        for (const name of namesIn(id))
          variables.set(name, { declaredAt: node.start, depth, definite: definite === true });
    // Parameters and functions exist from the start.
    else if (PATTERNS.has(node.type))
      for (const name of namesIn(node)) variables.set(name, { declaredAt: 0, depth, definite: false });
    else if (node.type === "FunctionDeclaration")
      variables.set(String((node["id"] as Node)["name"]), { declaredAt: 0, depth, definite: false });
  }
  return variables;
}

const PATTERNS = new Set(["Identifier", "ObjectPattern", "ArrayPattern", "AssignmentPattern", "RestElement"]);

function namesIn(pattern: Node): readonly string[] {
  switch (pattern.type) {
    case "Identifier":
      return [String(pattern["name"])];
    case "AssignmentPattern":
      return namesIn(pattern["left"] as Node);
    case "RestElement":
      return namesIn(pattern["argument"] as Node);
    case "Property":
      return namesIn(pattern["value"] as Node);
    default:
      return childrenOf(pattern).flatMap(namesIn);
  }
}

/** `x` in `a.x` and in `{ x: a }` names a member, not a variable. */
function isName(node: Node, member: string): boolean {
  if (node.type === "MemberExpression") return member === "property" && node["computed"] !== true;
  return NAMED.has(node.type) && member === "key" && node["computed"] !== true;
}

const NAMED = new Set(["Property", "MethodDefinition", "PropertyDefinition"]);
