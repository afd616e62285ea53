import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { JsonObject } from "hermes-agent/plugin";
import { calculate, unitConvert } from "./tools.ts";

const folder = join(import.meta.dirname, "../calculator-python");
const python = spawnSync("python3", ["--version"]).status === 0 ? {} : { skip: "there is no python3" };

const EXPRESSIONS = [
  "2**16",
  "sqrt(144)",
  "pi * 5**2",
  "sqrt(2 * pi)",
  "1.5 * 1024",
  "-2**2",
  "2**-1",
  "10/4",
  "4/2",
  "7 - 7.0",
  "abs(-3)",
  "abs(-3.5)",
  "round(2.5)",
  "round(3.5)",
  "round(2.675, 2)",
  "min(3, 1.5, 2)",
  "max(3, 1.5, 2)",
  "pow(2, 100)",
  "sin(0)",
  "cos(0)",
  "tan(1)",
  "log(e)",
  "log(8, 2)",
  "log2(8)",
  "log10(1000)",
  "floor(2.7)",
  "ceil(2.1)",
  "factorial(20)",
  "1e16 * 1.0",
  "1/3",
  "1e-5 * 1",
  "2**0.5",
  "(1 + 2) * 3",
  "1/0",
  "0**-1",
  "",
  "  ",
  "2**-1074 * 1.0",
  "10**17 * 1.0",
  "-0.0",
  "1 + 2 * 3 - 4 / 5",
  "7 // 2",
  "-7 // 2",
  "7 // -2",
  "7.5 // 2",
  "10 % 3",
  "-10 % 3",
  "10 % -3",
  "7.5 % 2",
  "-7.5 % 2",
  "2 ** 3 % 5",
  "1 // 0",
  "5 % 0",
  "foo",
];
/**
 * Python changes error texts between versions, some between patches: of these the test compares the result, or the kind
 * of error.
 */
const KINDS = [
  "1e400",
  "-1e400",
  "1e308 * 10",
  "1e400 - 1e400",
  '__import__("os")',
  "__import__('os')",
  "os.system('x')",
  "foo(2) + 1",
  "1_000",
  "0x10",
  "0b11",
  "5 ^ 3",
  "5 & 3",
  "5 | 3",
  "1 << 4",
  "256 >> 2",
  "~5",
  "round(1250, -2)",
  "round(1350, -2)",
  "pow(2, 3, 5)",
  "sqrt(4,)",
  "1 # once",
  "(1 +\n2)",
  "10**400 // 10**399",
  "10**25 / 3",
  "(10**400 + 1) / 10**400",
  "log(8, 1)",
  "log(10**400)",
  "log10(10**400)",
  "-1 // 1e400",
  "-0.0 % 3.0",
  "max(1, 1.0)",
  "min()",
  "max()",
  "min(3)",
  "max(2.5)",
  "sqrt()",
  "sqrt(1, 2)",
  "abs()",
  "log()",
  "log(1, 2, 3)",
  "factorial()",
  "factorial(2.5)",
  "factorial(-1)",
  "floor()",
  "round()",
  "round(1, 2, 3)",
  "round(1.25, 1.5)",
  "pow()",
  "pow(2)",
  "sqrt(-1)",
  "log(0)",
  "sin(1e400)",
  "floor(1e400)",
  "10**400 * 1.0",
  "10**400 / 1",
  "10**5000",
  "sqrt(10**400)",
  "5.5 ^ 3",
  "1 << -1",
  "abs",
  "abs - 5",
  "-abs",
  "pi()",
  "3(4)",
  "sqrt(4)(2)",
  "1j",
  "min(1, 'a')",
  "2.0**5000",
  "(-8)**(1/3)",
  "1 +",
  "(1 + 2",
  "1)",
  "5 5",
  "2 * sqrt(16",
  "2pi",
  "1e",
  "1__0",
  "007",
  "2\n+3",
  "2 +\n3",
  "import os",
  "sqrt 4",
  "sqrt(4 5)",
  "))",
  "(]",
  "2×3",
  "２+３",
  "π",
  "5!",
  "2 $ 3",
  "1/0 + (",
];
const CONVERSIONS: readonly JsonObject[] = [
  { value: 100, from_unit: "F", to_unit: "C" },
  { value: 5, from_unit: "km", to_unit: "mi" },
  { value: 1.5, from_unit: "TB", to_unit: "GB" },
  { value: 0, from_unit: "C", to_unit: "K" },
  { value: -40, from_unit: "f", to_unit: "c" },
  { value: 90, from_unit: "min", to_unit: "HR" },
  { value: 1, from_unit: "oz", to_unit: "g" },
  { value: 0.03125, from_unit: "K", to_unit: "K" },
  { value: 1, from_unit: "m", to_unit: "kg" },
  { value: 1, from_unit: "", to_unit: "kg" },
  { from_unit: "m", to_unit: "km" },
  { value: 300, from_unit: "ms", to_unit: "s" },
  { value: "much", from_unit: "g", to_unit: "kg" },
];

