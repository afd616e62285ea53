import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { createInterface } from "node:readline";

/** A line that arrived, as the chat shows it: `edit` names the message that it replaces. */
export interface ChatLine {
  readonly chat: string;
  readonly text: string;
  readonly id?: string;
  readonly edit?: string;
  /** Its data in base64. */
  readonly file?: { readonly kind: string; readonly name: string; readonly data: string };
}

/** The chat server, for tests. */
export async function startChatServer() {
  const sockets = new Set<Socket>();
  const texts: { readonly chat_id: string; readonly text: string }[] = [];
  const waiting: ((text: { readonly chat_id: string; readonly text: string }) => void)[] = [];
  const seen: ChatLine[] = [];
  const watchers = new Set<() => void>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
    createInterface({ input: socket })
      .on("error", () => socket.destroy())
      .on("line", (line) => {
        const one = JSON.parse(line) as ChatLine;
        seen.push(one);
        for (const look of watchers) look();
        const { chat, text } = one;
        if (one.edit !== undefined || one.file !== undefined) return;
        const next = waiting.shift();
        if (next === undefined) texts.push({ chat_id: chat, text });
        else next({ chat_id: chat, text });
      });
  });
  const taken = new Set<ChatLine>();

  async function until(holds: () => boolean): Promise<void> {
    const done = Promise.withResolvers<void>();
    const look = (): void => void (holds() && done.resolve());
    watchers.add(look);
    look();
    await done.promise.finally(() => watchers.delete(look));
  }

  /** The first matching line that was not read yet. */
  async function next(fits: (line: ChatLine) => boolean): Promise<ChatLine> {
    const found = (): ChatLine | undefined => seen.find((line) => fits(line) && !taken.has(line));
    await until(() => found() !== undefined);
    const line = found()!;
    taken.add(line);
    return line;
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    /** @param given Id of the message. */
    async write(chat: string, user: string, text: string, given?: string | object) {
      const id = typeof given === "string" ? given : undefined;
      if (sockets.size === 0) await once(server, "connection"); // The other side has received it.
      for (const socket of sockets) socket.write(`${JSON.stringify({ chat, user, text, id })}\n`);
    },
    arrived: (): Promise<{ readonly chat_id: string; readonly text: string }> =>
      texts.length > 0 ? Promise.resolve(texts.shift()!) : new Promise((resolve) => void waiting.push(resolve)),
    /** All lines that arrived, including edits. */
    seen: seen as readonly ChatLine[],
    /** The current messages of that chat, a text for each. */
    shown: (chat: string): readonly string[] => [
      ...seen
        .filter((line) => line.chat === chat)
        .reduce((shown, { id, edit, text }, at) => shown.set(edit ?? id ?? String(at), text), new Map<string, string>())
        .values(),
    ],
    /** Resolves when the condition holds for the lines that arrived. */
    until,
    async changed(): Promise<{ readonly message_id: string; readonly text: string }> {
      const { edit = "", text } = await next((line) => line.edit !== undefined);
      return { message_id: edit, text };
    },
    async received() {
      const { file, text } = await next((line) => line.file !== undefined);
      const kind = file?.kind === "voice" ? ("voice" as const) : ("document" as const);
      return { name: file?.name ?? "", bytes: Buffer.from(file?.data ?? "", "base64").toString(), caption: text, kind };
    },
    /** Disconnects all clients. */
    async cut() {
      const ended = [...sockets].map((socket) => once(socket, "close"));
      for (const socket of sockets) socket.end();
      await Promise.all(ended);
    },
    /** Drops lines that arrived and were not read. */
    forget: () => void texts.splice(0),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}
