/** One section of a V4A patch, with paths as written in the patch. */
export type Operation =
  | { readonly kind: "add"; readonly path: string; readonly content: string }
  | { readonly kind: "update"; readonly path: string; readonly hunks: readonly Hunk[] }
  | { readonly kind: "delete"; readonly path: string }
  | { readonly kind: "move"; readonly path: string; readonly to: string };

export interface Hunk {
  /** Text near the change. */
  readonly hint?: string;
  /** Whether a second `@@` closes the hint; then a hunk that only adds must find it. */
  readonly firm: boolean;
  readonly lines: readonly { readonly kind: "context" | "remove" | "add"; readonly text: string }[];
}

/** The paths in a patch's headers, in order, each once. */
export function pathsOf(operations: readonly Operation[]): string[] {
  return [
    ...new Set(
      operations.flatMap((operation) =>
        operation.kind === "move" ? [operation.path, operation.to] : [operation.path],
      ),
    ),
  ];
}

/** The strongest thing a patch does to a path. */
export function accessOf(path: string, operations: readonly Operation[]): "write" | "create" | "delete" {
  const kinds = operations.flatMap((operation) =>
    operation.path === path
      ? [operation.kind]
      : operation.kind === "move" && operation.to === path
        ? (["add"] as const)
        : [],
  );
  if (kinds.includes("delete") || kinds.includes("move")) return "delete";
  return kinds.every((kind) => kind === "add") ? "create" : "write";
}
