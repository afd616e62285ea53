import type { CliCommand, CliIo } from "../../../contract/conversation/command.ts";
import { UserError } from "../../../contract/common/failure.ts";
import type { JsonObject } from "../../../contract/common/json.ts";
import type { RegisterCli } from "../../../contract/providers/memory.ts";
import type { Plugin, PluginContext } from "../../../contract/plugins/plugin.ts";
import { importModule } from "./import-register.ts";

/** Registers a memory provider, and the commands of its `cli.ts` as `hermes PROVIDER COMMAND`. */
export async function withCli(register: Plugin, file: string, ctx: PluginContext): Promise<void> {
  let name: string | undefined;
  const message = Object.create(ctx, {
    register_memory_provider: {
      value: (provider: Parameters<PluginContext["register_memory_provider"]>[0]) => (
        (name = provider.name),
        ctx.register_memory_provider(provider)
      ),
    },
  }) as PluginContext;
  await register(message);
  const { register_cli } = (await importModule(file)) as { readonly register_cli?: RegisterCli };
  if (name === undefined || typeof register_cli !== "function") return;
  const commands = new Map<string, CliCommand>();
  register_cli({ command: (command) => void commands.set(command.name, command) }, ctx);
  if (commands.size > 0) ctx.cli(oneOf(name, commands));
}

/** One command with its subcommand as the first argument. */
function oneOf(name: string, commands: ReadonlyMap<string, CliCommand>): CliCommand {
  const words = [...commands.keys()];
  const options = Object.assign(
    {},
    ...[...commands.values()].map(({ input }) => input?.properties ?? {}),
  ) as JsonObject;
  return {
    name,
    description: `Commands of the memory provider ${name}: ${words.join(", ")}`,
    input: {
      type: "object",
      properties: {
        ...options,
        command: {
          type: "string",
          description: [...commands.values()].map((one) => `${one.name}: ${one.description}`).join("; "),
        },
      },
    },
    positional: ["command", ...[...commands.values()].flatMap(({ positional }) => positional ?? [])],
    async run({ command: word = words[0]!, ...input }: { readonly command?: string }, io: CliIo) {
      const command = commands.get(word);
      if (command === undefined)
        throw new UserError(`${name} has no command "${word}".`, {
          hint: `Commands: ${words.join(", ")}.`,
          exitCode: 2,
        });
      return command.run(input as never, io);
    },
  };
}
