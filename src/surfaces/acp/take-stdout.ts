import { Readable } from "node:stream";

/** Byte streams of the protocol: input and output of this process. */
export interface ProtocolStreams {
  readonly input: ReadableStream<Uint8Array>;
  readonly output: WritableStream<Uint8Array>;
}

/**
 * Reserves stdout for the protocol. Any other output (a plugin's `console.log`) goes to stderr from now on, because one
 * stray line would end the connection with the editor.
 */
export function takeStdout(): ProtocolStreams {
  const { stdin, stdout, stderr } = process;
  const write = stdout.write.bind(stdout) as (bytes: Uint8Array, done: (error?: Error | null) => void) => boolean;
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  // If the editor disconnected, a write fails. Without a listener this would end the process during its shutdown.
  for (const stream of [stdout, stderr]) stream.on("error", () => {});
  return {
    input: Readable.toWeb(stdin) as ReadableStream<Uint8Array>,
    output: new WritableStream({
      write: (bytes: Uint8Array) =>
        new Promise(
          (resolve, reject) => void write(bytes, (error) => (error instanceof Error ? reject(error) : resolve())),
        ),
    }),
  };
}
