/**
 * The entry point for programs that wrap the command line: `run(process.argv.slice(2), { layout })` runs `hermes`
 * with another screen layout.
 */
export { run, type RunOptions } from "./surfaces/run.ts";
export type {
  ScreenLayout,
  ScreenPart,
  ScreenPartName,
  ScreenParts,
} from "./surfaces/cli/interactive/screen-layout.ts";
