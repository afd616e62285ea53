import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { createInterface } from "node:readline";

/** The other end of the chat, for tests. */
export async function startChatServer() {
  const sockets = new Set<Socket>();
  const texts: { readonly chat_id: string; readonly text: string }[] = [];
  const waiting: ((text: { readonly chat_id: string; readonly text: string }) => void)[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
    createInterface({ input: socket }).on("error", () => socket.destroy()).on("line", (line) => {
      const { chat, text } = JSON.parse(line) as { readonly chat: string; readonly text: string };
      const next = waiting.shift();
      if (next === undefined) texts.push({ chat_id: chat, text });
      else next({ chat_id: chat, text });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    /** @param id Of the message. */
    async write(chat: string, user: string, text: string, id?: string) {
      if (sockets.size === 0) await once(server, "connection"); // The other side knows of it first.
      for (const socket of sockets) socket.write(`${JSON.stringify({ chat, user, text, id })}\n`);
    },
    arrived: (): Promise<{ readonly chat_id: string; readonly text: string }> => (texts.length > 0 ? Promise.resolve(texts.shift()!) : new Promise((resolve) => void waiting.push(resolve))),
    /** Everybody is put out. */
    async cut() {
      const ended = [...sockets].map((socket) => once(socket, "close"));
      for (const socket of sockets) socket.end();
      await Promise.all(ended);
    },
    /** What came and was not asked for is forgotten. */
    forget: () => void texts.splice(0),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}
