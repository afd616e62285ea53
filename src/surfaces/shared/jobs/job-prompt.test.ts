import assert from "node:assert/strict";
import { test } from "node:test";
import type { Job, JobRun } from "../../../contract/services/job.ts";
import { documentOf, failureMessage, isSilent, messageOf, promptOf, responseOf, staysAsleep } from "./job-prompt.ts";

const JOB = {
  id: "0123456789ab",
  name: "mail",
  prompt: "Check the mail.",
  schedule_display: "every 30m",
  script: "look.sh",
} as Job;
const RUN: JobRun = { id: 1, jobId: JOB.id, name: JOB.name, state: "running", dueAt: 0, startedAt: 60_000 };

test("suppresses an answer that is silent, or whose first or last line is", () => {
  for (const text of [
    "[SILENT]",
    " [silent] \n",
    "SILENT",
    "NO_REPLY",
    "no reply",
    "nothing new\n[SILENT]",
    "NO_REPLY\nbecause nothing happened",
    "[SILENT] nothing",
    "",
  ])
    assert.equal(isSilent(text), true, text);
  for (const text of [
    "the word [SILENT] in a line",
    "silent night",
    "first\n[SILENT]\nlast",
    "I have NO_REPLY from them",
  ])
    assert.equal(isSilent(text), false, text);
});

test("the last line of a script's output can skip the agent", () => {
  assert.deepEqual(
    ['a\n{"wakeAgent": false}\n', '{"wakeAgent": true}', '{"wakeAgent": false}\nmore', "{ no json", "plain"].map(
      staysAsleep,
    ),
    [true, false, false, false, false],
  );
});

test("marks the output of scripts and other jobs as untrusted, and puts the task last", () => {
  const parts = promptOf(
    { job: JOB, run: RUN, missed: true },
    {
      skills: ["# How"],
      missing: ["gone"],
      earlier: [{ job: "aa", text: "seen" }],
      script: { ok: true, output: "3 new" },
    },
  );
  assert.deepEqual(parts.slice(1), [
    { type: "text", text: "# How" },
    {
      type: "text",
      text: "## Output from job 'aa'\nseen",
      from: { trust: "foreign", owner: "cron", source: "the last run of job aa" },
    },
    {
      type: "text",
      text: "## Script Output\n3 new",
      from: { trust: "foreign", owner: "cron", source: "the script look.sh" },
    },
    { type: "text", text: "Check the mail." },
  ]);
  const [head] = parts;
  assert.match(
    head?.type === "text" ? head.text : "",
    /\[SILENT\].*It was due at 1970-01-01T00:00:00\.000Z but did not start; this run replaces it\..*\n.*gone\.$/s,
  );
  const failed = promptOf(
    { job: JOB, run: RUN, missed: false },
    { skills: [], missing: [], earlier: [], script: { ok: false, output: "half", error: "It ended with status 2." } },
  )[1];
  assert.equal(failed?.type === "text" && failed.text, "## Script Error\nIt ended with status 2.\nhalf");
});

test("extracts the response from a document, not the prompt", () => {
  const document = documentOf(JOB, RUN, { outcome: "done", sessionId: "s", response: "All quiet." });
  assert.match(document, /^# mail\n\n- Job: 0123456789ab\n- Schedule: every 30m\n[^]*## Prompt\n\nCheck the mail\.\n/);
  assert.equal(responseOf(document), "All quiet.");
  assert.equal(responseOf("what an older version wrote"), "what an older version wrote");
});

test("messages name their job, and a failure is one short line", () => {
  assert.match(
    messageOf(JOB, "Two letters.\n", true),
    /^⏰ mail\n\nTwo letters\.\n\n\(job 0123456789ab; to stop it: hermes cron pause 0123456789ab\)$/,
  );
  assert.equal(messageOf(JOB, "Two letters.\n", false), "Two letters.");
  assert.equal(failureMessage(JOB, "first\n\n second"), '⏰ Scheduled job "mail" failed: first · second');
  assert.equal(failureMessage(JOB, "x".repeat(1_000)).endsWith("…"), true);
});
