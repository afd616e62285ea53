import { after, test } from "node:test";
import { terminalContract } from "hermes-agent/testing";
import { goesBothWays } from "../../test/servers/clouds/both-ways.ts";
import { WITHOUT_SANDBOX } from "../../test/servers/clouds/scratch-sandbox.ts";
import { VercelDouble } from "../../test/servers/clouds/vercel.ts";
import { VercelBackend } from "./vercel-backend.ts";
import type { VercelSdk } from "./vercel-sdk.ts";

const load = async () => (await import("@vercel/sandbox")) as unknown as VercelSdk;
const { VERCEL_TOKEN: token, VERCEL_TEAM_ID: teamId, VERCEL_PROJECT_ID: projectId } = process.env;
const config = { container_persistent: false };
// req: terminal.backend-vercel
if (process.env["HERMES_TEST_LIVE"] === "1" && token !== undefined && teamId !== undefined && projectId !== undefined) {
  terminalContract("vercel_sandbox", () => new VercelBackend({ home: "/contract", config, load, token, teamId, projectId }), { kind: "real", separate: true, hugeBytes: 20_000_000 });
} else if (WITHOUT_SANDBOX !== undefined) test("terminal contract: vercel_sandbox", { skip: WITHOUT_SANDBOX }, () => {});
else {
  const service = await VercelDouble.start();
  after(() => service[Symbol.asyncDispose]());
  const named = (terminal: { readonly key: string }) => new RegExp(`^hermes-${terminal.key}-[0-9a-f]{10}$`);
  terminalContract("vercel_sandbox", () => new VercelBackend({ home: "/contract", config, load, token: service.token, teamId: "team", projectId: "project", fetch: service.fetch }), {
    kind: "double",
    separate: true,
    hugeBytes: 12_000_000,
    cut: (terminal) => service.cut(named(terminal)),
    remove: (terminal) => service.remove(named(terminal)),
  });
  test("files of the start directory go both ways, and declared credential files go there", () => goesBothWays((config, agent) => new VercelBackend({ ...agent, config: { ...config, container_persistent: false }, load, token: service.token, teamId: "team", projectId: "project", fetch: service.fetch })));
}
