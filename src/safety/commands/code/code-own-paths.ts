import type { Call } from "../evaluate/call.ts";
import type { Token } from "./code-tokens.ts";

/** Names that hold one path for the program's whole life: `p = "/etc/hosts"`, assigned once. */
export function pathNames(tokens: readonly Token[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const again = new Set<string>();
  for (let i = 0; i + 2 < tokens.length; i++) {
    if (tokens[i]!.kind !== "name" || tokens[i + 1]!.text !== "=" || tokens[i + 2]!.text === "=" || isMember(tokens, i))
      continue;
    const name = tokens[i]!.text;
    const value = tokens[i + 2]!;
    const end = tokens[i + 3];
    if (found.has(name)) again.add(name);
    else
      found.set(
        name,
        value.kind === "string" && /^[~/]/.test(value.text) && (end === undefined || /^[;\n]$/.test(end.text))
          ? value.text
          : "",
      );
  }
  for (const [name, text] of found) if (text === "" || again.has(name)) found.delete(name);
  return found;
}

/** The tokens with these names put in wherever they are used. */
export function putIn(tokens: readonly Token[], names: ReadonlyMap<string, string>): readonly Token[] {
  return tokens.map((token, i) => {
    const text =
      token.kind === "name" && !isMember(tokens, i) && tokens[i + 1]?.text !== "=" ? names.get(token.text) : undefined;
    return text === undefined ? token : { kind: "string", text };
  });
}

const isMember = (tokens: readonly Token[], i: number): boolean => /^(\.|->|::)$/.test(tokens[i - 1]?.text ?? "");

/** The effect of a path's method, called on the path: `Path("/etc/hosts").write_text(…)`. Returns whether it is one. */
export function judgeOwnPath(tokens: readonly Token[], i: number, call: Call): boolean {
  const { text: method } = tokens[i]!;
  const tree = TREES.test(method);
  if ((!METHODS.test(method) && !tree) || tokens[i - 1]?.text !== "." || (tokens[i + 1]?.text !== "(" && !tree))
    return false;
  const owner =
    tokens[i - 2]?.kind === "string"
      ? tokens[i - 2]
      : tokens[i - 2]?.text === ")" && tokens[i - 3]?.kind === "string" && tokens[i - 4]?.text === "("
        ? tokens[i - 3]
        : undefined;
  if (owner === undefined || (!tree && !/[/.~]/.test(owner.text))) return false;
  const first = tokens[i + 2]?.kind === "string" ? tokens[i + 2]!.text : "";
  if (tree) call.by.remove(owner.text, call, { recursive: true, by: `${call.program} ${method}` });
  else if (/^(unlink|rmdir)$/.test(method))
    call.by.remove(owner.text, call, { recursive: false, by: `${call.program} ${method}` });
  else if (method === "rename" || method === "replace") {
    if (!/[/.~]/.test(first) || tokens[i + 3]?.text !== ")") return false;
    call.by.write(first, call);
  } else if (method !== "open" || /[wax+]/.test(first)) call.by.write(owner.text, call);
  else call.by.read(owner.text, call);
  return true;
}

/** With all below it. */
const TREES = /^(rmtree|deleteDir|deleteRecursively|remove_tree|delete_tree)$/;
const METHODS = /^(write_text|write_bytes|touch|open|unlink|rmdir|rename|replace|symlink_to|hardlink_to)$/;
