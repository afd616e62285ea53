import { createServer, type AddressInfo, type Socket } from "node:net";

/** The attacker's server: serves pages, and saves every byte that it receives. */
export interface SinkServer extends AsyncDisposable {
  readonly port: number;
  readonly pages: Map<string, string>;
  /** Whether the server received this text, verbatim or encoded. */
  has(words: string): boolean;
  add(text: string): void;
}

export async function openSink(): Promise<SinkServer> {
  let received = "";
  const pages = new Map<string, string>();
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    socket.on("error", () => {}); // A client that disconnects early has sent everything it wanted.
    let answered = false;
    socket.on("data", (bytes) => {
      received += bytes.toString("latin1");
      if (answered) return;
      answered = true;
      const path = /^GET (?:http:\/\/[^/]+)?(\/\S*)/.exec(bytes.toString("latin1"))?.[1];
      const body = pages.get(path ?? "") ?? "ok\n";
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    pages,
    has: (words) =>
      [words, Buffer.from(words).toString("base64").slice(0, -4), encodeURIComponent(words)].some((form) =>
        received.includes(form),
      ),
    add: (text) => void (received += text),
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
