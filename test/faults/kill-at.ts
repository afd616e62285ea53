/**
 * Loaded before a program (`--import`): kills it right before the n-th rename or removal of a path that matches
 * `KILL_WHERE`.
 * KILL_AT=n KILL_WHERE=pattern
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const where = new RegExp(process.env["KILL_WHERE"] ?? "");
let left = Number(process.env["KILL_AT"]);

const { renameSync, rmSync } = fs;
fs.renameSync = (from, to) => (mayKill(String(from), String(to)), renameSync(from, to));
fs.rmSync = (path, options) => (mayKill(String(path)), rmSync(path, options));
syncBuiltinESMExports();

function mayKill(...paths: readonly string[]): void {
  if (paths.some((path) => where.test(path)) && --left === 0) process.kill(process.pid, "SIGKILL");
}
