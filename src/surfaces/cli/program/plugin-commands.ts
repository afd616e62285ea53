import { Argument, Option, type Command } from "commander";
import type { CliCommand } from "../../../contract/conversation/command.ts";
import { cliIo, type Io } from "../../shared/process/io.ts";
import { printable } from "../../shared/display/printable.ts";

/** Mounts plugins' subcommands: schema properties become options, and those listed as positional become arguments. */
export function mountPluginCommands(
  program: Command,
  commands: readonly CliCommand[],
  io: Io,
  done: (status: number) => void,
): void {
  for (const command of commands) {
    const mounted = program.command(command.name).description(printable(command.description)).exitOverride();
    if (command.help !== undefined) mounted.addHelpText("after", `\n${printable(command.help)}`);
    if (command.raw === true) {
      mounted.argument("[words...]").helpOption(false).allowUnknownOption().allowExcessArguments().passThroughOptions();
      mounted.action(async (words: readonly string[]) => {
        const status = await command.run({ words } as never, cliIo(io));
        done(typeof status === "number" ? status : 0);
      });
      continue;
    }
    const properties = (command.input?.properties ?? {}) as {
      readonly [name: string]: {
        readonly type?: string;
        readonly description?: string;
        readonly enum?: readonly string[];
      };
    };
    const required = new Set((command.input?.required ?? []) as readonly string[]);
    const positional = command.positional ?? [];
    for (const name of positional) {
      const argument = new Argument(
        required.has(name) ? `<${name}>` : `[${name}]`,
        printable(properties[name]?.description ?? ""),
      );
      if (properties[name]?.enum !== undefined) argument.choices(properties[name].enum);
      mounted.addArgument(argument);
    }
    for (const [name, property] of Object.entries(properties)) {
      if (positional.includes(name)) continue;
      const option = new Option(
        property.type === "boolean" ? `--${name}` : `--${name} <value>`,
        printable(property.description ?? ""),
      );
      if (property.enum !== undefined) option.choices(property.enum);
      if (required.has(name)) option.makeOptionMandatory();
      mounted.addOption(option);
    }
    mounted.action(async (...given: unknown[]) => {
      const values = Object.fromEntries(
        positional.map((name, index) => [name, given[index]]).filter(([, value]) => value !== undefined),
      );
      const input = { ...mounted.opts<Record<string, unknown>>(), ...values };
      const status = await command.run(numbers(input, properties) as never, cliIo(io));
      done(typeof status === "number" ? status : 0);
    });
  }
}

function numbers(
  input: Readonly<Record<string, unknown>>,
  properties: { readonly [name: string]: { readonly type?: string } },
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const type = properties[name]?.type;
      return [
        name,
        (type === "number" || type === "integer") &&
        typeof value === "string" &&
        value.trim() !== "" &&
        !Number.isNaN(Number(value))
          ? Number(value)
          : value,
      ];
    }),
  );
}
