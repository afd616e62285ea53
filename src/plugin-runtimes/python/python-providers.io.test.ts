import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import type { Slots } from "../../contract/plugins/slot.ts";
import type { SlotName } from "../../contract/plugins/slot-name.ts";
import { contextContract } from "../../testing/context-contract.ts";
import { imageContract } from "../../testing/image-contract.ts";
import { memoryContract } from "../../testing/memory-contract.ts";
import { platformContract } from "../../testing/platform-contract.ts";
import { profileContract } from "../../testing/profile-contract.ts";
import { startChatServer } from "../../../examples/plugins/loopback-chat/chat-server.ts";
import type { PluginHost } from "../../host/plugins/registry/plugin-host.ts";
import { setUp } from "../../host/plugins/plugins-fixture.ts";
import { withPython } from "../test/hosts-fixture.ts";

const examples = join(import.meta.dirname, "../../../examples/plugins");

// req: plugins.memory-python, plugins.image-gen-python, plugins.model-provider-python, plugins.context-engine-python, plugins.platform-python
describe("the examples in Python pass the contract suites of their kinds", withPython, () => {
  const cleanups: (() => void | Promise<void>)[] = [];
  let chat: Awaited<ReturnType<typeof startChatServer>>;
  let started: { readonly host: PluginHost };

  before(async () => {
    const place = setUp(
      { after: (cleanup) => void cleanups.push(cleanup) },
      {},
      "memory:\n  provider: notes-memory\nplugins:\n  enabled: [swatch-images, acme-provider, loopback-chat, window-engine]\n",
    );
    for (const name of ["notes-memory", "swatch-images", "acme-provider", "loopback-chat", "window-engine"])
      cpSync(join(examples, `${name}-python`), join(place.path, "home/plugins", name), { recursive: true });
    chat = await startChatServer();
    cleanups.unshift(() => chat[Symbol.asyncDispose]());
    started = await place.start(
      { HERMES_HOME: join(place.path, "home"), LOOPBACK_CHAT_PORT: String(chat.port) },
      { hosts: true },
    );
  });
  after(async () => {
    for (const cleanup of cleanups) await cleanup();
  });

  async function provider<S extends SlotName>(slot: S, id: string): Promise<Slots[S]> {
    return started.host.slots.use(slot, id);
  }

  function newHome(): string {
    const home = mkdtempSync(join(tmpdir(), "hermes-provider-"));
    cleanups.push(() => rmSync(home, { recursive: true }));
    return home;
  }

  memoryContract("notes-memory in Python", async (home = newHome()) => ({
    provider: await provider("memory", "notes-memory"),
    home,
    [Symbol.asyncDispose]: async () => {},
  }));
  imageContract("swatches in Python", () => provider("image_gen", "swatches"), {
    prompt: "something blue",
    refused: "something loud",
  });
  profileContract("acme in Python", () => provider("model_profile", "acme"));
  platformContract("loopback chat in Python", async () => {
    chat.forget();
    return { ...chat, platform: await provider("platform", "loopback-chat"), [Symbol.asyncDispose]: async () => {} };
  });
  contextContract("window in Python", () => provider("context", "window"), { long: 40 });
});
