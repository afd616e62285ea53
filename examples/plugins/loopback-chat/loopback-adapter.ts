import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import type { PlatformAdapter, PlatformConfig, SendResult } from "hermes-agent/plugin";

/** Lines of JSON: `{ chat, user, text }` comes in, `{ chat, text }` goes out. */
export class LoopbackAdapter implements PlatformAdapter {
  readonly #port: number;
  readonly #message: PlatformConfig["message"];
  #socket: Socket | undefined;

  constructor(port: number, message: PlatformConfig["message"]) {
    this.#port = port;
    this.#message = message;
  }

  async connect(): Promise<boolean> {
    const socket = connect(this.#port, "127.0.0.1");
    await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    socket.on("error", () => socket.destroy());
    socket.on("close", () => this.#socket === socket && (this.#socket = undefined));
    createInterface({ input: socket }).on("line", (line) => {
      const { chat, user, text } = JSON.parse(line) as { readonly chat: string; readonly user: string; readonly text: string };
      void this.#message({ text, chat_id: chat, chat_type: "dm", user_id: user });
    });
    this.#socket = socket;
    return true;
  }

  disconnect(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  async send(chat_id: string, text: string): Promise<SendResult> {
    const socket = this.#socket;
    if (socket === undefined) return { success: false, error: "The chat is not connected.", retryable: true };
    await new Promise<void>((resolve, reject) => void socket.write(`${JSON.stringify({ chat: chat_id, text })}\n`, (error) => (error === null || error === undefined ? resolve() : reject(error))));
    return { success: true };
  }
}
