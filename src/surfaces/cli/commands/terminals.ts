import type { Call } from "../program/call.ts";
import { EXIT } from "../../shared/process/exit-code.ts";
import { tableOn } from "../../shared/display/table.ts";
import { asTyped } from "../../shared/process/called-as.ts";

/** `hermes terminals list`: every terminal backend, and why one cannot be used. */
export async function listTerminals({ io, open }: Call, options: { readonly json?: boolean }): Promise<number> {
  const all = await (await open("for-repair")).terminals.list();
  if (options.json) io.out(`${JSON.stringify(all, null, 2)}\n`);
  else {
    const rows = all.map(({ id, chosen, isolated, available, label }) => [
      `${chosen ? "*" : " "} ${id}`,
      available.ok ? "yes" : "no",
      isolated ? "yes" : "no",
      label,
    ]);
    io.out(tableOn(io, ["  BACKEND", "USABLE", "ISOLATED", "DESCRIPTION"], rows));
    for (const { id, available, hint } of all) {
      if (!available.ok)
        io.out(
          `\n${id}: ${available.reason}\n${hint === undefined ? "" : `${io.styleOut("yellow", asTyped(hint))}\n`}`,
        );
    }
    if (!all.some(({ chosen }) => chosen))
      io.out(
        `\n${io.styleOut("yellow", "The configured backend does not exist. Check terminal.backend and TERMINAL_ENV.")}\n`,
      );
    io.out(
      io.styleOut(
        "dim",
        asTyped(
          "\n* in use (set by terminal.backend, TERMINAL_ENV or --terminal). `hermes terminals check` runs a test command in each.\n",
        ),
      ),
    );
  }
  return EXIT.ok;
}

/**
 * `hermes terminals check [name]`: runs a test command. Fails if the backend in use, or the named one, does not work.
 */
export async function checkTerminals(
  { io, open }: Call,
  name: string | undefined,
  options: { readonly json?: boolean },
): Promise<number> {
  const all = await (await open("for-repair")).terminals.check(name);
  if (options.json) io.out(`${JSON.stringify(all, null, 2)}\n`);
  else {
    const width = Math.max(...all.map(({ id }) => id.length));
    for (const { id, ok, detail, hint, chosen } of all) {
      const mark = ok ? io.styleOut("green", "✓") : io.styleOut("red", "✗");
      io.out(
        `${mark} ${id.padEnd(width)}  ${detail}${chosen && name === undefined ? io.styleOut("dim", " (in use)") : ""}\n`,
      );
      if (hint !== undefined) io.out(`  ${" ".repeat(width)}  ${io.styleOut("yellow", asTyped(hint))}\n`);
    }
  }
  return all.some(({ id, ok, chosen }) => !ok && (chosen || id === name)) ? EXIT.failed : EXIT.ok;
}
