/** A node of the syntax tree. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

/** The types of function nodes; a method has a `FunctionExpression`. */
export const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

export function childrenOf(node: Node): readonly Node[] {
  return membersOf(node).map(([, child]) => child);
}

export function membersOf(node: Node): readonly (readonly [string, Node])[] {
  return Object.entries(node).flatMap(([member, value]) =>
    (Array.isArray(value) ? value : [value]).filter(isNode).map((child) => [member, child] as const),
  );
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}
