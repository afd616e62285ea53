import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { parameterNames, SANDBOX_TOOLS, sandboxTools } from "./sandbox-tools.ts";
import { toolsModule } from "./tools-module.ts";

const python = spawnSync("python3", ["--version"]).status === 0 ? {} : { skip: "there is no python3" };

function inPython(module: string, code: string): string {
  const load =
    "import json, sys, types\nmodule = types.ModuleType('hermes_tools')\nexec(json.load(sys.stdin), module.__dict__)\nsys.modules['hermes_tools'] = module\n";
  const { stdout, stderr, status } = spawnSync("python3", ["-c", load + code], {
    input: JSON.stringify(module),
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
  return stdout.trim();
}

// req: tool-execute-code.tool-rpc
test("the module has one function for each tool, with its parameters, and no others", python, () => {
  const message = inPython(
    toolsModule(SANDBOX_TOOLS),
    "import inspect; print(json.dumps({name: list(inspect.signature(getattr(module, name)).parameters) for name in module.__all__}))",
  );
  const { json_parse, shell_quote, retry, ...functions } = JSON.parse(message) as { [name: string]: readonly string[] };
  assert.deepEqual(functions, Object.fromEntries(SANDBOX_TOOLS.map((tool) => [tool.name, parameterNames(tool)])));
  assert.deepEqual([json_parse, shell_quote, retry], [["text"], ["text"], ["act", "max_attempts", "delay"]]);
  const one = toolsModule(sandboxTools(new Set(["read_file", "delegate_task"])));
  assert.equal(
    inPython(one, "\ntry:\n    from hermes_tools import terminal\nexcept ImportError as error:\n    print(error)"),
    "hermes_tools has no 'terminal'. Tools that scripts of this session can call: read_file.",
  );
  assert.equal(inPython(toolsModule([]), "print(module.__doc__)"), "This session has no tools that scripts can call.");
});

test("the helpers parse program output, quote one word and retry", python, () => {
  const tries =
    "\nseen = []\ndef act():\n    seen.append(1)\n    if len(seen) < 3: raise ValueError('no')\n    return 'done'\n";
  const code = `${tries}print(json.dumps([module.json_parse('{"a":"x\\ny"}'), module.shell_quote("it's"), module.retry(act, 3, 0), len(seen)]))`;
  assert.deepEqual(JSON.parse(inPython(toolsModule([]), code)), [{ a: "x\ny" }, `'it'"'"'s'`, "done", 3]);
});
