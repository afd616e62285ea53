import {
  commandMatches,
  ToolFailure,
  type CommandJudgement,
  type Json,
  type JsonObject,
  type Risk,
  type Terminal,
} from "hermes-agent/plugin";
import { firstLine } from "./first-line.ts";

/**
 * Variables of one command, each a stored secret: `{ "GITHUB_TOKEN": "secret://GITHUB_TOKEN" }`; at run time, their
 * values.
 */
export type SecretVariables = Readonly<Record<string, string>>;

const HANDLE = /^secret:\/\/([A-Za-z_][A-Za-z0-9_]*)$/;
/** Variables that control a shell or a loader, and our own. */
const TAKEN = /^(HERMES_\w*|BASH\w*|ENV|IFS|PATH|HOME|PWD|SHELL\w*|PS\d|PROMPT_COMMAND|LD_\w+|DYLD_\w+|_)$/;
/** All values together must fit into a pipe. */
const MAX_BYTES = 32_000;

/** A command with secrets in its environment; its risk says which secret goes to which program. */
export interface SecretUse {
  readonly command: string;
  readonly variables: SecretVariables;
  readonly judged: CommandJudgement;
  /** `security.secret_handles`. */
  readonly handles: Json | undefined;
}

export function hasSecrets(env: Json | undefined): env is SecretVariables {
  return isMap(env) && Object.keys(env).length > 0;
}

/**
 * A program can do anything with its environment, so the user is asked each time, unless the secret's own rule names
 * such a command.
 * @throws {ToolFailure} `bad_arguments`: a value is not a handle, or a name is reserved by shells.
 */
export function secretEnvironmentRisk(
  risk: Risk | undefined,
  { command, variables, judged, handles }: SecretUse,
): Risk | undefined {
  const given = Object.entries(variables).map(([variable, value]) => ({ variable, secret: secretOf(variable, value) }));
  const asked = given.filter(({ secret }) => !ruleOf(handles, secret).some((rule) => commandMatches(rule, command)));
  if (asked.length === 0) return risk;
  const programs = [...new Set(judged.lines.map((line) => line.split(/\s/, 1)[0]!))].join(", ");
  const reasons = asked.map(
    ({ variable, secret }) =>
      `Gives the stored secret ${secret} to ${programs === "" ? "the command" : programs}, as $${variable}.`,
  );
  const key = "stored secret given to a command";
  if (risk === undefined)
    return {
      answer: "ask",
      key,
      reasons,
      effects: judged.effects.flatMap((effect) => (effect.kind === "network" ? [`connect to ${effect.url}`] : [])),
      fresh: true,
    };
  const { rule: _, ...rest } = risk;
  return { ...rest, key: `${key} + ${risk.key}`, reasons: [...reasons, ...risk.reasons], fresh: true };
}

function secretOf(variable: string, value: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(variable) || TAKEN.test(variable))
    throw new ToolFailure("bad_arguments", `env: "${variable}" is not an allowed name for a variable with a secret.`);
  const secret = HANDLE.exec(value)?.[1];
  if (secret === undefined)
    throw new ToolFailure("bad_arguments", `env.${variable} must be exactly secret://NAME.`, {
      hint: "Set other variables in the command: NAME=value command.",
    });
  return secret;
}

function ruleOf(handles: Json | undefined, secret: string): readonly string[] {
  const rule = isMap(handles) && Object.hasOwn(handles, secret) ? handles[secret] : undefined;
  const commands = isMap(rule) ? rule["commands"] : undefined;
  return Array.isArray(commands) ? commands.filter((one): one is string => typeof one === "string") : [];
}

function isMap(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// A shell script that hands secret values to a command through a named pipe, so that no process shows them in its
// arguments or environment and no file contains them. It reads $1 values from stdin, one a line; line ends inside a
// value are written as \n. It prints the directory of the pipe.
const HELPER = `
d=$(mktemp -d "\${TMPDIR:-/tmp}/hermes-env-XXXXXXXXXX") || exit 1
mkfifo -m 600 "$d/values" && exec 3<>"$d/values" || exit 1
for ((n = 0; n < $1; n++)); do IFS= read -r value; printf '%b\\0' "$value" >&3; done
unset value
printf '%s\\n' "$d"
read -r _
rm -rf -- "$d"
`;

/** Values that a command can read; disposed when it has ended. */
export interface GivenVariables extends AsyncDisposable {
  /** Shell code before the command that reads the values into its environment. */
  readonly take: string;
}

/** @param terminal Where the command will run. */
export async function giveVariables(variables: SecretVariables, terminal: Terminal): Promise<GivenVariables> {
  const names = Object.keys(variables);
  const lines = Object.values(variables).map((value) => value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n"));
  if (Buffer.byteLength(lines.join("\n")) > MAX_BYTES || lines.some((line) => line.includes("\0")))
    throw new ToolFailure("unavailable", "A secret is too long for an environment variable, or contains a null byte.");
  const helper = await terminal.spawn(`set -- ${names.length}\n${HELPER}`, { maxOutputBytes: 1_000 });
  await helper.write(`${lines.join("\n")}\n`);
  const folder = await firstLine(
    helper,
    () =>
      new ToolFailure("unavailable", "Cannot pass the secret to the command: no temporary directory could be created."),
  );
  const reads = names.map((name) => `IFS= builtin read -r -d '' ${name};`).join(" ");
  return {
    take: `{ ${reads} } <'${folder.replaceAll("'", "'\\''")}/values'; builtin export ${names.join(" ")}\n`,
    [Symbol.asyncDispose]: async () => helper.end().catch(() => {}),
  };
}
