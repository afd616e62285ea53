import type { Call } from "../call.ts";
import { EXIT } from "../exit-code.ts";
import { asTyped } from "../../called-as.ts";

export async function doctor({ io, open }: Call, options: { readonly json?: boolean }): Promise<number> {
  const checks = await (await open("for-repair")).doctor();
  const failed = checks.filter(({ ok }) => !ok);
  if (options.json) io.out(`${JSON.stringify(checks, null, 2)}\n`);
  else {
    const width = Math.max(...checks.map(({ name }) => name.length));
    for (const { name, ok, detail, hint } of checks) {
      io.out(`${ok ? io.styleOut("green", "✓") : io.styleOut("red", "✗")} ${name.padEnd(width)}  ${asTyped(detail)}\n`);
      if (!ok && hint !== undefined) io.out(`  ${" ".repeat(width)}  ${io.styleOut("yellow", asTyped(hint))}\n`);
    }
    io.out(failed.length === 0 ? "\nAll is well.\n" : `\n${failed.length} of ${checks.length} checks need attention.\n`);
  }
  return failed.length === 0 ? EXIT.ok : EXIT.failed;
}
