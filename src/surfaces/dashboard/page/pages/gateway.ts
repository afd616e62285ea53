import { ask } from "../ask.ts";
import { element, fill } from "../element.ts";
import { doing, nothing, noticeBox, when, type Page } from "../parts-of-page.ts";
import { confirmed } from "../question.ts";
import { loadServerTexts, sayServer } from "../server-text.ts";
import { say } from "../text.ts";

interface UserOfPlatform {
  readonly platform: string;
  readonly userId: string;
  readonly userName: string;
  readonly at: number;
}

interface PlatformStatus {
  readonly name: string;
  readonly label: string;
  readonly emoji: string;
  readonly state: string;
  readonly lacks: readonly string[];
  readonly help?: string;
  readonly home_channel?: string;
}

interface PendingDelivery {
  readonly id: number;
  readonly at: number;
  readonly to: { readonly platform: string; readonly chatId: string; readonly threadId?: string };
  readonly text: string;
  readonly files: number;
  readonly state: "waiting" | "sending" | "sent" | "failed" | "unknown";
  readonly why?: string;
}

interface Gateway {
  readonly running: boolean;
  readonly pid?: number;
  readonly platforms: readonly PlatformStatus[];
  readonly unusable: readonly { readonly what: string; readonly lack: string; readonly hint: string }[];
  readonly config?: string;
  readonly pairing: {
    readonly pending: readonly (UserOfPlatform & { readonly id: string })[];
    readonly approved: readonly UserOfPlatform[];
  };
  readonly deliveries: readonly PendingDelivery[];
}

const STATES: { readonly [state: string]: string } = {
  ready: "ready",
  connected: "connected",
  connecting: "connecting",
  retrying: "reconnecting",
  lacking: "partly set up",
  off: "switched off",
  new: "not set up",
};
const DELIVERY: { readonly [State in PendingDelivery["state"]]: string } = {
  waiting: "waiting",
  sending: "being sent",
  sent: "sent",
  failed: "failed",
  unknown: "delivery unknown",
};
/** How often the page looks for new requests and messages while it is visible. */
const LOOK_MS = 5_000;

/** Shared by the parts of the page. */
interface Here {
  readonly notes: HTMLElement;
  readonly signal: AbortSignal;
  load(): Promise<void>;
}

/** Chats: platforms and what each lacks, pairing requests, messages that are not sent. */
export const gatewayPage: Page = async ({ main, signal }) => {
  const [notes, content] = [element("div"), element("div")];
  let drawn = "";
  await loadServerTexts();
  fill(main, notes, content);
  await load();
  const timer = setInterval(() => {
    // A list that is redrawn under the pointer loses the focus: only when something changed.
    if (!document.hidden) load().catch(() => {});
  }, LOOK_MS);
  signal.addEventListener("abort", () => clearInterval(timer));

  async function load(): Promise<void> {
    const gateway = await ask<Gateway>("GET", "/api/gateway", undefined, signal);
    const now = JSON.stringify(gateway);
    if (now === drawn) return;
    drawn = now;
    fill(content, partsOf({ notes, signal, load }, gateway));
  }
};

function partsOf(
  here: Here,
  { running, pid, platforms, unusable, config, pairing, deliveries }: Gateway,
): readonly HTMLElement[] {
  const used = platforms.filter(({ state }) => state !== "new");
  const others = platforms.filter(({ state }) => state === "new");
  return [
    noticeBox(
      running ? "good" : "warn",
      running ? say("The gateway is running.") : say("The gateway is not running."),
      running ? say("Process {}", pid ?? "?") : say("Start it with: hermes gateway"),
    ),
    ...(config === undefined ? [] : [noticeBox("bad", config)]),
    element("h2", {}, say("Pairing requests")),
    ...(pairing.pending.length === 0
      ? [nothing(say("No pending requests."))]
      : pairing.pending.map((one) => requestCard(here, one))),
    element("h2", {}, say("Platforms")),
    ...(used.length === 0 ? [nothing(say("No platform is set up."))] : used.map(platformCard)),
    ...(others.length === 0
      ? []
      : [
          element(
            "details",
            { class: "card" },
            element("summary", {}, say("{} platforms that are not set up", others.length)),
            others.map(platformCard),
          ),
        ]),
    ...unusable.map(({ what, lack, hint }) => noticeBox("warn", `${what}: ${sayServer(lack)}`, sayServer(hint))),
    element("h2", {}, say("Messages that are not sent")),
    ...(deliveries.length === 0
      ? [nothing(say("Everything is sent."))]
      : deliveries.map((one) => deliveryCard(here, one))),
    element("h2", {}, say("Users with access by a code")),
    ...(pairing.approved.length === 0 ? [nothing(say("None."))] : pairing.approved.map((one) => accessCard(here, one))),
  ];
}

