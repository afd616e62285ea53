import type { Call } from "../program/call.ts";
import { EXIT } from "../../shared/process/exit-code.ts";
import { modelNow } from "../../shared/conversation/model-now.ts";

/** `hermes acp`: the server that editors start. */
export async function acp(
  call: Call,
  { check, setup }: { readonly check?: boolean; readonly setup?: boolean },
): Promise<number> {
  if (setup === true) return (await import("./setup/setup.ts")).setup(call, undefined, {});
  const [{ runAcp }, app] = await Promise.all([call.surfaces.acp(), call.open()]);
  if (check !== true) return runAcp(app, call.io);
  const now = await modelNow(app);
  call.io.out(
    `Hermes can be started by an editor${"problem" in now ? `, but no model answers: ${now.problem}` : now.offline ? "; no model is set up yet (hermes acp --setup)" : `; ${now.model} by ${now.provider} answers`}.\n`,
  );
  return "problem" in now ? EXIT.config : EXIT.ok;
}
