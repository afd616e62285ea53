import { writeSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { isAbsolute, join } from "node:path";

/** Runs the command line. `--version` answers without loading the agent. */
const argv = process.argv.slice(2);
if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
  const { version } = await import("./surfaces/cli/program/version.ts");
  try {
    writeSync(1, `${version()}\n`); // loading process.stdout would take longer than everything else here
  } catch (error) {
    process.exitCode = (error as NodeJS.ErrnoException).code === "EPIPE" ? 0 : 1;
    if (process.exitCode === 1) console.error(`Error: Cannot write the output: ${(error as Error).message}`);
  }
} else {
  // The specification: a relative XDG_CACHE_HOME is ignored.
  const named = process.env.XDG_CACHE_HOME ?? "";
  const cache = isAbsolute(named) ? named : join(process.env.HOME ?? "", ".cache");
  if (isAbsolute(cache)) enableCompileCache(join(cache, "hermes-agent", "compile"));
  const { run } = await import("./surfaces/run.ts");
  // Keeps the process running while the command waits for something unreferenced, such as an idle shell or a
  // background process.
  const keepAlive = setInterval(() => {}, 0x7fff_ffff);
  process.exitCode = await run(argv);
  clearInterval(keepAlive);
}
