import { writeSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { isAbsolute, join } from "node:path";

/** argv → surface. `--version` answers before anything of the agent is loaded. */
const argv = process.argv.slice(2);
if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
  const { version } = await import("./surfaces/cli/program/version.ts");
  try {
    writeSync(1, `${version()}\n`); // process.stdout would cost more than all the rest
  } catch (error) {
    process.exitCode = (error as NodeJS.ErrnoException).code === "EPIPE" ? 0 : 1;
    if (process.exitCode === 1) console.error(`Error: The output could not be written: ${(error as Error).message}`);
  }
} else {
  const cache = process.env.XDG_CACHE_HOME || join(process.env.HOME ?? "", ".cache");
  if (isAbsolute(cache)) enableCompileCache(join(cache, "hermes-agent", "compile"));
  const { run } = await import("./surfaces/run.ts");
  // What a command waits for need not keep the process running by itself: a shell at rest, a process in the background.
  const held = setInterval(() => {}, 0x7fff_ffff);
  process.exitCode = await run(argv);
  clearInterval(held);
}
