import assert from "node:assert/strict";
import { test } from "node:test";
import { scoresOf } from "./inference-scores.ts";

test("counts scores above 0 as correct, and ignores lines that are not JSON", () => {
  assert.deepEqual(scoresOf('{"scores": [1, 0, 0.5]}\n\n{"scores": [0, -1]}\nbroken\n{"tokens": []}\n'), {
    steps: [
      { step: 1, completions: 3, correct: 2, scores: [1, 0, 0.5] },
      { step: 2, completions: 2, correct: 0, scores: [0, -1] },
      { step: 3, completions: 0, correct: 0, scores: [] },
    ],
    steps_tested: 3,
    total_completions: 5,
    correct_completions: 2,
    accuracy: 0.4,
    steps_with_correct: 1,
    step_success_rate: 0.333,
  });
  assert.deepEqual(scoresOf(""), {
    steps: [],
    steps_tested: 0,
    total_completions: 0,
    correct_completions: 0,
    accuracy: 0,
    steps_with_correct: 0,
    step_success_rate: 0,
  });
});
