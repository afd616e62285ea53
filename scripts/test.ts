/** `npm test [-- OPTIONS] [FILTER…]`; see the usage text below. */
import { globSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { RESULTS_FILE } from "./test/results.ts";
import { runTests } from "./test/run-tests.ts";

const USAGE = `Usage: npm test [-- OPTIONS] [FILTER…]

Run all tests: the memory tests first, then the tests that use disk, processes and sockets, some groups at once.
A FILTER is a part of a file's path.

  --quick         Run only the memory tests (*.test.ts without *.io.test.ts), without access to disk or processes
  --verbose       Show each test
  --results FILE  Save the results there (default: ${RESULTS_FILE})`;

const root = join(import.meta.dirname, "..");
const { values, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    verbose: { type: "boolean", default: false },
    results: { type: "string", default: RESULTS_FILE },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const files = testFiles();
if (files.length === 0) {
  console.error(`No test file matches ${filters.join(", ")}.`);
  process.exit(2);
}
process.exitCode = (await runTests({ root, files, verbose: values.verbose, resultsFile: values.results })) ? 0 : 1;

function testFiles(): readonly string[] {
  const folders = ["src", "plugins", "test", "examples", "scripts"];
  return globSync(
    folders.map((folder) => `${folder}/**/*.test.ts`),
    { cwd: root },
  )
    .filter((file) => !values.quick || !file.endsWith(".io.test.ts"))
    .filter((file) =>
      // Some fixtures are tests that fail on purpose: only their full path runs them.
      file.startsWith("scripts/test/fixtures/")
        ? filters.includes(file)
        : filters.length === 0 || filters.some((filter) => file.includes(filter)),
    )
    .sort();
}
