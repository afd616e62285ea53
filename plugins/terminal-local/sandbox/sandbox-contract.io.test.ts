import { homedir } from "node:os";
import { join } from "node:path";
import { quietLog, terminalContract } from "hermes-agent/testing";
import { LocalBackend } from "../local-backend.ts";
import { pipesFolder } from "../pipes-folder.ts";
import { Enclosure } from "./enclosure.ts";
import { whyNoSandbox } from "./testing/sandbox-bench.ts";
import { test } from "node:test";

const why = await whyNoSandbox();
if (why === false) {
  const enclosure = new Enclosure({ settings: () => ({ mode: "on", network: "open", write: [], read: [] }), home: homedir(), agentHome: join(homedir(), ".hermes"), pipes: pipesFolder });
  terminalContract("local in a sandbox", () => new LocalBackend({ auto_source_bashrc: false }, quietLog(), process.env, (cwd) => enclosure.around(cwd)), { kind: "real" });
} else {
  test("the terminal contract in a sandbox", { skip: why }, () => {});
}
