import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PlatformAdapter, PlatformConfig, PlatformMessage } from "../../contract/providers/platform.ts";
import { waitFor, withTimeout } from "../wait-for.ts";
import { COMMANDS, type ArrivedText, type PlayedPlatform } from "./far-end.ts";

/** How long a test waits for what must not happen. */
const QUIET_MS = 250;
const PATIENCE_MS = 20_000;

/** An adapter that is connected to its other end. */
export interface PlatformBench extends AsyncDisposable {
  readonly played: PlayedPlatform;
  readonly adapter: PlatformAdapter;
  readonly chat: string;
  readonly lost: Promise<string>;
  /** The next message that the gateway would get. */
  nextMessage(): Promise<PlatformMessage>;
  /** Fails if a message comes within a short time. */
  nothingComes(): Promise<void>;
  sends(text: string, options?: Parameters<PlatformAdapter["send"]>[2]): Promise<string>;
  /** All of a text, in as many pieces as it takes; spaces may go where it was cut. @returns the last piece. */
  arrives(text: string, chat?: string): Promise<ArrivedText>;
  /** A new file. */
  file(name: string, content: string): Promise<string>;
}

/** The service has nothing to which the behaviour applies; the test is skipped with the reason. */
export class NotApplicable extends Error {}

export interface BenchOptions {
  /** Replaces members of the configuration. */
  readonly config?: Partial<PlatformConfig>;
  readonly connects?: boolean;
}

export async function platformBench(
  play: () => Promise<PlayedPlatform>,
  { config = {}, connects = true }: BenchOptions = {},
): Promise<PlatformBench> {
  const played = await play();
  const chat = played.chat ?? "chat_1";
  const messages: PlatformMessage[] = [];
  const lost = Promise.withResolvers<string>();
  const folder = await mkdtemp(join(tmpdir(), "hermes-platform-"));
  const adapter = await played.platform.adapter_factory({
    enabled: true,
    extra: played.extra ?? {},
    lost: lost.resolve,
    commands: () => COMMANDS,
    welcome: () => true,
    message: async (message) => void messages.push(message),
    ...config,
  });
  if (connects) assert.notEqual(await adapter.connect({ is_reconnect: false }), false);
  return {
    played,
    adapter,
    chat,
    lost: lost.promise,
    async nextMessage() {
      await waitFor(() => messages.length > 0, { timeoutMs: PATIENCE_MS, what: "a message from the service" });
      return messages.shift()!;
    },
    async nothingComes() {
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
      assert.deepEqual(messages, [], "the gateway gets nothing");
    },
    async sends(text, options = {}) {
      const sent = await adapter.send(chat, text, options);
      assert.notEqual((sent ?? { success: true }).success, false, JSON.stringify(sent));
      return String(sent?.message_id ?? "");
    },
    async arrives(text, where = chat) {
      for (let got = ""; ;) {
        const piece = await withTimeout(played.arrived(), {
          what: `“${text.slice(0, 40)}” at the service`,
          timeoutMs: PATIENCE_MS,
        });
        assert.equal(piece.chat_id, where);
        got += piece.text;
        assert.equal(tight(got), tight(text).slice(0, tight(got).length));
        if (tight(got) === tight(text)) return piece;
      }
    },
    async file(name, content) {
      const path = join(folder, name);
      await writeFile(path, content);
      return path;
    },
    async [Symbol.asyncDispose]() {
      await adapter.disconnect();
      await played[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function tight(text: string): string {
  return text.replaceAll(/\s+/g, "");
}
