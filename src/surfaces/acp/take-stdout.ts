import { Readable } from "node:stream";

/** Input and output of this process as bytes of the protocol. */
export interface ProtocolStreams {
  readonly input: ReadableStream<Uint8Array>;
  readonly output: WritableStream<Uint8Array>;
}

/**
 * Takes stdout for the protocol alone: whatever else is written to it from now on (a plugin's `console.log`) goes to stderr, since one
 * foreign line would end the conversation with the editor.
 */
export function takeStdout(): ProtocolStreams {
  const { stdin, stdout, stderr } = process;
  const write = stdout.write.bind(stdout) as (bytes: Uint8Array, done: (error?: Error | null) => void) => boolean;
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  // An editor that is gone is told by the write that fails; without a listener it would end the process in the middle of its farewell.
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
