import type { Risk, SandboxState } from "hermes-agent/plugin";

/** Leaving the sandbox needs approval each time: it covers only this call, and only the user can give it. */
export function leavingRisk(judged: Risk | undefined): Risk {
  const reason = "Runs outside the sandbox, with all your rights.";
  if (judged === undefined)
    return { answer: "ask", key: "outside the sandbox", reasons: [reason], effects: [], fresh: true };
  const { rule: _, ...risk } = judged;
  return { ...risk, reasons: [reason, ...judged.reasons], fresh: true };
}

/** Error messages of programs that a sandbox blocks. */
const IN_THE_WAY =
  /Read-only file system|Operation not permitted|Permission denied|EROFS|EPERM|EACCES|Device or resource busy|Network is unreachable|ENETUNREACH|Could not resolve|ENOTFOUND|EAI_AGAIN|name resolution|[Cc]annot connect to the Docker daemon|no new privileges|[Rr]efused by the sandbox|response 403|HTTP code 403 from proxy|407 Proxy|ERR_PROXY/;

/** The kernel's error messages. `a; b` and `a | b` succeed although `a` was blocked. */
const STOPPED =
  /Read-only file system|EROFS|Device or resource busy|socket: [Oo]peration not permitted|no new privileges|sudo: error initializing/;

/** Whether to add the hint: it failed, or its last lines show that part of it was blocked. */
export function mayHaveBeenStopped(result: { readonly output: string; readonly exit_code: number }): boolean {
  return result.exit_code !== 0 || STOPPED.test(result.output.slice(-4_000));
}

/**
 * A hint for the model if a command failed as if the sandbox blocked it.
 * @param began When it began: later refusals of the sandbox most likely concern it.
 */
export function sandboxHint(
  result: { readonly output: string },
  sandbox: SandboxState | undefined,
  began: number,
): { readonly sandbox?: string } {
  if (sandbox?.kind !== "on") return {};
  const refused = (sandbox.refused ?? []).filter(({ at }) => at >= began).map(({ words }) => words);
  if (refused.length === 0 && !IN_THE_WAY.test(result.output)) return {};
  const message = refused.length === 0 ? "" : ` The sandbox refused: ${refused.join(" ")}`;
  return {
    sandbox: `It ran in a sandbox: ${sandbox.words}.${message} If the sandbox blocked a necessary step, call again with outside=true; the user is asked.`,
  };
}
