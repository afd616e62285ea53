import type { Call } from "../../program/call.ts";

/** `hermes dump`: a summary for a support request. */
export async function dump({ io, open }: Call, options: { readonly showKeys?: boolean }): Promise<void> {
  const { dumpText } = await import("../../../shared/overview/dump-text.ts");
  io.out(await dumpText(await open("for-repair"), { showKeys: options.showKeys === true }));
}
