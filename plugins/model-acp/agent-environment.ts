import { plainEnvironment } from "hermes-agent/terminal";
import type { AgentService } from "./copilot.ts";

/** What an agent sees of our environment: what any program needs, and what leads to its own sign-in. Never a secret. */
export function agentEnvironment({ passed }: AgentService): { readonly [name: string]: string } {
  const own = passed.flatMap((name): [string, string][] =>
    process.env[name] === undefined ? [] : [[name, process.env[name]]],
  );
  return { ...plainEnvironment(), ...Object.fromEntries(own) };
}
