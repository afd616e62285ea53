import { homedir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { quietLog, terminalContract } from "hermes-agent/testing";
import { LocalBackend } from "../local-backend.ts";
import { pipesFolder } from "../pipes-folder.ts";
import { Enclosure } from "./enclosure.ts";
import { noProxy, whyNoSandbox } from "./testing/sandbox-bench.ts";

const NUMBERS =
  "in the sandbox processes have numbers of their own, and background ones are told by those of this machine";
const why = await whyNoSandbox();
if (why === false) {
  const enclosure = new Enclosure({
    settings: () => ({ mode: "on", network: "open", hosts: [], write: [], read: [] }),
    home: homedir(),
    agentHome: join(homedir(), ".hermes"),
    pipes: pipesFolder,
    proxy: noProxy,
    log: quietLog(),
  });
  terminalContract(
    "local in a sandbox",
    () => new LocalBackend({ auto_source_bashrc: false }, quietLog(), process.env, (cwd) => enclosure.around(cwd)),
    {
      kind: "real",
      skip: { "background-pid": NUMBERS, "background-ends-with-terminal": NUMBERS, "stop-only-its-own": NUMBERS },
    },
  );
} else {
  test("the terminal contract in a sandbox", { skip: why }, () => {});
}
