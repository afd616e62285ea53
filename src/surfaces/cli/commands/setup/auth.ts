import type { CliCommand } from "../../../../contract/conversation/command.ts";
import { UserError } from "../../../../contract/common/failure.ts";
import { asTyped } from "../../../shared/process/called-as.ts";
import type { Call } from "../../program/call.ts";
import { cliIo } from "../../../shared/process/io.ts";
import { EXIT } from "../../../shared/process/exit-code.ts";

/** `hermes auth`: lists the services to sign in to. With a name it runs that plugin's command. */
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
        ? "No enabled plugin offers a sign-in.\n"
        : `Services to sign in to:\n\n${lines.join("")}\n${asTyped("Use: hermes auth NAME login, status or logout.")}\n`,
    );
    io.out(asTyped("Store the API key of a model with `hermes model NAME --api-key KEY`.\n"));
    return EXIT.ok;
  }
  const account = accounts.find((one) => one.name === name);
  if (account === undefined)
    throw new UserError(`No enabled plugin signs in to "${name}".`, {
      hint: hintFor(name, await app.plugins.list()),
      exitCode: EXIT.usage,
    });
  const status = await account.run({ words } as never, cliIo(io));
  return typeof status === "number" ? status : EXIT.ok;
}

function hintFor(name: string, plugins: readonly { readonly key: string; readonly state: string }[]): string {
  const off = plugins.find(({ key, state }) => key === name && state !== "enabled");
  return asTyped(off === undefined ? "`hermes auth` lists the services." : `hermes plugins enable ${name}`);
}
