import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ChildProcess } from "node:child_process";
import { startChatServer } from "../../../examples/plugins/loopback-chat/chat-server.ts";
import type { ModelScript } from "../../servers/script.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NewUser } from "./test-user.ts";

const root = join(import.meta.dirname, "../../..");

export interface ChatScene extends AsyncDisposable {
  readonly prompter: NewUser;
  readonly chat: Awaited<ReturnType<typeof startChatServer>>;
  readonly model: Awaited<ReturnType<typeof startOpenAiServer>>;
  /** Starts the gateway and waits until it serves. */
  serve(): Promise<ChildProcess>;
  /** The gateway's output. */
  notes(): string;
  log(): string;
}

/** A user who talks to the agent through the loopback chat: their home, the chat's server, the model's server. */
export async function chatScene(
  script: ModelScript,
  options: {
    readonly plugin?: "loopback-chat" | "loopback-chat-python";
    readonly config?: string;
    readonly env?: { readonly [name: string]: string };
  } = {},
): Promise<ChatScene> {
  const stack = new AsyncDisposableStack();
  const chat = stack.use(await startChatServer());
  const model = stack.use(await startOpenAiServer(script));
  const user = stack.use(
    new NewUser({ LOOPBACK_CHAT_PORT: String(chat.port), LOOPBACK_CHAT_ALLOWED_USERS: "ada", ...options.env }),
  );
  cpSync(
    join(root, "examples/plugins", options.plugin ?? "loopback-chat"),
    join(user.agentHome, "plugins/loopback-chat"),
    { recursive: true },
  );
  user.connect("custom", model.url, `plugins:\n  enabled: [loopback-chat]\n${options.config ?? ""}`);
  let notes = "";
  return {
    prompter: user,
    chat,
    model,
    notes: () => notes,
    log: () => readFileSync(join(user.agentHome, "logs/agent.log"), "utf8"),
    async serve() {
      const gateway = user.start(["gateway"]);
      const serving = Promise.withResolvers<void>();
      const receive = (text: Buffer): void => {
        notes += text.toString();
        if (notes.includes("Serving")) serving.resolve();
      };
      gateway.stdout?.on("data", receive);
      gateway.stderr?.on("data", receive);
      gateway.on("exit", (status) => serving.reject(new Error(`the gateway ended with ${status}: ${notes}`)));
      await serving.promise;
      notes = notes.replaceAll("Serving", "serving");
      return gateway;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

export async function gone(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  return new Promise((resolve) => child.once("exit", (status) => resolve(status)));
}
