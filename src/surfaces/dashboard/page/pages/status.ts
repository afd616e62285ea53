import type { Check } from "../../../../contract/common/check.ts";
import type { Notice } from "../../../../contract/common/notice.ts";
import type { ListedSession } from "../../live/listed-session.ts";
import { ask } from "../ask.ts";
import { element, fill } from "../element.ts";
import { subscribe } from "../live.ts";
import { doing, figure, nothing, noticeBox, type Page } from "../parts-of-page.ts";
import { say } from "../text.ts";
import { sessionCard } from "./sessions.ts";

interface Status {
  readonly version: string;
  readonly home: string;
  readonly profile: string;
  readonly model: {
    readonly name: string;
    readonly provider: string;
    readonly offline: boolean;
    readonly notice?: string;
  };
  readonly gateway: {
    readonly running: boolean;
    readonly pid?: number;
    readonly platforms: readonly {
      readonly label: string;
      readonly state: string;
      readonly configured: boolean;
      readonly lacks: readonly string[];
    }[];
  };
  readonly jobs: { readonly runner?: string; readonly text: string };
  readonly sessions: readonly ListedSession[];
  readonly notices: readonly Notice[];
}

/** How many sessions the overview lists. */
const LATEST = 8;

/** Overview: model, gateway, jobs, recent sessions and checks. */
export const statusPage: Page = async ({ main, signal }) => {
  let status = await ask<Status>("GET", "/api/status", undefined, signal);
  const [overview, latest, checks] = [element("div"), element("div"), element("div")];
  const draw = (): void => {
    fill(overview, ...overviewOf(status));
    fill(
      latest,
      status.sessions.length === 0
        ? nothing(say("No sessions yet."))
        : status.sessions.map((session) => sessionCard(session)),
    );
  };
  draw();
  subscribe({
    topics: ["status", "sessions"],
    signal,
    onReset: () => void reload(),
    on: (event, data) => {
      if (event === "removed") return void reload();
      if (event === "status") status = { ...status, ...(data as Omit<Status, "sessions">) };
      else if (event === "session") status = { ...status, sessions: withNewest(status.sessions, data) };
      draw();
    },
  });
  fill(
    main,
    overview,
    element("h2", {}, say("Latest sessions")),
    latest,
    element("h2", {}, say("Installation")),
    element(
      "div",
      { class: "row" },
      doing(say("Run checks"), checks, async () => {
        const found = await ask<readonly Check[]>("GET", "/api/doctor", undefined, signal);
        fill(
          checks,
          found.map(({ name, ok, detail, hint }) =>
            element(
              "div",
              { class: "card" },
              element(
                "div",
                { class: "head" },
                element("span", { class: ok ? "good" : "bad" }, ok ? "✓" : "✗"),
                element("b", {}, name),
                element("span", { class: "small" }, detail),
              ),
              hint !== undefined && element("p", { class: "quiet small" }, hint),
            ),
          ),
        );
      }),
    ),
    checks,
  );

  async function reload(): Promise<void> {
    status = await ask<Status>("GET", "/api/status", undefined, signal);
    draw();
  }
};

/** As many as before, newest first. */
function withNewest(sessions: readonly ListedSession[], changed: ListedSession): readonly ListedSession[] {
  if (changed.surface === "subagent") return sessions;
  return [changed, ...sessions.filter(({ id }) => id !== changed.id)]
    .toSorted((one, other) => other.lastAt - one.lastAt)
    .slice(0, LATEST);
}

function overviewOf({ notices, model, gateway, jobs, version, profile, home }: Status): readonly HTMLElement[] {
  const served = gateway.platforms.filter(({ state }) => state === "connected").map(({ label }) => label);
  return [
    ...notices.map(({ level, text, hint }) =>
      noticeBox(level === "error" ? "bad" : level === "warning" ? "warn" : "good", text, hint),
    ),
    ...(model.notice === undefined ? [] : [noticeBox("warn", model.notice)]),
    element(
      "div",
      { class: "cards" },
      figure(say("Model"), model.offline ? say("none") : model.name, model.offline ? "" : model.provider),
      figure(
        say("Chats"),
        gateway.running ? say("gateway running") : say("gateway not running"),
        gateway.running ? served.join(", ") || say("no platform connected") : "hermes gateway",
      ),
      figure(
        say("Jobs"),
        jobs.runner === undefined ? say("no scheduler running") : say("scheduler running"),
        jobs.text.split("\n")[0] ?? "",
      ),
      figure("Hermes", version, `${profile} · ${home}`),
    ),
  ];
}
