import { ask, takeToken } from "./ask.ts";
import { element, fill } from "./element.ts";
import { subscribe } from "./live.ts";
import { chooseLook, drawLooks, useLooks } from "./looks.ts";
import { approvalsPage } from "./pages/approvals.ts";
import { chatPage } from "./pages/chat.ts";
import { checkpointsPage } from "./pages/checkpoints.ts";
import { gatewayPage } from "./pages/gateway.ts";
import { jobsPage } from "./pages/jobs.ts";
import { keysPage } from "./pages/keys.ts";
import { logsPage } from "./pages/logs.ts";
import { mcpPage } from "./pages/mcp.ts";
import { memoryPage } from "./pages/memory.ts";
import { pluginPage, type PluginPart } from "./pages/plugin.ts";
import { pluginsPage } from "./pages/plugins.ts";
import { sessionsPage } from "./pages/sessions.ts";
import { settingsPage } from "./pages/settings.ts";
import { skillsPage } from "./pages/skills.ts";
import { statusPage } from "./pages/status.ts";
import { terminalPage } from "./pages/terminal.ts";
import { usagePage } from "./pages/usage.ts";
import { errorText, type Page } from "./parts-of-page.ts";
import { language, say } from "./text.ts";

interface Tab {
  readonly name: string;
  readonly label: string;
  readonly page: Page;
}

const OWN: readonly Tab[] = [
  { name: "status", label: "Status", page: statusPage },
  { name: "chat", label: "Chat", page: chatPage },
  { name: "approvals", label: "Approvals", page: approvalsPage },
  ...("terminal" in document.documentElement.dataset
    ? [{ name: "terminal", label: "Terminal", page: terminalPage }]
    : []),
  { name: "sessions", label: "Sessions", page: sessionsPage },
  { name: "usage", label: "Usage", page: usagePage },
  { name: "config", label: "Settings", page: settingsPage },
  { name: "keys", label: "Keys", page: keysPage },
  { name: "plugins", label: "Plugins", page: pluginsPage },
  { name: "skills", label: "Skills", page: skillsPage },
  { name: "mcp", label: "MCP servers", page: mcpPage },
  { name: "memory", label: "Memory", page: memoryPage },
  { name: "checkpoints", label: "Checkpoints", page: checkpointsPage },
  { name: "gateway", label: "Gateway", page: gatewayPage },
  { name: "cron", label: "Jobs", page: jobsPage },
  { name: "logs", label: "Logs", page: logsPage },
];

const [bar, main] = [document.querySelector<HTMLElement>("#bar")!, document.querySelector<HTMLElement>("#main")!];
let tabs = OWN;
let left = new AbortController();
/** Pending approvals of all surfaces. */
let pending = 0;

takeToken();
chooseLook();
document.documentElement.lang = language();
addEventListener("hashchange", () => void show());
await partsChanged();
await show();
subscribe({
  topics: ["pending"],
  signal: new AbortController().signal,
  on: (event, data) => {
    if (event !== "pending") return;
    pending = (data as readonly unknown[]).length;
    drawCount();
  },
  onReset: () => {}, // The value is sent again.
});

/** Adds plugin pages after the tab that they name (`after:sessions`), else at the end. */
async function partsChanged(): Promise<void> {
  const parts = await ask<readonly PluginPart[]>("GET", "/api/parts").catch((): readonly PluginPart[] => []);
  useLooks(parts.flatMap(({ key, theme }) => (theme === undefined ? [] : [{ key, ...theme }])));
  tabs = OWN;
  for (const part of parts) {
    if (part.page === undefined) continue;
    const tab: Tab = { name: `plugin-${encodeURIComponent(part.key)}`, label: part.label, page: pluginPage(part) };
    const before = tabs.findIndex(({ name }) => part.position === `after:${name}`);
    tabs = before < 0 ? [...tabs, tab] : tabs.toSpliced(before + 1, 0, tab);
  }
  drawBar();
}

function here(): { readonly tab: Tab; readonly words: readonly string[] } {
  const [name, ...words] = location.hash.replace(/^#\/?/, "").split("/");
  return { tab: tabs.find((tab) => tab.name === name) ?? OWN[0]!, words: words.map(decodeURIComponent) };
}

function drawBar(): void {
  const { tab } = here();
  fill(
    bar,
    element("div", { class: "name" }, element("img", { src: "/page/icon.svg", alt: "" }), "Hermes"),
    element(
      "nav",
      { "aria-label": say("Pages") },
      tabs.map(({ name, label }) =>
        element("a", { href: `#/${name}`, "aria-current": name === tab.name ? "page" : undefined }, say(label)),
      ),
    ),
    drawLooks(() => {
      document.documentElement.lang = language();
      drawBar();
      void show();
    }),
  );
  drawCount();
  bar.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
}

/** The number of pending approvals at their tab. */
function drawCount(): void {
  const tab = bar.querySelector<HTMLElement>('nav a[href="#/approvals"]');
  if (tab === null) return;
  fill(
    tab,
    say("Approvals"),
    pending > 0 &&
      element(
        "span",
        { class: "count" },
        element("span", { "aria-hidden": "true" }, pending),
        element("span", { class: "unseen" }, say("{} pending", pending)),
      ),
  );
}

async function show(): Promise<void> {
  left.abort();
  left = new AbortController();
  const { signal } = left;
  const { tab, words } = here();
  for (const link of bar.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === `#/${tab.name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${say(tab.label)} · Hermes`;
  const fresh = element("div", {}, element("p", { class: "quiet" }, "…"));
  fill(main, element("h1", { tabindex: -1 }, say(tab.label)), fresh);
  main.querySelector("h1")?.focus({ preventScroll: true });
  try {
    await tab.page({ main: fresh, words, signal, partsChanged });
  } catch (error) {
    if (!signal.aborted) fill(fresh, errorText(error));
  }
  document.body.dataset["ready"] = tab.name;
}
