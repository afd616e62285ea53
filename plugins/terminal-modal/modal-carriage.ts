import { carrierScript, type Carriage } from "hermes-agent/terminal";
import type { ModalMachine } from "./modal-sdk.ts";

/** A shell in a sandbox: its carrier is an executed command with three streams of text. */
export async function startCarriage(
  machine: ModalMachine,
  name: string,
  variables: Record<string, string>,
): Promise<Carriage> {
  const command = await machine.exec(["bash", "-c", carrierScript({ name, carries: "both", variables })], {
    mode: "text",
  });
  const input = command.stdin.getWriter();
  const readers = [command.stdout.getReader(), command.stderr.getReader()] as const;
  return {
    send: (lines) => input.write(lines),
    output: read(readers[0]),
    errors: read(readers[1]),
    close: () => {
      // Pending input is not cancelled: it may be the end of the shell's input.
      for (const reader of readers) void reader.cancel().catch(() => undefined);
    },
  };

  async function* read(reader: ReadableStreamDefaultReader<string>): AsyncGenerator<string, void, undefined> {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  }
}
