import { once } from "node:events";
import { PassThrough } from "node:stream";
import { carrierFolder, carrierScript, type Carriage } from "hermes-agent/terminal";
import type { VercelMachine } from "./vercel-sdk.ts";

/** A shell in a sandbox: its carrier is a command whose log is followed, and its input is sent by further commands. */
export async function startCarriage(
  machine: VercelMachine,
  name: string,
  variables: Record<string, string>,
): Promise<Carriage> {
  const script = carrierScript({ name, carries: "output", variables });
  const command = await machine.runCommand({ cmd: "bash", args: ["-c", script], detached: true });
  const stop = new AbortController();
  const streams = { stdout: new PassThrough({ objectMode: true }), stderr: new PassThrough({ objectMode: true }) };
  for (const stream of Object.values(streams)) stream.on("error", () => {}); // The reader gets the error.
  void follow();
  let count = 0;
  return {
    async send(lines) {
      count += 1;
      // Text written into a pipe that no process has open is lost, so wait for the carrier. The SDK repeats a request
      // without an answer, so the same input may arrive twice: skip the second one.
      const put = `${carrierFolder(name)}; for n in 1 2 3 4 5 6 7 8 9 10; do [ -e "$d/frames" ] && break; sleep 0.2; done; [ -e "$d/frames" ] || exit 75; mkdir "$d/${count}" || exit 0; rmdir "$d/${count - 1}" 2>/dev/null; printf '%s' '${lines}' 1<>"$d/i"`;
      const { exitCode } = await machine.runCommand({ cmd: "bash", args: ["-c", put] });
      if (exitCode !== 0) throw new Error("the shell in the sandbox has ended");
    },
    output: streams.stdout,
    errors: streams.stderr,
    close: () => {
      stop.abort();
      for (const stream of Object.values(streams)) stream.destroy();
    },
  };

  async function follow(): Promise<void> {
    try {
      for await (const { stream, data } of command.logs({ signal: stop.signal })) {
        if (!streams[stream].write(data)) await once(streams[stream], "drain", { signal: stop.signal });
      }
      for (const stream of Object.values(streams)) stream.end();
    } catch (error) {
      for (const stream of Object.values(streams)) stream.destroy(error as Error);
    }
  }
}
