import type { Json, JsonObject } from "hermes-agent/plugin";
import { objectOf } from "hermes-agent/plugin";

/**
 * Summarizes the groups of a test: one JSON line each, in which `scores` above 0 are correct answers. Skips invalid
 * lines.
 */
export function scoresOf(text: string): JsonObject & { readonly steps_tested: number; readonly accuracy: number } {
  const steps = text.split("\n").flatMap((line) => {
    try {
      const { scores } = objectOf(JSON.parse(line) as Json);
      return line.trim() === ""
        ? []
        : [(Array.isArray(scores) ? (scores as readonly Json[]) : []).filter((score) => typeof score === "number")];
    } catch {
      return [];
    }
  });
  const message = steps.map((scores, at) => ({
    step: at + 1,
    completions: scores.length,
    correct: scores.filter((score) => score > 0).length,
    scores,
  }));
  const sum = (key: "completions" | "correct"): number => message.reduce((all, one) => all + one[key], 0);
  const withCorrect = message.filter(({ correct }) => correct > 0).length;
  return {
    steps: message,
    steps_tested: message.length,
    total_completions: sum("completions"),
    correct_completions: sum("correct"),
    accuracy: share(sum("correct"), sum("completions")),
    steps_with_correct: withCorrect,
    step_success_rate: share(withCorrect, message.length),
  };
}

/** Rounds to three digits. */
export function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 1_000) / 1_000;
}
