import { TerminalUnavailable } from "../../contract/providers/terminal.ts";
import type { StartShell } from "../shell/channel.ts";
import { ControlReader } from "../shell/control-reader.ts";
import { quoted } from "../../contract/common/quoted.ts";

/**
 * Sends a file's content on a separate channel, which is faster than bash and passes any bytes.
 * @param lost Resolves when the shell that needs it is lost.
 * @throws {TerminalUnavailable}
 */
export async function carryFile(
  startShell: StartShell,
  path: string,
  bytes: Uint8Array,
  lost: Promise<string>,
): Promise<void> {
  const channel = await startShell();
  using _held = channel.hold();
  const taken = Promise.withResolvers<true>();
  const answers = new ControlReader();
  channel.listen(
    () => {},
    (received) => answers.read(received).some(({ kind }) => kind === "taken") && taken.resolve(true),
  );
  channel.write(`umask 077; head -c ${bytes.length} >${quoted(path)}; printf 'taken 0 \\0' >&2; exit\n`);
  channel.write(bytes);
  const end = await Promise.race([taken.promise, channel.closed, lost]);
  channel.kill();
  if (end !== true) throw new TerminalUnavailable(`The command's input did not arrive: ${end}. It was not run.`);
}
