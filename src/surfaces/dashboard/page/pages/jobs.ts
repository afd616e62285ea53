import type { Job, JobRun } from "../../../../contract/services/job.ts";
import { ask } from "../ask.ts";
import { element, fill } from "../element.ts";
import { subscribe } from "../live.ts";
import { carryOut, doing, nothing, when, type Page } from "../parts-of-page.ts";
import { confirmed } from "../question.ts";
import { say } from "../text.ts";

type ShownJob = Job & { readonly stateText: string; readonly repeatText: string };

interface Jobs {
  readonly jobs: readonly ShownJob[];
  readonly runs: readonly JobRun[];
  readonly runner: string;
}

/** Scheduled jobs and their runs. */
export const jobsPage: Page = async ({ main, signal }) => {
  const [notes, rows] = [element("div"), element("div")];
  const schedule = element("input", {
    class: "wide",
    placeholder: say("every day at 9am"),
    "aria-label": say("When"),
    required: true,
  });
  const name = element("input", { class: "wide", placeholder: say("Name (optional)"), "aria-label": say("Name") });
  const deliver = element("input", {
    class: "wide",
    placeholder: "local",
    "aria-label": say("Where to send the result"),
  });
  const prompt = element("textarea", {
    placeholder: say("Task for the agent"),
    "aria-label": say("Task for the agent"),
    required: true,
  });
  const form = element(
    "form",
    {
      onsubmit: (event) => {
        event.preventDefault();
        return carryOut(undefined, notes, async () => {
          await ask("POST", "/api/jobs", {
            schedule: schedule.value,
            prompt: prompt.value,
            ...(name.value === "" ? {} : { name: name.value }),
            ...(deliver.value === "" ? {} : { deliver: deliver.value }),
          });
          form.reset();
          await draw();
        });
      },
    },
    element("div", { class: "row" }, schedule, name, deliver),
    prompt,
    element("p", {}, element("button", { class: "main" }, say("Create"))),
  );
  await draw();
  fill(main, notes, rows, element("h2", {}, say("A new job")), form);

  subscribe({
    topics: ["jobs"],
    signal,
    onReset: () => void draw(),
    on: (event, data) => event === "jobs" && show(data),
  });

  async function draw(): Promise<void> {
    show(await ask<Jobs>("GET", "/api/jobs", undefined, signal));
  }

  function show({ jobs, runs, runner }: Jobs): void {
    fill(
      rows,
      element("p", { class: "quiet small plain" }, runner),
      jobs.length === 0 ? nothing(say("No jobs yet.")) : jobs.map(row),
      runs.length > 0 && element("h2", {}, say("Recent runs")),
      runs.map(runCard),
    );
  }

  function row(job: ShownJob): HTMLElement {
    const path = `/api/jobs/${encodeURIComponent(job.id)}`;
    const act = (text: string, verb: string): HTMLElement =>
      doing(text, notes, async () => (await ask("POST", `${path}/${verb}`), draw()));
    return element(
      "div",
      { class: "card" },
      element(
        "div",
        { class: "head" },
        element("b", {}, job.name),
        element("span", { class: "quiet small" }, `${job.schedule_display} · ${job.repeatText} · → ${job.deliver}`),
        element(
          "span",
          { class: `tag ${job.enabled ? "good" : job.state === "error" ? "bad" : "quiet"}` },
          say(job.stateText),
        ),
      ),
      element("p", { class: "plain small" }, job.prompt),
      element(
        "p",
        { class: "quiet small" },
        say("next: {} · last: {}", job.enabled ? when(job.next_run_at) : "—", when(job.last_run_at)),
      ),
      job.last_error !== null && element("p", { class: "small bad" }, job.last_error),
      element(
        "div",
        { class: "row" },
        act(say("Run now"), "trigger"),
        job.enabled ? act(say("Pause"), "pause") : act(say("Resume"), "resume"),
        doing(
          say("Remove"),
          notes,
          async () => {
            if (!(await confirmed(say("Remove {}?", job.name), { danger: true, signal }))) return;
            await ask("DELETE", path);
            await draw();
          },
          "danger",
        ),
      ),
    );
  }
};

function runCard({ name, state, startedAt, error, sessionId, silent }: JobRun): HTMLElement {
  return element(
    "div",
    { class: "card" },
    element(
      "div",
      { class: "head" },
      element("b", {}, name),
      element(
        "span",
        { class: state === "completed" ? "good small" : state === "running" ? "small" : "bad small" },
        say(state),
        silent === true && ` · ${say("no message")}`,
      ),
      element("span", { class: "quiet small" }, when(startedAt)),
    ),
    error !== undefined && element("p", { class: "small bad" }, error),
    sessionId !== undefined &&
      element(
        "p",
        { class: "small" },
        element("a", { href: `#/sessions/${encodeURIComponent(sessionId)}` }, say("session")),
      ),
  );
}
