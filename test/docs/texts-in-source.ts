import { parseSync } from "rolldown/utils";
import { childrenOf, type Node } from "../architecture/syntax-tree.ts";

/** Texts of a page file that `say` translates, and the arguments whose texts the source does not show. */
export interface PageTexts {
  readonly texts: readonly string[];
  readonly unknown: readonly string[];
}

/** The texts in `say(…)`: literals, and the tables in capitals from which an argument comes. */
export function pageTexts(file: string, source: string): PageTexts {
  const program = parsed(file, source);
  const [texts, unknown]: [string[], string[]] = [[], []];
  const tables = tablesOf(program);
  visit(program, [], (node, above) => {
    if (node.type !== "CallExpression" || nameOf(node["callee"]) !== "say") return;
    const argument = (node["arguments"] as readonly Node[])[0];
    if (argument === undefined) return;
    const literals = literalsOf(argument);
    texts.push(...literals.texts);
    if (literals.whole) return;
    // `TABLE.map(([, text]) => element("option", {}, say(text)))` is one statement.
    const statement = above.findLast(({ type }) => /(Statement|Declaration)$/.test(type)) ?? argument;
    const names = namesIn(statement).filter((name) => tables.has(name));
    if (names.length === 0) unknown.push(source.slice(argument.start, argument.end));
    for (const name of new Set(names)) texts.push(...tables.get(name)!);
  });
  return { texts: [...new Set(texts)], unknown: [...new Set(unknown)] };
}

/** Messages and hints of a server file: of `UserError`, and of objects with `error` and `hint`. `{}` is a value in it. */
export function serverTexts(file: string, source: string): readonly string[] {
  const found: string[] = [];
  visit(parsed(file, source), [], (node) => {
    if (node.type === "NewExpression" && nameOf(node["callee"]) === "UserError")
      found.push(...literalsOf((node["arguments"] as readonly Node[])[0]).texts);
    if (node.type === "Property" && ["error", "hint"].includes(nameOf(node["key"]) ?? ""))
      found.push(...literalsOf(node["value"] as Node).texts);
  });
  return [...new Set(found)].filter((text) => /[a-z]{2}/i.test(text.replaceAll("{}", "")));
}

function parsed(file: string, source: string): Node {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  return program as unknown as Node;
}

function visit(node: Node, above: readonly Node[], each: (node: Node, above: readonly Node[]) => void): void {
  each(node, above);
  for (const child of childrenOf(node)) visit(child, [...above, node], each);
}

/** `whole`: the value is one of these texts. */
function literalsOf(node: Node | undefined): { readonly texts: readonly string[]; readonly whole: boolean } {
  switch (node?.type) {
    case "Literal":
      return typeof node["value"] === "string" ? { texts: [node["value"]], whole: true } : { texts: [], whole: true };
    case "TemplateLiteral": {
      const quasis = node["quasis"] as readonly { readonly value: { readonly cooked: string } }[];
      return { texts: [quasis.map(({ value }) => value.cooked).join("{}")], whole: true };
    }
    case "ConditionalExpression": {
      const [one, other] = [literalsOf(node["consequent"] as Node), literalsOf(node["alternate"] as Node)];
      return { texts: [...one.texts, ...other.texts], whole: one.whole && other.whole };
    }
    case "LogicalExpression": {
      const [one, other] = [literalsOf(node["left"] as Node), literalsOf(node["right"] as Node)];
      return { texts: [...one.texts, ...other.texts], whole: one.whole && other.whole };
    }
    case "CallExpression":
      return nameOf(node["callee"]) === "asTyped"
        ? literalsOf((node["arguments"] as readonly Node[])[0])
        : { texts: [], whole: false };
    case "Identifier":
      return { texts: [], whole: node["name"] === "undefined" };
    default:
      return { texts: [], whole: false };
  }
}

/** Constants in capitals, with the texts that they show: values, second members of pairs, `label`. */
function tablesOf(program: Node): ReadonlyMap<string, readonly string[]> {
  const tables = new Map<string, readonly string[]>();
  visit(program, [], (node) => {
    const name = node.type === "VariableDeclarator" ? nameOf(node["id"]) : undefined;
    if (name !== undefined && /^[A-Z][A-Z_]+$/.test(name)) tables.set(name, tableTexts(node["init"] as Node));
  });
  return tables;
}

function tableTexts(node: Node): readonly string[] {
  if (node.type.startsWith("TS")) return tableTexts(node["expression"] as Node);
  if (node.type === "ObjectExpression")
    return (node["properties"] as readonly Node[]).flatMap(({ value }) => literalsOf(value as Node).texts);
  if (node.type !== "ArrayExpression") return [];
  return (node["elements"] as readonly Node[]).flatMap((member) => {
    if (member.type === "ArrayExpression") return literalsOf((member["elements"] as readonly Node[])[1]).texts;
    if (member.type === "ObjectExpression")
      return (member["properties"] as readonly Node[]).flatMap((one) =>
        nameOf(one["key"]) === "label" ? literalsOf(one["value"] as Node).texts : [],
      );
    if (member.type === "SpreadElement")
      return literalsOf(member["argument"] as Node).whole ? [] : nestedLabels(member);
    return [];
  });
}

function nestedLabels(node: Node): readonly string[] {
  const labels: string[] = [];
  visit(node, [], (one) => {
    if (one.type === "Property" && nameOf(one["key"]) === "label")
      labels.push(...literalsOf(one["value"] as Node).texts);
  });
  return labels;
}

function namesIn(node: Node): readonly string[] {
  const names: string[] = [];
  visit(node, [], (one) => {
    if (one.type === "Identifier") names.push(String(one["name"]));
  });
  return names;
}

function nameOf(node: unknown): string | undefined {
  return (node as Node | undefined)?.type === "Identifier" ? String((node as Node)["name"]) : undefined;
}
