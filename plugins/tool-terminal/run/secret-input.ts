import type { Risk } from "hermes-agent/plugin";

/**
 * A stored secret is typed into a running shell, which would do anything with it: the person let the tool have it, and is asked for each such
 * line. A program that waits for a password is what they let it for.
 */
export function secretInputRisk(judged: Risk | undefined, data: string, command: string): Risk | undefined {
  if (!data.includes("secret://")) return judged;
  const reason = `Types a stored secret into the running shell ${command}.`;
  if (judged === undefined)
    return { answer: "ask", key: "stored secret typed into a shell", reasons: [reason], effects: [], fresh: true };
  const { rule: _, ...risk } = judged;
  return { ...risk, reasons: [reason, ...judged.reasons], fresh: true };
}
