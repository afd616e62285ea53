import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { SkillDisk } from "../skills/read-skill.ts";

/** One question of `hermes safety …`, as it was read from its line. */
export type Question = Readonly<Record<string, Json>>;

/** The context of the questions: this machine, with no settings and no rules. */
export interface Here {
  readonly cwd: string;
  readonly home: string;
  /** The target of a symbolic link; undefined if there is no link. */
  readLink(path: string): Promise<string | undefined>;
  /** The home of a user of this machine. */
  homeOf?(user: string): string | undefined;
  /** Something is there that is neither a file nor a folder: a pipe, a socket, a device. */
  isSpecial(path: string): Promise<boolean>;
  /** For a skill that is a folder. */
  readonly disk: SkillDisk;
}

/** Throws `WrongQuestion` for a record that is not one of its kind. */
export type Answerer = (question: Question, here: Here) => Promise<JsonObject>;

/** Reports a missing or invalid field of a record, for its error line. */
export class WrongQuestion extends Error {}

/** @throws {WrongQuestion} It is no text; `undefined` only where `optional`. */
export function textOf(question: Question, field: string, optional?: "optional"): string | undefined {
  const value = question[field];
  if (typeof value === "string") return value;
  if (value === undefined && optional) return undefined;
  throw new WrongQuestion(`"${field}" must be a text${value === undefined ? "; it is missing" : ""}`);
}
