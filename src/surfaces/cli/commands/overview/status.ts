import { asTyped } from "../../../shared/process/called-as.ts";
import { EXIT } from "../../../shared/process/exit-code.ts";
import type { Call } from "../../program/call.ts";

/** `hermes status`: the state of the installation. Fails only if `--deep` finds a part that does not work. */
export async function status(
  { io, open }: Call,
  options: { readonly deep?: boolean; readonly json?: boolean },
): Promise<number> {
  const app = await open("for-repair");
  const { statusReport } = await import("../../../shared/overview/status-report.ts");
  const report = await statusReport(app, { deep: options.deep === true });
  if (options.json) io.out(`${JSON.stringify(report, null, 2)}\n`);
  else {
    const { statusText } = await import("../../../shared/overview/status-text.ts");
    const zone = app.config.get("timezone");
    io.out(asTyped(statusText(report, io.outIsTerminal ? io.columns : Infinity, typeof zone === "string" ? zone : "")));
  }
  const works = report.model.ok && report.memory.ok && report.terminal.ok;
  return options.deep === true && !works ? EXIT.failed : EXIT.ok;
}
