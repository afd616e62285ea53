import type { CliCommand } from "../../../../contract/conversation/command.ts";
import { UserError } from "../../../../contract/common/failure.ts";
import { asTyped } from "../../../shared/process/called-as.ts";
import type { Call } from "../../program/call.ts";
import { EXIT } from "../../../shared/process/exit-code.ts";

/** `hermes auth`: what can be signed in to; with a name the command of the plugin that does it. */
export async function auth(
  { io, open }: Call,
  name: string | undefined,
  words: readonly string[] = [],
): Promise<number> {
  const app = await open();
  const accounts: readonly CliCommand[] = app.cliCommands.list().filter(({ signsIn }) => signsIn === true);
  if (name === undefined) {
    const lines = accounts.map((one) => `  ${one.name}  ${one.description}\n`);
    io.out(
      accounts.length === 0
        ? "No plugin that is enabled signs in to a service.\n"
        : `Services to sign in to:\n\n${lines.join("")}\n${asTyped("hermes auth NAME login signs in; status and logout are the others.")}\n`,
    );
    io.out(asTyped("Keys of models are kept by `hermes model NAME --api-key KEY`.\n"));
    return EXIT.ok;
  }
  const account = accounts.find((one) => one.name === name);
  if (account === undefined)
    throw new UserError(`Nothing that is enabled signs in to "${name}".`, {
      hint: hintFor(name, await app.plugins.list()),
      exitCode: EXIT.usage,
    });
  const status = await account.run({ words } as never, {
    out: io.out,
    error: io.note,
    interactive: io.interactive,
    signal: io.signal,
  });
  return typeof status === "number" ? status : EXIT.ok;
}

function hintFor(name: string, plugins: readonly { readonly key: string; readonly state: string }[]): string {
  const off = plugins.find(({ key, state }) => key === name && state !== "enabled");
  return asTyped(off === undefined ? "`hermes auth` lists what can be signed in to." : `hermes plugins enable ${name}`);
}