function requestCard(
  { notes, load }: Here,
  { platform, id, userId, userName, at }: Gateway["pairing"]["pending"][number],
): HTMLElement {
  return element(
    "div",
    { class: "card" },
    element(
      "div",
      { class: "head" },
      element("b", {}, userName === "" ? userId : userName),
      element(
        "span",
        { class: "quiet small" },
        [platform, userName === "" ? "" : userId, when(at)].filter(Boolean).join(" · "),
      ),
      doing(
        say("Approve"),
        notes,
        async () => {
          await ask("POST", `/api/gateway/pairings/${encodeURIComponent(platform)}/${encodeURIComponent(id)}`, {});
          await load();
          fill(notes, noticeBox("good", say("{} now has access to the agent on {}.", userName || userId, platform)));
        },
        "main",
        `${say("Approve")} ${userName || userId}`,
      ),
    ),
  );
}

function accessCard({ notes, signal, load }: Here, { platform, userId, userName, at }: UserOfPlatform): HTMLElement {
  return element(
    "div",
    { class: "card" },
    element(
      "div",
      { class: "head" },
      element("b", {}, userName === "" ? userId : userName),
      element("span", { class: "quiet small" }, `${platform} · ${userId} · ${when(at)}`),
      doing(
        say("Revoke access"),
        notes,
        async () => {
          if (
            !(await confirmed(say("Revoke the access of {} on {}?", userName || userId, platform), {
              danger: true,
              signal,
            }))
          )
            return;
          await ask("DELETE", `/api/gateway/access/${encodeURIComponent(platform)}/${encodeURIComponent(userId)}`);
          await load();
        },
        "danger",
        `${say("Revoke access")} ${userName || userId}`,
      ),
    ),
  );
}

function deliveryCard({ notes, load }: Here, { id, at, to, text, files, state, why }: PendingDelivery): HTMLElement {
  return element(
    "div",
    { class: "card" },
    element(
      "div",
      { class: "head" },
      element(
        "span",
        { class: `tag ${state === "failed" ? "bad" : state === "unknown" ? "warn" : "quiet"}` },
        say(DELIVERY[state]),
      ),
      element("span", { class: "small" }, [to.platform, to.chatId, to.threadId].filter(Boolean).join(" · ")),
      element("span", { class: "quiet small" }, when(at)),
      element(
        "span",
        { class: "buttons" },
        (state === "failed" || state === "unknown") &&
          doing(
            say("Send again"),
            notes,
            async () => {
              await ask("POST", `/api/gateway/deliveries/${id}/retry`, {});
              await load();
              fill(notes, noticeBox("good", say("It waits to be sent again.")));
            },
            "",
            `${say("Send again")}: ${text.slice(0, 60)}`,
          ),
      ),
    ),
    why !== undefined && element("p", { class: "small bad" }, why),
    element("p", { class: "small plain" }, text.length > 400 ? `${text.slice(0, 400)}…` : text),
    files > 0 && element("p", { class: "quiet small" }, say("{} files", files)),
  );
}

function platformCard({ name, label, emoji, state, lacks, help, home_channel: home }: PlatformStatus): HTMLElement {
  const kind = state === "connected" || state === "ready" ? "good" : state === "lacking" ? "bad" : "quiet";
  return element(
    "div",
    { class: "card" },
    element(
      "div",
      { class: "head" },
      emoji !== "" && element("span", { "aria-hidden": "true" }, emoji),
      element("b", {}, label),
      element("span", { class: "quiet small mono" }, name),
      element("span", { class: `tag ${kind}` }, say(STATES[state] ?? state)),
    ),
    lacks.map((lack) => element("p", { class: "small" }, sayServer(lack))),
    help !== undefined && element("p", { class: "quiet small" }, sayServer(help)),
    home !== undefined && element("p", { class: "quiet small" }, say("Home channel: {}", home)),
  );
}
