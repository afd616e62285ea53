import { existsSync, readFileSync } from "node:fs";
import * as disk from "node:fs/promises";
import { homedir } from "node:os";
import type { Json, JsonObject } from "../../../contract/common/json.ts";
import {
  type Answerer,
  homeInPasswords,
  openAnswerer,
  type Question,
  type QuestionKind,
} from "../../../safety/answers/machine-form.ts";
import type { Call } from "../program/call.ts";
import { EXIT } from "../../shared/process/exit-code.ts";

/** Answers each JSON line of stdin with one on stdout, in order. Reads no configuration. */
export async function safety({ io }: Call, kind: QuestionKind): Promise<number> {
  const answer = await openAnswerer(kind);
  let number = 0;
  let wrong = 0;
  for await (const line of linesOf(process.stdin)) {
    number++;
    if (line.trim() === "") continue;
    const record = await answerLine(line, number, answer);
    if (record.error !== undefined) wrong++;
    io.out(`${JSON.stringify(record)}\n`);
  }
  if (wrong > 0) io.note(`${wrong} of ${number} lines are invalid. The output has an error line for each.\n`);
  return wrong > 0 ? EXIT.failed : EXIT.ok;
}

/** Splits at line feeds only. `node:readline` also splits at characters that JSON may contain, such as U+2028. */
async function* linesOf(input: NodeJS.ReadStream): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of input.setEncoding("utf8")) {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

async function answerLine(line: string, number: number, answer: Answerer): Promise<JsonObject> {
  let id: Json = null;
  try {
    const question = JSON.parse(line) as Question;
    if (typeof question !== "object" || question === null || Array.isArray(question))
      throw new Error("not a JSON object");
    id = question.id ?? null;
    return {
      id,
      ...(await answer(question, { cwd: process.cwd(), home: homedir(), homeOf, readLink, isSpecial, disk })),
    };
  } catch (error) {
    return { id, line: number, error: error instanceof Error ? error.message : String(error) };
  }
}

function homeOf(user: string): string | undefined {
  return existsSync(PASSWORDS) ? homeInPasswords(readFileSync(PASSWORDS, "utf8"), user) : undefined;
}

const PASSWORDS = "/etc/passwd";

async function readLink(path: string): Promise<string | undefined> {
  try {
    return await disk.readlink(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EINVAL"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

async function isSpecial(path: string): Promise<boolean> {
  try {
    const found = await disk.lstat(path);
    return !found.isFile() && !found.isDirectory();
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}
