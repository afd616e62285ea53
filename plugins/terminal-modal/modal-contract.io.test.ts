import { after, test } from "node:test";
import type { Json } from "hermes-agent/plugin";
import { quietLog, terminalContract } from "hermes-agent/testing";
import { goesBothWays } from "../../test/servers/clouds/both-ways.ts";
import { ModalDouble } from "../../test/servers/clouds/modal.ts";
import { WITHOUT_SANDBOX } from "../../test/servers/clouds/scratch-sandbox.ts";
import { ModalBackend } from "./modal-backend.ts";
import type { ModalSdk } from "./modal-sdk.ts";

const load = async () => (await import("modal")) as unknown as ModalSdk;
const { MODAL_TOKEN_ID: tokenId, MODAL_TOKEN_SECRET: tokenSecret } = process.env;
const kept = new Map<string, Json>();
const storage = () => ({ get: async (key: string) => kept.get(key), set: async (key: string, value: Json) => void kept.set(key, value), delete: async (key: string) => kept.delete(key), keys: async () => [...kept.keys()] });
const options = { home: "/contract", config: { container_persistent: false }, storage, load, log: quietLog() };
// req: terminal.backend-modal
if (process.env["HERMES_TEST_LIVE"] === "1" && tokenId !== undefined && tokenSecret !== undefined) {
  terminalContract("modal", () => new ModalBackend({ ...options, tokenId, tokenSecret }), { kind: "real", separate: true, hugeBytes: 20_000_000 });
} else if (WITHOUT_SANDBOX !== undefined) test("terminal contract: modal", { skip: WITHOUT_SANDBOX }, () => {});
else {
  const service = await ModalDouble.start();
  after(() => service[Symbol.asyncDispose]());
  const named = (terminal: { readonly key: string }) => new RegExp(`^hermes-${terminal.key}-[0-9a-f]{10}$`);
  terminalContract("modal", () => new ModalBackend({ ...options, load: service.load, tokenId: service.tokenId, tokenSecret: service.tokenSecret }), {
    kind: "double",
    separate: true,
    hugeBytes: 12_000_000,
    cut: (terminal) => service.cut(named(terminal)),
    remove: (terminal) => service.remove(named(terminal)),
  });
  test("files of the start directory go both ways, and declared credential files go there", () => goesBothWays((config, agent) => new ModalBackend({ ...options, ...agent, load: service.load, config: { ...options.config, ...config }, tokenId: service.tokenId, tokenSecret: service.tokenSecret })));
}
