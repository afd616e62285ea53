import type { Risk, SandboxState } from "hermes-agent/plugin";

/** Leaving the sandbox is asked about each time: a yes is for this one call, and nobody but a person gives it. */
export function leavingRisk(judged: Risk | undefined): Risk {
  const reason = "Runs outside the sandbox, with all your rights.";
  if (judged === undefined)
    return { answer: "ask", key: "outside the sandbox", reasons: [reason], effects: [], fresh: true };
  const { rule: _, ...risk } = judged;
  return { ...risk, reasons: [reason, ...judged.reasons], fresh: true };
}

/** What programs say when a sandbox is in their way. */
const IN_THE_WAY =
  /Read-only file system|Operation not permitted|Permission denied|EROFS|EPERM|EACCES|Device or resource busy|Network is unreachable|ENETUNREACH|Could not resolve|ENOTFOUND|EAI_AGAIN|name resolution|[Cc]annot connect to the Docker daemon|no new privileges|[Rr]efused by the sandbox|response 403|HTTP code 403 from proxy|407 Proxy|ERR_PROXY/;

/** What the kernel itself says there. `a; b` and `a | b` end well although `a` was stopped. */
const STOPPED =
  /Read-only file system|EROFS|Device or resource busy|socket: [Oo]peration not permitted|no new privileges|sudo: error initializing/;

/** Worth telling of: it failed, or its last lines say that a part of it was stopped. */
export function mayHaveBeenStopped(result: { readonly output: string; readonly exit_code: number }): boolean {
  return result.exit_code !== 0 || STOPPED.test(result.output.slice(-4_000));
}

/**
 * For a command that failed as one does that a sandbox stopped: what the model can do about it.
 * @param began When it began: what the sandbox refused since then was most likely asked for by it.
 */
export function sandboxHint(
  result: { readonly output: string },
  sandbox: SandboxState | undefined,
  began: number,
): { readonly sandbox?: string } {
  if (sandbox?.kind !== "on") return {};
  const refused = (sandbox.refused ?? []).filter(({ at }) => at >= began).map(({ words }) => words);
  if (refused.length === 0 && !IN_THE_WAY.test(result.output)) return {};
  const message = refused.length === 0 ? "" : ` It refused meanwhile: ${refused.join(" ")}`;
  return {
    sandbox: `It ran in a sandbox: ${sandbox.words}.${message} If that stopped it and it must be done, call again with outside=true: a person is asked.`,
  };
}
