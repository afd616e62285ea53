import { UserError } from "./failure.ts";

/**
 * Turns a usage error of Node's `parseArgs` into the wording that every command uses.
 * @param command As the user types it: `hermes mcp add`.
 */
export function wrongWords(
  command: string,
  cause: unknown,
  hint = `Run \`${command} --help\` for the options and commands.`,
): UserError {
  const message = cause instanceof Error ? cause.message : String(cause);
  const option = /'(?:-\w, )?(--?[\w-]+)/.exec(message)?.[1] ?? "";
  return new UserError(messageOf(command, option, message), { hint, exitCode: 2, cause });
}

function messageOf(command: string, option: string, message: string): string {
  if (message.startsWith("Unknown option")) return `\`${command}\` has no option ${option}.`;
  if (message.includes("does not take an argument")) return `${option} of \`${command}\` takes no value.`;
  if (message.includes("argument missing") || message.includes("argument is ambiguous"))
    return `${option} of \`${command}\` lacks its value.`;
  return `\`${command}\`: ${message.split("\n", 1)[0]!.replace(/\.?$/, ".")}`;
}
