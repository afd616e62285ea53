import { UserError } from "../../../contract/common/failure.ts";
import type { Json, JsonObject } from "../../../contract/common/json.ts";
import type { JsonSchema } from "../../../contract/common/schema.ts";
import type { CliCommand } from "../../../contract/conversation/command.ts";
import type { CompatCliArgument, CompatCliCommand } from "../../../contract/plugins/compat-context.ts";

interface Argument extends CompatCliArgument {
  /** Under which the handler receives it. */
  readonly dest: string;
  /** Name of the option without dashes, or of the argument. */
  readonly word: string;
  readonly positional: boolean;
}

/**
 * A subcommand of `hermes` as the original registers it: a setup function adds the arguments to a parser.
 * @throws {UserError} for an argument that no option can be made of.
 */
export function fromOriginalCli(command: CompatCliCommand): CliCommand {
  const args: Argument[] = [];
  const setup = command.setup_fn ?? command.setup;
  const handler = command.handler_fn ?? command.handler;
  setup?.({ add_argument: (...given) => void args.push(argumentOf(command.name, given)) });
  return {
    name: command.name,
    description: command.help || command.description || `Command of a plugin`,
    help: command.help ? command.description || undefined : undefined,
    input: schemaOf(args),
    positional: args.filter(({ positional }) => positional).map(({ word }) => word),
    // A value that is not a function stays one, so that the registration reports it.
    run:
      typeof handler === "function"
        ? (input: JsonObject, io) => handler(valuesOf(args, input), io)
        : (handler as unknown as CliCommand["run"]),
  };
}

/** Names as in argparse: `add_argument("-d", "--days", { type: "int" })`, `add_argument("place")`. */
function argumentOf(command: string, given: readonly (string | CompatCliArgument)[]): Argument {
  const names = given.filter((one) => typeof one === "string");
  const options = given.find((one) => typeof one === "object") ?? {};
  const name = names.find((one) => one.startsWith("--")) ?? names[0];
  if (name === undefined || /^-[^-]/.test(name) || !/^(--)?[\w-]+$/.test(name))
    throw new UserError(
      `The command "${command}" has an argument without a name that works here: ${JSON.stringify(names)}. Use "name" or "--name".`,
    );
  const word = name.replace(/^--/, "");
  return { ...options, word, dest: options.dest ?? word.replaceAll("-", "_"), positional: word === name };
}

function schemaOf(args: readonly Argument[]): JsonSchema {
  const needed = ({ positional, required, nargs, default: fallback }: Argument): boolean =>
    required === true || (positional && nargs !== "?" && fallback === undefined);
  return {
    type: "object",
    properties: Object.fromEntries(
      args.map((argument) => [
        argument.word,
        {
          type: typeOf(argument),
          description: argument.help ?? "",
          ...(argument.choices && { enum: argument.choices }),
        },
      ]),
    ) as JsonObject,
    required: args.filter(needed).map(({ word }) => word),
  };
}

function typeOf({ action, type }: Argument): string {
  if (action === "store_true") return "boolean";
  if (type === "int" || type === "float" || type === Number) return "number";
  return "string";
}

function valuesOf(args: readonly Argument[], input: JsonObject): { readonly [name: string]: Json } {
  return Object.fromEntries(
    args.map((argument): [string, Json] => {
      const { word, dest, default: fallback } = argument;
      // The options parser makes `dryRun` of `--dry-run`.
      const given = input[word] ?? input[word.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
      const otherwise = fallback ?? (argument.action === "store_true" ? false : null);
      if (given === undefined || given === null) return [dest, otherwise];
      return [dest, typeOf(argument) === "number" ? numberOf(argument, given) : given];
    }),
  );
}

function numberOf({ word, type }: Argument, given: Json): number {
  const value = Number(given);
  if (Number.isNaN(value) || (type === "int" && !Number.isInteger(value)))
    throw new UserError(`"${word}" must be a ${type === "int" ? "whole " : ""}number, not ${JSON.stringify(given)}.`, {
      exitCode: 2,
    });
  return value;
}
