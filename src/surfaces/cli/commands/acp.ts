import type { Call } from "../program/call.ts";
import { EXIT } from "../../shared/process/exit-code.ts";
import { modelNow } from "../../shared/conversation/model-now.ts";

/** `hermes acp`: the server that editors run. */
export async function acp(
  call: Call,
  { check, setup }: { readonly check?: boolean; readonly setup?: boolean },
): Promise<number> {
  if (setup === true) return (await import("./setup/setup.ts")).setup(call, undefined, {});
  const [{ runAcp }, app] = await Promise.all([call.surfaces.acp(), call.open()]);
  if (check !== true) return runAcp(app, call.io);
  const now = await modelNow(app);
  call.io.out(
    `An editor can start Hermes${"problem" in now ? `, but no model can answer: ${now.problem}` : now.offline ? ". No model is set up yet; run `hermes acp --setup`" : `. Model: ${now.model} by ${now.provider}`}.\n`,
  );
  return "problem" in now ? EXIT.config : EXIT.ok;
}
