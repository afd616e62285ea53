import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { createInterface } from "node:readline";

/** A scripted IRC server. */
export async function playedServer() {
  const clients: Awaited<ReturnType<typeof played>>[] = [];
  const waiting: ((client: (typeof clients)[number]) => void)[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
    const client = played(socket);
    const next = waiting.shift();
    if (next === undefined) clients.push(client);
    else next(client);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    /** The next client that connects. */
    client: (): Promise<(typeof clients)[number]> =>
      clients.length > 0 ? Promise.resolve(clients.shift()!) : new Promise((resolve) => void waiting.push(resolve)),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

function played(socket: Socket) {
  const lines: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  createInterface({ input: socket }).on("line", (line) => {
    const next = waiting.shift();
    if (next === undefined) lines.push(line);
    else next(line);
  });
  const client = {
    nextLine: (): Promise<string> =>
      lines.length > 0 ? Promise.resolve(lines.shift()!) : new Promise((resolve) => void waiting.push(resolve)),
    /** Skips lines until one starts with this text. */
    async waitsFor(start: string): Promise<string> {
      for (;;) {
        const line = await client.nextLine();
        if (line.startsWith(start)) return line;
      }
    },
    write: (...given: readonly (string | Uint8Array)[]) => {
      for (const one of given) socket.write(typeof one === "string" ? `${one}\r\n` : one);
    },
    /** Welcomes the client like a server without extensions. */
    async welcome(nick = "hermes-bot") {
      await client.waitsFor("USER");
      client.write(`:irc 001 ${nick} :Welcome`);
      await client.waitsFor("JOIN #team");
      client.write(`:${nick}!h@host JOIN #team`, `:irc 366 ${nick} #team :End`);
    },
    /** Answers the PING after the sent lines. */
    async confirms() {
      client.write(`:irc PONG irc ${(await client.waitsFor("PING")).slice(5)}`);
    },
    async drop() {
      const closed = once(socket, "close");
      socket.destroy();
      await closed;
    },
  };
  return client;
}
