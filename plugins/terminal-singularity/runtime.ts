import { ClientProgram } from "hermes-agent/terminal";

/** Variables that the client needs. Those that begin with APPTAINERENV_ would reach the instance and are left out. */
const CLIENT_ENVIRONMENT =
  /^(PATH|HOME|USER|LOGNAME|TMPDIR|XDG_.*|(APPTAINER|SINGULARITY)_(CACHEDIR|TMPDIR|CONFIGDIR|LOCALCACHEDIR|DOCKER_HOST))$/;

/** Apptainer is preferred where both are; they take the same commands. */
const CLIENTS = ["apptainer", "singularity"];

/** The client that answers. */
export async function findRuntime(): Promise<{ readonly runtime: ClientProgram } | { readonly reason: string }> {
  const reasons: string[] = [];
  for (const client of CLIENTS) {
    const runtime = new ClientProgram(client, CLIENT_ENVIRONMENT);
    const { code, error } = await runtime.ask(["--version"], { timeoutMs: 10_000 });
    if (code === 0) return { runtime };
    reasons.push(
      /ENOENT/.test(error)
        ? `${client} is not on PATH`
        : `${client}: ${error.split("\n").at(-1) || "it does not answer"}`,
    );
  }
  return { reason: `Neither apptainer nor singularity works (${reasons.join("; ")}).` };
}
