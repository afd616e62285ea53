import type { Command, Option } from "commander";

/**
 * Moves conversation options that precede the command behind it: `hermes --yolo chat -q hi` becomes `hermes chat
 * --yolo -q hi`. Global options stay in front. If the command does not know a moved option, it reports that.
 */
export function leadingOptionsBehind(program: Command, argv: readonly string[]): readonly string[] {
  const globalOptions: string[] = [];
  const moved: string[] = [];
  let at = 0;
  while (at < argv.length && /^--?[a-z]/i.test(argv[at]!)) {
    const [flag = ""] = argv[at]!.split("=", 1);
    const own = optionOf(program, flag);
    const option = own ?? optionOf(commandOf(program, "chat"), flag);
    if (option === undefined) return argv;
    const width = flag !== argv[at] || !takesNext(program, option, argv[at + 1]) ? 1 : 2;
    (own === undefined ? moved : globalOptions).push(...argv.slice(at, at + width));
    at += width;
  }
  const words = commandWords(program, argv.slice(at));
  if (moved.length === 0 || words.length === 0) return argv;
  return [...globalOptions, ...words, ...moved, ...argv.slice(at + words.length)];
}

function commandWords(program: Command, rest: readonly string[]): readonly string[] {
  const words: string[] = [];
  for (
    let here: Command | undefined = commandOf(program, rest[0]);
    here !== undefined;
    here = commandOf(here, rest[words.length])
  )
    words.push(rest[words.length]!);
  return words;
}

function takesNext(program: Command, option: Option, next: string | undefined): boolean {
  return (
    option.required ||
    (option.optional && next !== undefined && !next.startsWith("-") && commandOf(program, next) === undefined)
  );
}

function optionOf(command: Command | undefined, flag: string): Option | undefined {
  return command?.options.find(({ short, long }) => flag === short || flag === long);
}

function commandOf(command: Command, word: string | undefined): Command | undefined {
  return command.commands.find((one) => one.name() === word || (word !== undefined && one.aliases().includes(word)));
}
