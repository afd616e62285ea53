import { after, test } from "node:test";
import { terminalContract } from "hermes-agent/testing";
import { createFetch } from "../../src/host/web/guarded-fetch.ts";
import { DaytonaDouble } from "../../test/servers/clouds/daytona.ts";
import { WITHOUT_SANDBOX } from "../../test/servers/clouds/scratch-sandbox.ts";
import { DaytonaBackend } from "./daytona-backend.ts";

const key = process.env["HERMES_TEST_LIVE"] === "1" ? process.env["DAYTONA_API_KEY"] : undefined;
const fetch = createFetch({ policy: () => ({ allowPrivate: key === undefined, blocklist: [] }), secrets: () => [], proxy: (name) => process.env[name] });
const options = { home: "/contract", fetch, target: process.env["DAYTONA_TARGET"] };
// req: terminal.backend-daytona
if (key !== undefined) terminalContract("daytona", () => new DaytonaBackend({ ...options, config: { container_persistent: false }, key, url: process.env["DAYTONA_API_URL"] }), { kind: "real", separate: true, hugeBytes: 20_000_000 });
else if (WITHOUT_SANDBOX !== undefined) test("terminal contract: daytona", { skip: WITHOUT_SANDBOX }, () => {});
else {
  const service = await DaytonaDouble.start();
  after(() => service[Symbol.asyncDispose]());
  const named = (terminal: { readonly key: string }) => new RegExp(`^hermes-${terminal.key}-[0-9a-f]{10}$`);
  terminalContract("daytona", () => new DaytonaBackend({ ...options, config: { container_persistent: false }, key: service.key, url: service.url }), {
    kind: "double",
    separate: true,
    hugeBytes: 12_000_000,
    cut: (terminal) => service.cut(named(terminal)),
    remove: (terminal) => service.remove(named(terminal)),
  });
}
