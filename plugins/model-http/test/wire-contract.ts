import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ModelClient, ModelProvider, ModelSettings } from "hermes-agent/plugin";
import { modelContract, type ModelContractOptions, type ModelScene } from "hermes-agent/testing";
import type { ModelServer, ScriptedReply } from "../../../test/servers/script.ts";
import { providersOf } from "./providers.ts";

const SECRET = "sk-contract-0123456789abcdef";

/** The differences of one wire for the model contract. */
export interface Wire {
  readonly service: string;
  readonly start: (script: readonly ScriptedReply[]) => Promise<ModelServer>;
  /** Client and wire to use. Default: our own client, the provider's own wire. */
  readonly setup?: Pick<ModelSettings, "client" | "apiMode">;
  /** Contract parts that the protocol cannot show. */
  readonly without?: ModelContractOptions["without"];
  /** The end of the base URL. */
  readonly path: "" | "/v1";
  readonly finishes: { readonly stop: string; readonly "tool-calls": string; readonly length: string };
  /** The beginning of a streamed answer, as bytes. */
  begun(text: string): string;
}

/** Holds the client of a wire to the contract of models, over a server on loopback. */
export function wireContract(name: string, wire: Wire): void {
  const client = (baseUrl: string): ModelClient => {
    const provider = providersOf({}).get(wire.service) as ModelProvider;
    return provider.connect({ model: "contract-model", baseUrl, apiKey: SECRET, ...wire.setup });
  };
  modelContract(
    name,
    async (scenes) => {
      if (scenes[0]?.kind === "unreachable")
        return { client: client(await freeUrl(wire.path)), bodies: [], async [Symbol.asyncDispose]() {} };
      const server = await wire.start(scenes.map((scene) => replyOf(scene, wire)));
      return {
        client: client(server.url),
        get bodies() {
          return server.requests.map(({ body }) => body);
        },
        [Symbol.asyncDispose]: () => server.close(),
      };
    },
    { secret: SECRET, without: wire.without },
  );
}

function replyOf(scene: ModelScene, { finishes, begun }: Wire): ScriptedReply {
  switch (scene.kind) {
    case "answer":
      return {
        ...scene,
        calls: (scene.calls ?? []).map(({ callId, tool, args }) => ({ id: callId, tool, args })),
        finish: finishes[scene.finish],
        splitBytes: 7,
      };
    case "status":
      return {
        status: scene.status,
        message: `${scene.message} (${SECRET})`,
        headers: scene.retryAfterSeconds === undefined ? undefined : { "retry-after": String(scene.retryAfterSeconds) },
      };
    case "cut":
      return { raw: [begun(scene.text), "cut"] };
    case "stall":
      return { raw: [begun(scene.text), { waitMs: 300_000 }] };
    case "garbage":
      return { raw: ["<html>welcome to the captive portal</html>"] };
    case "unreachable":
      return {};
  }
}

/** A URL without a listening server. */
async function freeUrl(path: string): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}${path}`;
}
