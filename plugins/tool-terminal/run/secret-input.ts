import type { Risk } from "hermes-agent/plugin";

/**
 * Typing a stored secret into a running shell, which could do anything with it: the user allowed the tool to use it and
 * is asked for each such line. A program that waits for a password is the intended use and does not ask.
 */
export function secretInputRisk(judged: Risk | undefined, data: string, command: string): Risk | undefined {
  if (!data.includes("secret://")) return judged;
  const reason = `Types a stored secret into the running shell ${command}.`;
  if (judged === undefined)
    return { answer: "ask", key: "stored secret typed into a shell", reasons: [reason], effects: [], fresh: true };
  const { rule: _, ...risk } = judged;
  return { ...risk, reasons: [reason, ...judged.reasons], fresh: true };
}
