import { basename, delimiter, dirname } from "node:path";

let command = "hermes";
let name = "hermes";

/**
 * Reads how the user started the launcher of a clone, and removes the variable so that child processes do not inherit
 * it. A launcher on `PATH` is called `hermes`.
 */
export function takeCalledAs(env: NodeJS.ProcessEnv): void {
  const typed = env.HERMES_CALLED_AS;
  delete env.HERMES_CALLED_AS;
  command = typed === undefined || typed === "" ? "hermes" : commandOf(typed, env.PATH ?? "");
  name = typed === undefined || typed === "" ? "hermes" : basename(typed);
}

/** The name the user typed, without its folder, for usage lines. */
export function programName(): string {
  return name;
}

/** Replaces every `hermes …` in a text with what the user has to type: `./hermes …`. Usage lines keep the name. */
export function asTyped(text: string): string {
  return command === "hermes" ? text : text.replaceAll(/(?<!Usage: )(?<![\w./~-])hermes(?=[ `]|$)/gm, () => command);
}

function commandOf(typed: string, path: string): string {
  if (typed.startsWith("/") && typed.endsWith("/hermes") && path.split(delimiter).includes(dirname(typed)))
    return "hermes";
  return /^[\w./~@%+-]+$/.test(typed) ? typed : `'${typed.replaceAll("'", String.raw`'\''`)}'`;
}
