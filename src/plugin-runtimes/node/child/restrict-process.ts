import { syncBuiltinESMExports } from "node:module";
import process from "node:process";

/**
 * Closes gaps in Node's permissions: signals to other processes, including the agent, and SQLite, which opens files
 * itself. A plugin that is limited to its grants has neither; it stores values in `ctx.storage`.
 */
export function restrictProcess(): void {
  const refuse = (what: string): never => {
    throw Object.assign(new Error(`This plugin is not your own and may not ${what}.`), {
      code: "ERR_ACCESS_DENIED",
    });
  };
  const { kill } = process;
  process.kill = (pid, signal) => (pid === process.pid ? kill(pid, signal) : refuse("send signals to other processes"));
  for (const name of ["_kill", "_debugProcess", "_debugEnd"] as const) {
    const original = (process as unknown as { readonly [key: string]: ((...given: unknown[]) => unknown) | undefined })[
      name
    ];
    if (original === undefined) continue;
    // `process.kill` itself ends in `_kill`.
    Object.assign(process, {
      [name]: (pid: unknown, ...rest: unknown[]) =>
        name === "_kill" && pid === process.pid
          ? Reflect.apply(original, process, [pid, ...rest])
          : refuse("send signals to other processes"),
    });
  }
  const sqlite = process.getBuiltinModule("node:sqlite");
  const noDatabase = function (): never {
    return refuse("open databases. Store values in ctx.storage");
  };
  Object.assign(sqlite, {
    DatabaseSync: noDatabase,
    StatementSync: noDatabase,
    Session: noDatabase,
    backup: noDatabase,
  });
  syncBuiltinESMExports();
}
