import { parseAst } from "rolldown/parseAst";

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

interface Named {
  readonly type: string;
  readonly local: { readonly name: string };
  readonly imported?: { readonly name: string };
  readonly exported?: { readonly name: string };
}

interface Declaration extends Node {
  readonly specifiers: readonly Named[];
  readonly source: { readonly value: string } | null;
  readonly declaration?: unknown;
}

/**
 * Turns a module of a bundle into a script that is one function, and a module that runs it and exports its result.
 * Bindings are passed once,
 * after the script has run, so no export may be reassigned later.
 * @param files `inlined` has scripts of small modules by their specifier: the script contains these instead of importing
 * them.
 * @throws {Error} if the module uses syntax that bundles do not.
 */
export function asScript(
  code: string,
  files: { readonly script: string; readonly runPiece: string; readonly inlined?: ReadonlyMap<string, string> },
): { readonly script: string; readonly door: string } {
  if (/\$(others|meta|load)\b/.test(code))
    throw new Error(`${files.script}: the module already uses $others, $meta or $load, which the script needs.`);
  const program = parseAst(code) as unknown as { readonly body: readonly Node[] };
  const others: string[] = [];
  const message: Named[] = [];
  const edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  for (const node of program.body) {
    const { specifiers, source, declaration } = node as Declaration;
    if (node.type === "ImportDeclaration") {
      if (specifiers.some(({ type }) => type !== "ImportSpecifier"))
        throw new Error(`${files.script}: the import is not a list of names, as bundles have.`);
      const inlined = files.inlined?.get(source!.value);
      const from = inlined === undefined ? `$others[${others.length}]` : `${inlined.trimEnd()}([],$meta,$load)`;
      edits.push({
        ...node,
        text: `const{${specifiers.map(({ imported, local }) => `${imported!.name}:${local.name}`).join(",")}}=${from};`,
      });
      if (inlined === undefined) others.push(source!.value);
    } else if (node.type.startsWith("Export")) {
      if (node.type !== "ExportNamedDeclaration" || source !== null || (declaration ?? null) !== null)
        throw new Error(`${files.script}: the export is not a list of the module's own names, as bundles have.`);
      edits.push({ ...node, text: "" });
      message.push(...specifiers);
    }
  }
  for (const node of nodesOf(program)) {
    if (node.type === "ImportExpression")
      edits.push({ start: node.start, end: node.start + "import".length, text: "$load" });
    if (node.type === "MetaProperty" && code.startsWith("import", node.start)) edits.push({ ...node, text: "$meta" });
  }
  let body = code;
  for (const { start, end, text } of edits.toSorted((a, b) => b.start - a.start))
    body = body.slice(0, start) + text + body.slice(end);
  const names = message.map(({ local, exported }) => ({ local: local.name, exported: exported!.name }));
  return {
    script: `(function($others,$meta,$load){"use strict";${body}\nreturn{${names.map(({ local, exported }) => `${exported}:${local}`).join(",")}}})\n`,
    door: [
      ...others.map((other, at) => `import*as o${at} from${JSON.stringify(other)};`),
      `import{runPiece}from${JSON.stringify(files.runPiece)};`,
      `const{${names.map(({ exported }) => `${exported}:_${exported}`).join(",")}}=runPiece(import.meta.dirname+${JSON.stringify(`/${files.script}`)},[${others.map((_, at) => `o${at}`).join(",")}],import.meta,(e)=>import(e));`,
      `export{${names.map(({ exported }) => `_${exported} as ${exported}`).join(",")}};\n`,
    ].join(""),
  };
}

function* nodesOf(value: unknown): Generator<Node> {
  if (Array.isArray(value)) for (const one of value) yield* nodesOf(one);
  else if (typeof value === "object" && value !== null) {
    if ("type" in value && "start" in value) yield value as Node;
    for (const part of Object.values(value)) yield* nodesOf(part);
  }
}
