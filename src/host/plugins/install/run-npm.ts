import { UserError } from "../../../contract/common/failure.ts";
import { runProgram } from "./run-program.ts";

export interface NpmRun {
  readonly env: { readonly [name: string]: string };
  readonly signal: AbortSignal;
  /** Ignore versions that were published after this moment. */
  readonly publishedBefore: Date | undefined;
}

/**
 * Installs npm packages without running their scripts.
 * @param rest The arguments after the common ones.
 */
export async function runNpm(
  rest: readonly string[],
  cwd: string,
  { env, signal, publishedBefore }: NpmRun,
): Promise<void> {
  const before = publishedBefore === undefined ? [] : [`--before=${publishedBefore.toISOString()}`];
  try {
    await runProgram(
      "npm",
      [
        "install",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--no-update-notifier",
        "--omit=dev",
        "--legacy-peer-deps",
        "--loglevel=error",
        ...before,
        ...rest,
      ],
      { cwd, env, signal },
    );
  } catch (cause) {
    if (
      !(cause instanceof UserError) ||
      publishedBefore === undefined ||
      !/with a date before|No versions available/.test(cause.message)
    )
      throw cause;
    throw new UserError(cause.message, {
      hint: "Hermes installs a version only some hours after it was published, so that others can find problems first. plugins.cooling_off_hours sets how many.",
      cause,
    });
  }
}
