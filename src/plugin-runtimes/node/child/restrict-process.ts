import { syncBuiltinESMExports } from "node:module";
import process from "node:process";

/**
 * Ways out that Node's permissions leave open: signals to other processes, the agent's among them, and SQLite, which opens any file by
 * itself. A plugin that is held to its grants has neither; what it keeps goes to `ctx.storage`.
 */
export function restrictProcess(): void {
  const refuse = (what: string): never => {
    throw Object.assign(new Error(`This plugin came from elsewhere and may not ${what}.`), {
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
    return refuse("open databases: ctx.storage keeps values");
  };
  Object.assign(sqlite, {
    DatabaseSync: noDatabase,
    StatementSync: noDatabase,
    Session: noDatabase,
    backup: noDatabase,
  });
  syncBuiltinESMExports();
}
