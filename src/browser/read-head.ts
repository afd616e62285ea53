import type { Duplex } from "node:stream";
import { ToolFailure } from "../contract/failure.ts";

export interface Head {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** What came behind it already. */
  readonly rest: Buffer;
}

const MOST_BYTES = 65_536;

/** The head of an HTTP answer; what follows it stays in the stream. @throws {ToolFailure} `unavailable` where none comes. */
export async function readHead(connection: Duplex): Promise<Head> {
  const { promise, resolve, reject } = Promise.withResolvers<Head>();
  let bytes = Buffer.alloc(0);
  const take = (chunk: Buffer): void => {
    bytes = Buffer.concat([bytes, chunk]);
    const end = bytes.indexOf("\r\n\r\n");
    if (end < 0) return bytes.length > MOST_BYTES ? failed() : undefined;
    const [first = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? 0);
    // Nobody reads until the next listener is there.
    connection.pause();
    resolve({ status, headers: new Map(lines.map((line) => [line.slice(0, line.indexOf(":")).trim().toLowerCase(), line.slice(line.indexOf(":") + 1).trim()])), rest: bytes.subarray(end + 4) });
  };
  const failed = (): void => reject(new ToolFailure("unavailable", "The connection was closed before there was an answer."));
  connection.on("data", take).on("error", failed).on("close", failed).on("end", failed).resume();
  try {
    return await promise;
  } finally {
    connection.off("data", take).off("error", failed).off("close", failed).off("end", failed);
  }
}
