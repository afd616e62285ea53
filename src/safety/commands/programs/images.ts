import type { Call } from "../evaluate/call.ts";
import { isKnown } from "../parse/marks.ts";

/** The script makes a regular file of some size: `truncate -s 1G x.img`, `dd if=/dev/zero of=x.img`. */
export function makesImage(text: string, call: Call): void {
  for (const path of call.by.paths(text, call.state)) call.state.made.add(path);
}

/** A regular file that this very script made: to make a file system in it destroys nothing. */
export function isImage(path: string, call: Call): boolean {
  return isKnown(path) && !/^\/(?:dev|proc|sys)\//.test(path) && call.state.made.has(path);
}
