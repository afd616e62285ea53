import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "rolldown/utils";

export type TextKind = "user-visible" | "docs" | "comment" | "identifier" | "test name";

/** A piece of text or a name, with the line it begins on (from 1). */
export interface TextPiece {
  readonly file: string;
  readonly line: number;
  readonly kind: TextKind;
  readonly text: string;
}

/** Calls whose first argument names a test. */
const TEST_CALLS = new Set(["test", "it", "describe", "suite"]);

/** Every text of a file that the prose check reads. */
export function readText(root: string, file: string): readonly TextPiece[] {
  const source = readFileSync(join(root, file), "utf8");
  if (file.endsWith(".md")) return markdownPieces(file, source);
  if (file.endsWith(".yaml")) return yamlPieces(file, source);
  if (file.endsWith(".py")) return pythonPieces(file, source);
  return typescriptPieces(file, source);
}

function typescriptPieces(file: string, source: string): readonly TextPiece[] {
  const { program, comments } = parseSync(file, source);
  const lineAt = lineCounter(source);
  const isTest = /\.test\.ts$|^test\/|\/testing\/|-fixture\.ts$|-cases\.ts$/.test(file);
  const pieces: TextPiece[] = comments.map(({ value, start }) => ({
    file,
    line: lineAt(start),
    kind: "comment",
    text: commentText(value),
  }));
  const seen = new Set<number>();
  walk(program, (node, parent) => {
    if (node.type === "Identifier" && typeof node["name"] === "string" && !seen.has(node.start)) {
      seen.add(node.start);
      if (isDeclaration(node, parent))
        pieces.push({ file, line: lineAt(node.start), kind: "identifier", text: node["name"] });
    }
    if (node.type === "CallExpression") {
      const name = testName(node);
      if (name !== undefined) {
        seen.add(-1 - name.start);
        pieces.push({ file, line: lineAt(name.start), kind: "test name", text: textOf(name) });
      }
    }
    const isText = (node.type === "Literal" && typeof node["value"] === "string") || node.type === "TemplateLiteral";
    if (isText && !isTest && !seen.has(-1 - node.start) && parent?.type !== "ImportDeclaration") {
      const text = textOf(node);
      if (/[a-z]+ [a-z]+/i.test(text)) pieces.push({ file, line: lineAt(node.start), kind: "user-visible", text });
    }
  });
  return pieces;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

function walk(node: unknown, visit: (node: Node, parent: Node | undefined) => void, parent?: Node): void {
  if (Array.isArray(node)) for (const one of node) walk(one, visit, parent);
  if (typeof node !== "object" || node === null || !("type" in node)) return;
  visit(node as Node, parent);
  for (const [key, value] of Object.entries(node))
    if (key !== "type" && typeof value === "object") walk(value, visit, node as Node);
}

/** A name is counted where it is given, not at each use. */
function isDeclaration(node: Node, parent: Node | undefined): boolean {
  switch (parent?.type) {
    case "VariableDeclarator":
    case "FunctionDeclaration":
    case "ClassDeclaration":
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
      return parent["id"] === node;
    case "MethodDefinition":
    case "PropertyDefinition":
    case "TSPropertySignature":
    case "TSMethodSignature":
      return parent["key"] === node;
    case "ArrowFunctionExpression":
    case "FunctionExpression":
      return true;
    default:
      return false;
  }
}

function testName(node: Node): Node | undefined {
  const callee = node["callee"] as Node;
  const name = callee.type === "MemberExpression" ? (callee["object"] as Node)["name"] : callee["name"];
  const [first] = node["arguments"] as readonly Node[];
  return typeof name === "string" &&
    TEST_CALLS.has(name) &&
    (first?.type === "Literal" || first?.type === "TemplateLiteral")
    ? first
    : undefined;
}

function textOf(node: Node): string {
  if (node.type === "Literal") return String(node["value"]);
  const quasis = node["quasis"] as readonly { readonly value: { readonly cooked: string | null } }[];
  return quasis.map(({ value }) => value.cooked ?? "").join("…");
}

function commentText(value: string): string {
  return value
    .replaceAll(/^[ \t]*\*+ ?/gm, "")
    .replaceAll(/\s*\n\s*/g, " ")
    .trim();
}

/** Prose of a page: no fences, no code spans, no link targets. */
function markdownPieces(file: string, source: string): readonly TextPiece[] {
  let fenced = false;
  return source.split("\n").flatMap((line, index): TextPiece[] => {
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced;
    if (fenced) return [];
    const text = withoutCode(line)
      .replaceAll(/\]\([^)]*\)/g, "]")
      .trim();
    return text === "" ? [] : [{ file, line: index + 1, kind: "docs", text }];
  });
}

function yamlPieces(file: string, source: string): readonly TextPiece[] {
  return source.split("\n").flatMap((line, index): TextPiece[] => {
    const comment = /(?:^|\s)#\s*(.*)$/.exec(line);
    if (comment !== null) return [{ file, line: index + 1, kind: "comment", text: comment[1]! }];
    return /[a-z]+ [a-z]+/i.test(line) ? [{ file, line: index + 1, kind: "user-visible", text: line }] : [];
  });
}

function pythonPieces(file: string, source: string): readonly TextPiece[] {
  return source.split("\n").flatMap((line, index): TextPiece[] => {
    const at = { file, line: index + 1 };
    const comment = /(?:^|\s)#\s*(.*)$/.exec(line);
    const names = [...line.matchAll(/\b(?:def|class) (\w+)|^\s*(\w+)(?:: [\w[\], .|]+)? = /g)];
    return [
      ...(comment === null ? [] : [{ ...at, kind: "comment" as const, text: comment[1]! }]),
      ...[...line.matchAll(/"([^"]* [^"]*)"/g)].map(([, text = ""]) => ({
        ...at,
        kind: "user-visible" as const,
        text,
      })),
      ...names.map(([, defined, assigned]) => ({
        ...at,
        kind: "identifier" as const,
        text: defined ?? assigned ?? "",
      })),
      ...(comment === null && !line.includes('"') && /^\s*[A-Z][a-z]+ [a-z]+ .*[.]$/.test(line)
        ? [{ ...at, kind: "comment" as const, text: line.trim() }]
        : []),
    ];
  });
}

function withoutCode(text: string): string {
  return text.replaceAll(/`[^`]*`/g, "`…`");
}

function lineCounter(source: string): (offset: number) => number {
  const starts = [0];
  for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
