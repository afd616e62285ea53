import { openApp } from "../../src/host/app/open-app.ts";
import { runDue } from "../../src/surfaces/shared/jobs/scheduler.ts";

/** Prints a line when it begins, then runs due jobs until it is killed or has nothing left to do. */
const app = await openApp({
  version: "0",
  env: { HOME: process.env["HOME"], PATH: process.env["PATH"] },
  signal: new AbortController().signal,
});
process.stdout.write("begin\n");
await runDue(app, new AbortController().signal);
await app[Symbol.asyncDispose]();
