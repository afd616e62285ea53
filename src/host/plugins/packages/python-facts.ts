import { spawn } from "node:child_process";

/** What the code of a Python module does, without running it. */
export interface ModuleFacts {
  /** Its dotted name. */
  readonly module: string;
  /** The names that it defines or imports at its top level. */
  readonly names: readonly string[];
  /** Its top-level function `register` calls these methods of its context; "" if it hands the context on. */
  readonly registers: readonly string[];
  /** Classes of the original that its classes extend, with the names of those: `MemoryProvider` to `["Acme"]`. */
  readonly extends: { readonly [base: string]: readonly string[] };
}

/** Python's own parser reads the modules, so text in comments and strings does not count. */
const SCRIPT = `
import ast, json, sys

WORDS = ("register", "MemoryProvider", "ContextEngine", "ContextCompressor")
MEMBERS = ("register_", "provide", "hook", "tool", "command", "doctor", "on_unload")

def top(body):
    for node in body:
        yield node
        for part in ("body", "orelse", "handlers", "finalbody"):
            if isinstance(node, (ast.If, ast.Try, ast.ExceptHandler, ast.With)):
                yield from top(getattr(node, part, []))

def bound(node):
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        for one in node.names:
            yield one.asname or one.name.split(".")[0]
    elif isinstance(node, (ast.Assign, ast.AnnAssign)):
        for one in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(one, ast.Name):
                yield one.id

def called(function):
    first = function.args.args[0].arg if function.args.args else None
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
            if node.func.value.id == first and node.func.attr.startswith(MEMBERS):
                yield node.func.attr
        # Handed on to a function of the package, which registers.
        elif isinstance(node, ast.Call) and first in ("ctx", "context") and any(isinstance(one, ast.Name) and one.id == first for one in node.args):
            yield ""

def facts(text):
    tree = ast.parse(text)
    nodes = list(top(tree.body))
    extends = {}
    for node in nodes:
        for base in node.bases if isinstance(node, ast.ClassDef) else []:
            name = base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")
            extends.setdefault(name, []).append(node.name)
        # A provider need not inherit the base class; then its name identifies it.
        if isinstance(node, ast.ClassDef) and node.name.endswith("MemoryProvider"):
            if any(getattr(one, "name", "") == "initialize" for one in node.body):
                extends.setdefault("MemoryProvider", []).append(node.name)
    functions = [n for n in nodes if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)) and n.name == "register"]
    return {
        "names": sorted({name for node in nodes for name in bound(node)}),
        "registers": sorted({name for function in functions for name in called(function)}),
        "extends": {name: extends[name] for name in ("MemoryProvider", "ContextEngine", "ContextCompressor") if name in extends},
    }

found = []
for module, file in json.load(sys.stdin):
    try:
        with open(file, encoding="utf-8") as code:
            text = code.read(1 << 20)
        if file.endswith("__init__.py") or any(word in text for word in WORDS):
            found.append({"module": module, **facts(text)})
    except (OSError, SyntaxError, ValueError, RecursionError):
        pass
print(json.dumps(found))
`;

/**
 * Reads Python modules with that Python.
 * @param modules Dotted names and files; those that do nothing with plugins are left out of the result.
 * @returns Nothing if Python cannot run.
 */
export function readModules(
  python: string,
  modules: readonly (readonly [module: string, file: string])[],
): Promise<readonly ModuleFacts[]> {
  return new Promise((resolve) => {
    // -I: no module of the working directory or of PYTHONPATH may interfere.
    const child = spawn(python, ["-I", "-c", SCRIPT], { stdio: ["pipe", "pipe", "ignore"], timeout: 20_000 });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (more: string) => (text += more));
    child.on("error", () => resolve([]));
    child.stdin.on("error", () => undefined);
    child.on("close", (status) => resolve(status === 0 ? (JSON.parse(text) as readonly ModuleFacts[]) : []));
    child.stdin.end(JSON.stringify(modules));
  });
}
