import { MANY } from "./marks.ts";

export interface OptionSpec {
  /** Letters that take a value. */
  readonly short?: string;
  /** Long names that take a value as the next word. */
  readonly long?: readonly string[];
  /** Options end at the first operand: wrappers, interpreters. */
  readonly stop?: boolean;
  /** `-name value` style: one dash, whole words. */
  readonly words?: boolean;
}

export interface Option {
  readonly name: string;
  readonly value: string | undefined;
}

/** The words after a program's name, split once, as getopt does. */
export class Options {
  readonly options: readonly Option[];
  readonly operands: readonly string[];
  /** An unknown that may be any number of words stands among the operands. */
  readonly open: boolean;

  constructor(options: readonly Option[], operands: readonly string[]) {
    this.options = options;
    this.operands = operands;
    this.open = operands.some(
      (operand) => operand.includes(MANY) && operand.charCodeAt(0) >= 0xe000 && operand.charCodeAt(0) < 0xe008,
    );
  }

  /** Long names may be abbreviated, as GNU programs allow. */
  has(...names: readonly string[]): boolean {
    return this.options.some((option) => names.some((name) => matches(option.name, name)));
  }

  value(...names: readonly string[]): string | undefined {
    return this.values(...names).at(-1);
  }

  values(...names: readonly string[]): readonly string[] {
    return this.options.flatMap((option) =>
      option.value !== undefined && names.some((name) => matches(option.name, name)) ? [option.value] : [],
    );
  }
}

export function parseOptions(args: readonly string[], spec: OptionSpec = {}): Options {
  const options: Option[] = [];
  const operands: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (arg === "--") {
      operands.push(...args.slice(i + 1));
      break;
    }
    if (arg.length < 2 || !arg.startsWith("-")) {
      if (spec.stop) {
        operands.push(...args.slice(i));
        break;
      }
      operands.push(arg);
      continue;
    }
    if (arg.startsWith("--") || spec.words) {
      const name = arg.replace(/^--?/, "");
      const equals = name.indexOf("=");
      if (equals >= 0) options.push({ name: name.slice(0, equals), value: name.slice(equals + 1) });
      else if (
        spec.long?.some(
          (long) =>
            long === name ||
            (spec.words && name.startsWith(`${long}:`)) ||
            (!spec.words && name.length > 2 && long.startsWith(name)),
        )
      )
        options.push({ name, value: args[++i] });
      else options.push({ name, value: undefined });
      continue;
    }
    for (let at = 1; at < arg.length; at++) {
      const letter = arg[at]!;
      if (spec.short?.includes(letter)) {
        options.push({ name: letter, value: at + 1 < arg.length ? arg.slice(at + 1) : args[++i] });
        break;
      }
      options.push({ name: letter, value: undefined });
    }
  }
  return new Options(options, operands);
}

function matches(given: string, name: string): boolean {
  return given === name || (name.length > 1 && given.length > 1 && name.startsWith(given));
}
