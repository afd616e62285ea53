import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { JsonObject, PlatformAdapter, PlatformConfig, SendFileOptions, SendResult } from "hermes-agent/plugin";

/**
 * Lines of JSON: `{ chat, user, text, id? }` comes in, `{ chat, text, id }` goes out, `{ chat, text, edit }` replaces
 * the text of one, and a file has `file: { kind, name, data }`, in base64.
 */
export class LoopbackAdapter implements PlatformAdapter {
  readonly #port: number;
  readonly #config: Pick<PlatformConfig, "message" | "lost">;
  #socket: Socket | undefined;
  #sent = 0;

  constructor(port: number, config: Pick<PlatformConfig, "message" | "lost">) {
    this.#port = port;
    this.#config = config;
  }

  async connect(): Promise<boolean> {
    if (this.#socket !== undefined) return true;
    const socket = connect(this.#port, "127.0.0.1");
    await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      if (this.#socket !== socket) return; // It was disconnected on purpose.
      this.#socket = undefined;
      this.#config.lost?.("the chat server ended the connection");
    });
    createInterface({ input: socket })
      .on("error", () => socket.destroy())
      .on("line", (line) => {
        const { chat, user, text, id } = JSON.parse(line) as {
          readonly chat: string;
          readonly user: string;
          readonly text: string;
          readonly id?: string;
        };
        void this.#config.message({
          text,
          chat_id: chat,
          chat_type: "dm",
          user_id: user,
          message_id: id,
        });
      });
    this.#socket = socket;
    return true;
  }

  disconnect(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  async send(chat_id: string, text: string): Promise<SendResult> {
    const id = `${process.pid}.${++this.#sent}`;
    return this.#write({ chat: chat_id, text, id }, id);
  }

  async edit_message(chat_id: string, message_id: string, text: string): Promise<SendResult> {
    return this.#write({ chat: chat_id, text, edit: message_id }, message_id);
  }

  async send_document(chat_id: string, path: string, options: SendFileOptions): Promise<SendResult> {
    return this.#show("document", chat_id, path, options);
  }

  async send_voice(chat_id: string, path: string, options: SendFileOptions): Promise<SendResult> {
    return this.#show("voice", chat_id, path, options);
  }

  async #show(
    kind: string,
    chat_id: string,
    path: string,
    { caption = "", file_name = basename(path) }: SendFileOptions,
  ): Promise<SendResult> {
    const id = `${process.pid}.${++this.#sent}`;
    return this.#write(
      {
        chat: chat_id,
        text: caption,
        id,
        file: { kind, name: file_name, data: (await readFile(path)).toString("base64") },
      },
      id,
    );
  }

  async #write(line: JsonObject, message_id: string): Promise<SendResult> {
    const socket = this.#socket;
    if (socket === undefined) return { success: false, error: "The chat is not connected.", retryable: true };
    await new Promise<void>(
      (resolve, reject) =>
        void socket.write(`${JSON.stringify(line)}\n`, (error) =>
          error === null || error === undefined ? resolve() : reject(error),
        ),
    );
    return { success: true, message_id };
  }
}
