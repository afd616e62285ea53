import { userInfo } from "node:os";
import { isAbsolute } from "node:path";
import { UserError } from "../../contract/common/failure.ts";

/**
 * The user's home folder: `HOME`, otherwise from the system's user list. Ignores an empty or relative `HOME`, which
 * would put keys and conversations into the current folder.
 * @throws {UserError} There is none.
 */
export function userHomeOf(env: { readonly [name: string]: string | undefined }): string {
  const message = env["HOME"];
  if (message !== undefined && isAbsolute(message)) return message;
  try {
    return userInfo().homedir;
  } catch (cause) {
    throw new UserError("No home folder: HOME is not set, and the system has none for this user.", {
      hint: "Set HOME to a folder that you can write.",
      exitCode: 78,
      cause,
    });
  }
}
