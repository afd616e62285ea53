import { delimiter, dirname } from "node:path";

let command = "hermes";

/**
 * Takes over from the launcher of a clone what was typed to start it, and keeps it from whatever this process starts.
 * A launcher that lies on `PATH` under its name is called by it.
 */
export function takeCalledAs(env: NodeJS.ProcessEnv): void {
  const typed = env.HERMES_CALLED_AS;
  delete env.HERMES_CALLED_AS;
  command = typed === undefined || typed === "" ? "hermes" : commandOf(typed, env.PATH ?? "");
}

/** A text of the program's own, with every `hermes …` in it as this person has to type it: `./hermes …`. */
export function asTyped(text: string): string {
  return command === "hermes" ? text : text.replaceAll(/(?<![\w./~-])hermes(?=[ `]|$)/gm, () => command);
}

function commandOf(typed: string, path: string): string {
  if (typed.startsWith("/") && typed.endsWith("/hermes") && path.split(delimiter).includes(dirname(typed)))
    return "hermes";
  return /^[\w./~@%+-]+$/.test(typed) ? typed : `'${typed.replaceAll("'", String.raw`'\''`)}'`;
}
