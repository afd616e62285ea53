import { UserError } from "../../../../contract/common/failure.ts";
import { EXIT } from "../../../shared/process/exit-code.ts";
import type { Call } from "../../program/call.ts";

/** `hermes insights`: usage over days. */
export async function insights(
  { io, open }: Call,
  options: { readonly days: string; readonly source?: string; readonly json?: boolean },
): Promise<void> {
  const days = daysOf(options.days);
  const app = await open();
  const found = await app.insights({ days, surface: options.source });
  if (options.json) return io.out(`${JSON.stringify(found, null, 2)}\n`);
  const { insightsText } = await import("../../../shared/insights/insights-text.ts");
  io.out(insightsText(found, io.outIsTerminal ? io.columns : Infinity, (text) => io.styleOut("bold", text)));
}

/** @throws {UserError} */
function daysOf(text: string): number {
  const days = Number(text);
  if (Number.isInteger(days) && days >= 1 && days <= 36_500) return days;
  throw new UserError(`--days must be a whole number from 1 to 36500, not "${text}".`, { exitCode: EXIT.usage });
}
