import { userInfo } from "node:os";
import { isAbsolute } from "node:path";
import { UserError } from "../../contract/common/failure.ts";

/**
 * The person's own home folder: what `HOME` names, else what the system's list of users says. An empty or relative `HOME` names none: it would
 * put keys and conversations into whatever folder the agent is started in.
 * @throws {UserError} Nobody knows one.
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
