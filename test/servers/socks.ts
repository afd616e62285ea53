import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface SocksAsked {
  readonly version: 4 | 5;
  /** An address, or the name that the client left to the proxy. */
  readonly host: string;
  readonly port: number;
  readonly user?: string;
}

export interface SocksOptions {
  /** The target of every connection, regardless of the requested one. */
  readonly to: number;
  readonly password?: string;
  /** Reply code in place of success: 1–8 of SOCKS5, 91–93 of SOCKS4. */
  readonly refuses?: number;
  /** Sends each reply byte by byte. */
  readonly slowly?: boolean;
  /** Sends these bytes to every client, and closes. */
  readonly says?: string;
}

/** A SOCKS4, SOCKS4a and SOCKS5 proxy as RFC 1928, RFC 1929 and the SOCKS4A note describe it; strict about requests. */
export async function startSocks(options: SocksOptions) {
  const asked: SocksAsked[] = [];
  const wrong: string[] = [];
  const open = new Set<Socket>();
  const server = createServer((client) => {
    open.add(client.on("error", () => client.destroy()).once("close", () => open.delete(client)));
    serve(client, options, asked).catch((cause: Error) => {
      wrong.push(cause.message);
      client.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    asked,
    /** What clients did that the protocol does not allow. */
    wrong,
    place: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function serve(client: Socket, options: SocksOptions, asked: SocksAsked[]): Promise<void> {
  if (options.says !== undefined) return void client.end(options.says);
  const send = async (...bytes: readonly number[]): Promise<void> => {
    if (options.slowly !== true) return void client.write(Buffer.from(bytes));
    for (const byte of bytes) {
      client.write(Buffer.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const [version] = await read(client, 1);
  if (version === 4) asked.push(await readFour(client));
  else if (version === 5) {
    const user = await signIn(client, options.password, send);
    if (user === undefined) return void client.end();
    asked.push({ ...(await readFive(client)), ...(user === "" ? {} : { user }) });
  } else throw new Error(`version ${version}`);
  const head =
    version === 4 ? [0, options.refuses ?? 90, 0, 0, 0, 0, 0, 0] : [5, options.refuses ?? 0, 0, 1, 0, 0, 0, 0, 0, 0];
  await send(...head);
  if (options.refuses !== undefined) return void client.end();
  const onward = connect(options.to, "127.0.0.1");
  onward.on("error", () => client.destroy()).once("close", () => client.destroy());
  client.once("close", () => onward.destroy());
  client.pipe(onward).pipe(client);
}

async function signIn(
  client: Socket,
  password: string | undefined,
  send: (...bytes: readonly number[]) => Promise<void>,
): Promise<string | undefined> {
  const [count] = await read(client, 1);
  const methods = [...(await read(client, count!))];
  const method = password === undefined ? 0 : 2;
  if (!methods.includes(method)) {
    await send(5, 255);
    return undefined;
  }
  await send(5, method);
  if (method === 0) return "";
  const [version] = await read(client, 1);
  if (version !== 1) throw new Error(`sign-in version ${version}`);
  const user = (await read(client, (await read(client, 1))[0]!)).toString();
  const given = (await read(client, (await read(client, 1))[0]!)).toString();
  await send(1, given === password ? 0 : 1);
  return given === password ? user : undefined;
}

async function readFive(client: Socket): Promise<SocksAsked> {
  const [version, command, reserved, kind] = await read(client, 4);
  if (version !== 5 || command !== 1 || reserved !== 0) throw new Error("not a CONNECT of SOCKS5");
  const bytes = kind === 1 ? 4 : kind === 4 ? 16 : kind === 3 ? (await read(client, 1))[0]! : 0;
  if (bytes === 0) throw new Error(`address type ${kind}`);
  const address = await read(client, bytes);
  const host =
    kind === 1
      ? [...address].join(".")
      : kind === 3
        ? address.toString()
        : new URL(`http://[${address.toString("hex").replaceAll(/.{4}(?=.)/g, "$&:")}]`).hostname.slice(1, -1);
  return { version: 5, host, port: (await read(client, 2)).readUInt16BE() };
}

async function readFour(client: Socket): Promise<SocksAsked> {
  const [command] = await read(client, 1);
  if (command !== 1) throw new Error("not a CONNECT of SOCKS4");
  const port = (await read(client, 2)).readUInt16BE();
  const address = await read(client, 4);
  const user = await readText(client);
  const byName = address[0] === 0 && address[1] === 0 && address[2] === 0 && address[3] !== 0;
  const host = byName ? await readText(client) : [...address].join(".");
  return { version: 4, host, port, ...(user === "" ? {} : { user }) };
}

async function readText(client: Socket): Promise<string> {
  let text = "";
  for (;;) {
    const [byte] = await read(client, 1);
    if (byte === 0) return text;
    text += String.fromCharCode(byte!);
  }
}

async function read(client: Socket, bytes: number): Promise<Buffer> {
  let held = Buffer.alloc(0);
  for (;;) {
    const chunk = bytes === 0 ? null : (client.read() as Buffer | null);
    if (chunk !== null) held = Buffer.concat([held, chunk]);
    if (held.length >= bytes) {
      if (held.length > bytes) client.unshift(held.subarray(bytes));
      return held.subarray(0, bytes);
    }
    if (client.readableEnded || client.destroyed) throw new Error("closed early");
    await new Promise<void>((resolve) => {
      const events = ["readable", "end", "close"] as const;
      const once = () => {
        for (const event of events) client.off(event, once);
        resolve();
      };
      for (const event of events) client.on(event, once);
    });
  }
}
