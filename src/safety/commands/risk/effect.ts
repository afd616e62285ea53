import type { HarmId } from "./harms.ts";
import { COMPUTED, DECODED, EVERY_PROCESS, REMOTE, SECRET } from "../parse/marks.ts";

/** One effect of a command, with paths resolved as far as the text allows. An `undefined` path is unknown. */
export type CommandEffect =
  /** Runs a program of which no more is known; `words` have marks made readable. */
  | { readonly kind: "execute"; readonly program: string; readonly words: readonly string[] }
  | { readonly kind: "read"; readonly path: string | undefined; readonly recursive?: boolean; readonly shown: boolean }
  | { readonly kind: "write"; readonly path: string | undefined; readonly how: "create" | "append" | "edit" | "copy" }
  | {
      readonly kind: "delete";
      readonly path: string | undefined;
      readonly recursive: boolean;
      readonly narrowed?: boolean;
      readonly by: string;
    }
  | {
      readonly kind: "mode";
      readonly path: string | undefined;
      readonly recursive: boolean;
      readonly mode: string;
      readonly worldWritable: boolean;
      readonly setId: boolean;
    }
  | { readonly kind: "owner"; readonly path: string | undefined; readonly recursive: boolean; readonly owner: string }
  | {
      readonly kind: "device";
      readonly path: string;
      readonly action: "write" | "format" | "wipe" | "read";
      readonly proven: boolean;
    }
  | { readonly kind: "network"; readonly url: string; readonly sends: boolean }
  | {
      readonly kind: "signal";
      readonly target: string;
      readonly everything: boolean;
      readonly force: boolean;
      readonly byName: boolean;
    }
  | { readonly kind: "power"; readonly action: string }
  | { readonly kind: "fork bomb" }
  /**
   * A harm of another class: service, git, sql, container, infrastructure, package index, interpreter input, computed …
   */
  | { readonly kind: "harm"; readonly harm: HarmId; readonly what: string; readonly path?: string };

/** The data that a command passes to the next one, or reads: its text if the script shows it, and its source. */
export interface Flow {
  readonly text: string | undefined;
  /** The part of it that the script shows, where the rest is not known. */
  readonly shown?: string;
  readonly remote?: boolean;
  readonly decoded?: boolean;
  /** Zeros or noise, as an image is made of. */
  readonly blank?: boolean;
  /** Answers of a database: statements made of data, when they are handed to a client. */
  readonly answered?: boolean;
  /** Paths that stand for everything below them: the list of a find without a narrowing test. */
  readonly below?: boolean;
  /** Paths of possible secrets among the names that it lists, as patterns; a filter between keeps them. */
  readonly names?: readonly string[];
  /** The numbers of all processes, which nothing has narrowed. */
  readonly processes?: boolean;
  /** An interactive shell for the user or for the other side of a connection. */
  readonly shell?: boolean;
  /** `archive`: stored secrets, packed or encoded, which are shown when nothing else takes them. */
  readonly secret?: "environment" | "file" | "archive";
  /** `inherit`: the input of the surrounding shell (the user's terminal). */
  readonly from: "inherit" | "pipe" | "file" | "text";
}

export const INHERITED: Flow = { text: undefined, from: "inherit" };
export const UNSEEN: Flow = { text: undefined, from: "pipe" };
export const NOTHING: Flow = { text: "", from: "text" };
export const literal = (text: string): Flow => ({ text, from: "text" });

/** A device that gives zeros, noise or nothing. */
export const isBlank = (path: string): boolean => /^\/dev\/(?:zero|null|u?random)$/.test(path);

/** Output of two commands, one after the other. */
export function join(first: Flow, second: Flow): Flow {
  if (first.text === "" && first.from === "text") return second;
  if (second.text === "" && second.from === "text") return first;
  const text =
    first.text !== undefined && second.text !== undefined && first.text.length + second.text.length < 200_000
      ? first.text + second.text
      : undefined;
  const shown =
    text === undefined
      ? [first.text ?? first.shown, second.text ?? second.shown]
          .filter((part) => part !== undefined && part.length < 20_000)
          .join("\n")
      : "";
  return {
    text,
    shown: shown === "" ? undefined : shown,
    remote: first.remote || second.remote,
    decoded: first.decoded || second.decoded,
    secret: first.secret ?? second.secret,
    from: "pipe",
  };
}

/** The output of an unknown program: derived from its input. */
export function derived(input: Flow): Flow {
  return {
    text: undefined,
    remote: input.remote,
    decoded: input.decoded,
    secret: input.secret,
    shell: input.shell,
    answered: input.answered,
    processes: input.processes,
    names: input.names,
    from: "pipe",
  };
}

/** The text a substitution stands for, or the mark of where it came from. */
export function substituted(flow: Flow): string {
  if (flow.text !== undefined && !flow.remote) return (allBelow(flow) ?? flow.text).replace(/\n+$/, "");
  return flow.remote
    ? REMOTE
    : flow.decoded
      ? DECODED
      : flow.secret
        ? SECRET
        : flow.processes
          ? EVERY_PROCESS
          : (flow.names?.join("\n") ?? COMPUTED);
}

/** For a list of everything below some folders: the folders, and any file below each of them. */
export function allBelow({ below, text }: Flow): string | undefined {
  if (below !== true || text === undefined) return undefined;
  const folders = text.split(/[\n\0]/).filter((line) => line !== "");
  return [...folders, ...folders.map((folder) => `${folder === "/" ? "" : folder}/${COMPUTED}`)].join("\n");
}

/** The output of a loop: never better known than its input. */
export function derivedOr(out: Flow, stdin: Flow): Flow {
  return out.text === ""
    ? out
    : {
        ...out,
        text: undefined,
        remote: out.remote || stdin.remote,
        decoded: out.decoded || stdin.decoded,
        secret: out.secret ?? stdin.secret,
      };
}
