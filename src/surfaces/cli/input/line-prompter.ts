import { EXPIRED, type Answer, type Prompter, type Question } from "../../../contract/conversation/question.ts";
import type { Interface } from "node:readline/promises";
import { setImmediate as turned } from "node:timers/promises";
import { onTerminal, questionStream, type Io } from "../../shared/process/io.ts";
import { callUser } from "../../shared/process/call-user.ts";
import { approvalText, timeLeft } from "../../shared/display/approval-text.ts";
import { hiddenLine } from "./hidden-line.ts";
import { printable } from "../../shared/display/printable.ts";
import { wrap } from "../../shared/display/wrap.ts";

/**
 * Asks the user of a plain terminal: questions on stderr, answers from the keyboard. Only an explicit approval
 * approves.
 * @param calls Whether a question rings and notifies, from `display.notify`.
 */
export function linePrompter(io: Io, calls: () => boolean): Prompter {
  return { atTerminal: true, ask: (question, signal) => ask(question, onTerminal(io), calls(), signal) };
}

async function ask(question: Question, io: Io, calls: boolean, signal: AbortSignal): Promise<Answer> {
  const { createInterface } = await import("node:readline/promises");
  if (question.kind === "approval") await forgetTyped();
  const lines = createInterface({ input: process.stdin, output: questionStream(), terminal: true });
  const interrupted = new AbortController();
  lines.once("SIGINT", () => {
    interrupted.abort();
    // The line editor consumed Ctrl-C, so the terminal sent no signal. Emit it now: a real signal could arrive after
    // the turn continues.
    if (!process.emit("SIGINT", "SIGINT")) process.kill(process.pid, "SIGINT");
  });
  const closed = new AbortController();
  lines.once("close", () => closed.abort());
  const title = question.kind === "approval" ? approvalText(question).title : question.text;
  using _ = calls ? callUser((data) => void questionStream().write(data), title) : undefined;
  try {
    const stop = AbortSignal.any([signal, interrupted.signal]);
    const read = (prompt: string): Promise<string> => lines.question(prompt, { signal: stop });
    switch (question.kind) {
      case "approval":
        return await askApproval(question, io, read, lines);
      case "choice":
        return await askChoice(question, io, read);
      case "text":
        return {
          kind: "text",
          text:
            question.secret === true
              ? await hiddenLine(lines, `${printable(question.text)} `, stop)
              : await read(`${printable(question.text)} `),
        };
    }
  } catch (error) {
    if (interrupted.signal.aborted) return { kind: "none", reason: "cancelled" };
    if (signal.aborted) {
      const expired = signal.reason === EXPIRED;
      io.note(
        `\n${expired ? "No answer in time" : "The question was withdrawn"}${question.kind === "approval" ? ": denied" : ""}.\n`,
      );
      return { kind: "none", reason: expired ? "timeout" : "cancelled" };
    }
    if (closed.signal.aborted)
      return question.kind === "approval" ? { kind: "refused" } : { kind: "none", reason: "cancelled" }; // Ctrl-D.
    throw error;
  } finally {
    lines.close();
  }
}

/**
 * Discards lines that were typed before the question appeared. Text without a line end stays, visible behind the
 * prompt.
 */
async function forgetTyped(): Promise<void> {
  const { stdin } = process;
  if (!stdin.isTTY) return;
  const forget = (): void => {};
  stdin.on("data", forget);
  await turned(); // Reading starts.
  await turned(); // The pending input has been read.
  stdin.off("data", forget);
  stdin.pause();
}

/**
 * The width of a label and its key. Lines wrap and are never cut: the user sees the whole text of what they approve.
 */
const INDENT = " ".repeat(8);

async function askApproval(
  question: Extract<Question, { kind: "approval" }>,
  io: Io,
  read: (prompt: string) => Promise<string>,
  lines: Interface,
): Promise<Answer> {
  const { title, parts, choices } = approvalText(question);
  const askedAt = performance.now();
  io.note(`\n${io.style(["bold", "yellow"], `⚠ ${title}`)}\n`);
  const wrapped = (text: string): string => wrap(text, Math.max(20, io.columns - INDENT.length)).join(`\n${INDENT}`);
  for (const { label, text } of parts)
    io.note(
      `  ${io.style("dim", label.padEnd(5))} ${label === "$" ? io.style("bold", wrapped(text)) : wrapped(text)}\n`,
    );
  for (const { key, scope, label } of choices)
    io.note(
      `  ${io.style("bold", `[${key}]`)}   ${wrapped(scope === "deny" ? `${label} (${key} WHY also tells the model why)` : label)}\n`,
    );
  const prompt = (): string =>
    `${choices.map(({ key }) => key).join("/")}, Enter denies, ${timeLeft(question.timeoutMs, performance.now() - askedAt)}: `;
  // On a terminal that can redraw lines, count down; the typed text stays.
  const counting = io.moving ? setInterval(() => (lines.setPrompt(prompt()), lines.prompt(true)), 1000) : undefined;
  const typed = (await read(prompt()).finally(() => clearInterval(counting))).trim();
  const word = typed.toLowerCase();
  const chosen = choices.find(({ key, scope }) => word !== "" && (word === key || word === scope));
  if (chosen === undefined || chosen.scope === "deny")
    return { kind: "refused", reason: /^(?:d|deny)[\s:,]+(.*)$/is.exec(typed)?.[1] };
  return { kind: "approved", scope: chosen.scope };
}

async function askChoice(
  question: Extract<Question, { kind: "choice" }>,
  io: Io,
  read: (prompt: string) => Promise<string>,
): Promise<Answer> {
  io.note(
    `\n${io.style("bold", `? ${printable(question.text)}`)}\n${question.choices.map((choice, index) => `  ${index + 1}. ${printable(choice)}\n`).join("")}`,
  );
  for (;;) {
    const typed = (await read(question.other ? "Number, or your own answer: " : "Number: ")).trim();
    const picked = question.choices[Number(typed) - 1];
    if (picked !== undefined) return { kind: "text", text: picked };
    if (question.other && typed !== "") return { kind: "text", text: typed };
  }
}
