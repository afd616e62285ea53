import type { Call } from "../evaluate/call.ts";
import { isKnown } from "../parse/marks.ts";

/** Records that the script creates a regular file for an image: `truncate -s 1G x.img`, `dd if=/dev/zero of=x.img`. */
export function makesImage(text: string, call: Call): void {
  for (const path of call.by.paths(text, call.state)) call.state.made.add(path);
}

/** Whether this script created the file: a new file system in it destroys nothing. */
export function isImage(path: string, call: Call): boolean {
  return isKnown(path) && !/^\/(?:dev|proc|sys)\//.test(path) && call.state.made.has(path);
}
