/**
 * The door for programs that wrap the command line: `run(process.argv.slice(2), { layout })` is `hermes` with another screen.
 */
export { run, type RunOptions } from "./surfaces/run.ts";
export type {
  ScreenLayout,
  ScreenPart,
  ScreenPartName,
  ScreenParts,
} from "./surfaces/cli/interactive/screen-layout.ts";
