/**
 * An agent that speaks the Agent Client Protocol and plays scenes: `node acp-agent.ts FOLDER`. FOLDER contains
 * `scenes.json`; each prompt plays the
 * next one, in whichever process. `choices.json` has the options that a client may choose, if any. The agent records
 * what it receives:
 * `prompts.jsonl`, and a line in `starts.jsonl` for each process.
 */
import {
  agent,
  methods,
  ndJsonStream,
  RequestError,
  type AgentContext,
  type ContentBlock,
  type PromptResponse,
} from "@agentclientprotocol/sdk";
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { ModelScene } from "../../src/testing/model-contract.ts";

export type AgentScene =
  | Exclude<ModelScene, { readonly kind: "status" | "unreachable" }>
  /** It never answers anything. */
  | { readonly kind: "mute" }
  /** It rejects every sign-in. */
  | { readonly kind: "stranger" }
  | { readonly kind: "refuse"; readonly message: string }
  /** It exits before its first protocol message. */
  | { readonly kind: "die"; readonly words: string }
  /** It requests everything that a client may offer, and reports what it got. */
  | { readonly kind: "ask"; readonly file: string }
  /** Other session updates, and then this text. */
  | { readonly kind: "updates"; readonly updates: readonly object[]; readonly text: string };

const folder = process.argv[2] ?? ".";
const scenes = JSON.parse(readFileSync(join(folder, "scenes.json"), "utf8")) as readonly AgentScene[];
const choices = existsSync(join(folder, "choices.json"))
  ? (JSON.parse(readFileSync(join(folder, "choices.json"), "utf8")) as {
      readonly [category: string]: readonly string[];
    })
  : {};
const prompts = join(folder, "prompts.jsonl");
const played = () => (existsSync(prompts) ? readFileSync(prompts, "utf8").split("\n").length - 1 : 0);
const FINISHES = { stop: "end_turn", "tool-calls": "end_turn", length: "max_tokens" } as const;

const helper = spawn("sleep", ["1000"], { stdio: "ignore" });
appendFileSync(
  join(folder, "starts.jsonl"),
  `${JSON.stringify({ pids: [process.pid, helper.pid], env: process.env, args: process.argv.slice(3), cwd: process.cwd() })}\n`,
);
const first = scenes[played()];
if (first?.kind === "mute") await sleep(300_000);
if (first?.kind === "die") {
  process.stderr.write(`${first.words}\n`);
  process.exit(1);
}
if (first?.kind === "garbage") {
  process.stdout.write("<html>\nwelcome to\nthe captive\nportal\n<br>\n<br>\n<br>\n<br>\n<br>\n</html>\n");
  await sleep(300_000);
}

const chosen: { [category: string]: string } = Object.fromEntries(
  Object.entries(choices).map(([category, [first = ""]]) => [category, first]),
);
agent({ name: "stand-in" })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: 1,
    agentCapabilities: { promptCapabilities: { image: true } },
  }))
  .onRequest(methods.agent.session.new, () => {
    if (scenes[played()]?.kind === "stranger") throw RequestError.authRequired();
    // In groups or not, as agents may send them.
    const options = (values: readonly string[]) => values.map((value) => ({ value, name: value }));
    return {
      sessionId: "one",
      configOptions: Object.entries(choices).map(([category, values]) => ({
        id: category,
        name: category,
        type: "select" as const,
        category,
        currentValue: chosen[category]!,
        options: category === "model" ? [{ group: "g", name: "All", options: options(values) }] : options(values),
      })),
    };
  })
  .onRequest(methods.agent.session.setConfigOption, ({ params }) => {
    chosen[params.configId] = String(params.value);
    return { configOptions: [] };
  })
  .onRequest(methods.agent.session.prompt, ({ params, client }) => {
    const scene = scenes[played()] ?? { kind: "answer", text: "(no more scenes)", finish: "stop", usage: NOTHING };
    appendFileSync(prompts, `${JSON.stringify({ prompt: params.prompt, chosen })}\n`);
    return play(scene, params.prompt, client);
  })
  .connect(ndJsonStream(inPieces(), Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>));

const NOTHING = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };

async function play(scene: AgentScene, prompt: readonly ContentBlock[], client: AgentContext): Promise<PromptResponse> {
  const update = (what: object) => client.notify("session/update", { sessionId: "one", update: what });
  const say = async (text: string, kind = "agent_message_chunk"): Promise<void> => {
    for (let at = 0; at < text.length; at += 5)
      await update({ sessionUpdate: kind, content: { type: "text", text: text.slice(at, at + 5) } });
  };
  switch (scene.kind) {
    case "answer": {
      const { usage } = scene;
      await say(scene.thinking ?? "", "agent_thought_chunk");
      await say(scene.text ?? "");
      for (const { callId, tool, args } of scene.calls ?? [])
        await say(
          `\n<tool_call>\n{"id":"${keyIn(prompt)}:${callId}","name":"${tool}","arguments":${isJson(args) ? args : JSON.stringify(args)}}\n</tool_call>`,
        );
      const counts = {
        inputTokens: usage.inputTokens - usage.cacheReadTokens,
        outputTokens: usage.outputTokens,
        cachedReadTokens: usage.cacheReadTokens,
        totalTokens: usage.inputTokens + usage.outputTokens,
      };
      return { stopReason: FINISHES[scene.finish], usage: counts } as PromptResponse;
    }
    case "cut":
      await say(scene.text);
      return process.exit(3);
    case "stall":
      await say(scene.text);
      await sleep(300_000);
      break;
    case "refuse":
      throw new RequestError(-32603, scene.message);
    case "ask":
      await say(JSON.stringify(await askForAll(client, scene.file)));
      break;
    case "updates":
      for (const one of scene.updates) await update(one);
      await say(scene.text);
      break;
  }
  return { stopReason: "end_turn" };
}

/** The client's answer to each request. */
async function askForAll(client: AgentContext, path: string): Promise<unknown> {
  const sessionId = "one";
  const asked = [
    client.request("session/request_permission", {
      sessionId,
      toolCall: { toolCallId: "t", title: "rm -rf" },
      options: [
        { optionId: "yes", name: "Yes", kind: "allow_always" },
        { optionId: "no", name: "No", kind: "reject_once" },
      ],
    }),
    client.request("session/request_permission", {
      sessionId,
      toolCall: { toolCallId: "t" },
      options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }],
    }),
    client.request("fs/read_text_file", { sessionId, path }),
    client.request("fs/write_text_file", { sessionId, path, content: "changed" }),
    client.request("terminal/create", { sessionId, command: "touch", args: [path] }),
  ];
  return (await Promise.allSettled(asked)).map((one) =>
    one.status === "fulfilled" ? one.value : (one.reason as { code?: number }).code,
  );
}

/** The key of this conversation, as an agent reads it. */
function keyIn(prompt: readonly ContentBlock[]): string {
  return /\[(\w+) user\]/.exec(prompt.map((block) => (block.type === "text" ? block.text : "")).join(""))?.[1] ?? "";
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Writes a few bytes at a time, which splits characters. */
function inPieces(): WritableStream<Uint8Array> {
  return new WritableStream({
    async write(bytes) {
      for (let at = 0; at < bytes.length; at += 7)
        if (!process.stdout.write(bytes.subarray(at, at + 7)))
          await new Promise((resolve) => process.stdout.once("drain", resolve));
    },
  });
}