/** Expected texts of the guide's own files. */
function fromPython(): { readonly calculated: readonly string[]; readonly converted: readonly string[] } {
  const code = `import sys, json; sys.path.insert(0, ${JSON.stringify(folder)}); import tools; a = json.load(sys.stdin); print(json.dumps({"calculated": [tools.calculate({"expression": e}) for e in a[0] + a[1]], "converted": [tools.unit_convert(c) for c in a[2]]}))`;
  const ran = spawnSync("python3", ["-B", "-W", "ignore", "-c", code], {
    input: JSON.stringify([EXPRESSIONS, KINDS, CONVERSIONS]),
    encoding: "utf8",
  });
  return JSON.parse(ran.stdout) as ReturnType<typeof fromPython>;
}

// req: plugins.calculator-calculate, plugins.calculator-errors, plugins.calculator-units
test("the twin returns the same bytes as the guide's Python files", python, () => {
  const { calculated, converted } = fromPython();
  const kind = (text: string): string => text.replace(/("error": "\w+):.*$/s, "$1");
  assert.deepEqual(
    EXPRESSIONS.map((expression) => calculate({ expression })),
    calculated.slice(0, EXPRESSIONS.length),
  );
  assert.deepEqual(
    KINDS.map((expression) => kind(calculate({ expression }))),
    calculated.slice(EXPRESSIONS.length).map(kind),
  );
  assert.deepEqual(
    CONVERSIONS.map((conversion) => unitConvert(conversion)),
    converted,
  );
});

// req: plugins.calculator-safe
test("neither plugin can access anything except numbers and the named functions", python, () => {
  const attempts = [
    "constructor",
    "import('fs')",
    "process.exit()",
    "__class__",
    "().__class__",
    "toString",
    "__proto__",
    "sqrt(",
    "open('/etc/passwd')",
    "[].map",
    "2 3",
    "sqrt 2",
    "factorial(2.5)",
    "hasOwnProperty(1)",
  ];
  for (const expression of attempts)
    assert.match(calculate({ expression }), /^\{"expression": ".*", "error": "Invalid: .+"\}$/, expression);
  const code = `import sys, json; sys.path.insert(0, ${JSON.stringify(folder)}); import tools; print(json.dumps([tools.calculate({"expression": e}) for e in json.load(sys.stdin)]))`;
  const escapes = ["__import__('os')", "open('/etc/passwd')", "process.exit()", "import os", "constructor"];
  const ran = spawnSync("python3", ["-B", "-c", code], { input: JSON.stringify(escapes), encoding: "utf8" });
  for (const text of JSON.parse(ran.stdout) as readonly string[]) assert.match(text, /"error": "Invalid: /);
});

// req: plugins.python-bridge
test("the four Python files match the guide's, apart from line breaks that its copy lost", () => {
  const hash = (file: string): string =>
    createHash("sha256")
      .update(readFileSync(join(folder, file), "utf8").replaceAll(/\s+/g, " ").trim())
      .digest("hex");
  assert.deepEqual(
    Object.fromEntries(["plugin.yaml", "schemas.py", "tools.py", "__init__.py"].map((file) => [file, hash(file)])),
    {
      "plugin.yaml": "a74c2153d04959a3b59e0e60f26254e4246c6f585445c1030c63236fbd53c305",
      "schemas.py": "5fd2cdf2e11024604ee07499f5226f6e484632c9f7c2f18c22201a6632532801",
      "tools.py": "f9585a4e4d427657cec1386b25eabe8ba671f04cddac8aead80010755322a14f",
      "__init__.py": "b4c62ee9339e4a7f8bc97ef7d6e44b0cd6e3082f6e633ce83b109b604385dfa0",
    },
  );
});
