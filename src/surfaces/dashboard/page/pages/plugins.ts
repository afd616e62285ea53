import { ask } from "../ask.ts";
import { element, fill } from "../element.ts";
import { operate } from "../operation.ts";
import { carryOut, doing, nothing, type Page } from "../parts-of-page.ts";
import { confirmed } from "../question.ts";
import { say } from "../text.ts";

interface Plugin {
  readonly key: string;
  readonly label: string;
  readonly version: string;
  readonly description: string;
  readonly author?: string;
  readonly source: string;
  readonly state: "enabled" | "disabled" | "not enabled" | "failed" | "shadowed";
  readonly reason?: string;
  readonly from?: string;
  readonly unset: readonly string[];
  readonly registered: { readonly [kind: string]: readonly string[] };
  readonly counts: string;
}

/** One plugin with the user's decisions. */
interface Info {
  readonly dir: string;
  readonly lacking: readonly string[];
  readonly grants?: {
    readonly read?: readonly string[];
    readonly write?: readonly string[];
    readonly hosts?: readonly string[];
  };
  readonly calls?: {
    readonly allowed: readonly string[];
    readonly never: readonly string[];
    readonly asks: readonly string[];
    readonly others: boolean;
  };
}

/** Shared by the parts of the page. */
interface Here {
  readonly notes: HTMLElement;
  readonly signal: AbortSignal;
  /** Draws the page again, with the tabs of plugins. */
  reload(): Promise<void>;
}

/** All plugins: install, enable, disable, permissions. */
export const pluginsPage: Page = async ({ main, signal, partsChanged }) => {
  const [notes, rows] = [element("div"), element("div")];
  const filter = element("input", {
    type: "search",
    placeholder: say("Find a plugin"),
    "aria-label": say("Find a plugin"),
    oninput: () => draw(),
  });
  let plugins = await ask<readonly Plugin[]>("GET", "/api/plugins", undefined, signal);
  const from = element("input", {
    "aria-label": say("Install from"),
    placeholder: "owner/repo, npm:NAME, pypi:NAME",
    class: "wide",
    required: true,
    spellcheck: "false",
  });
  fill(
    main,
    element("div", { class: "row" }, filter),
    element(
      "details",
      { class: "card" },
      element("summary", {}, say("Install a plugin")),
      element(
        "p",
        { class: "quiet small" },
        say(
          "A repository, a Git address, a folder or archive on this machine, or a package. Hermes shows what it requests and asks before it installs anything.",
        ),
      ),
      element(
        "form",
        { class: "row", onsubmit: (event) => (event.preventDefault(), void install(from)) },
        from,
        element("button", { class: "main" }, say("Install")),
      ),
    ),
    notes,
    rows,
  );
  draw();

  function draw(): void {
    const asked = filter.value.trim().toLowerCase();
    // Show the user's own plugins first.
    const shown = plugins
      .filter(({ key, label, description }) => `${key} ${label} ${description}`.toLowerCase().includes(asked))
      .toSorted((one, other) => Number(one.source === "bundled") - Number(other.source === "bundled"));
    fill(
      rows,
      shown.length === 0
        ? nothing(say("Nothing found."))
        : shown.map((plugin) => row({ notes, signal, reload }, plugin)),
    );
  }

  async function reload(): Promise<void> {
    plugins = await ask<readonly Plugin[]>("GET", "/api/plugins", undefined, signal);
    draw();
    await partsChanged();
  }

  async function install(from: HTMLInputElement): Promise<void> {
    await carryOut(undefined, notes, async () => {
      await operate(notes, "/api/plugins/install", { from: from.value }, signal);
      await reload();
    });
  }
};

/** Requested permissions, tools that it calls, and the decisions of the user. */
async function showGrants(signal: AbortSignal, key: string, place: HTMLElement): Promise<void> {
  const path = `/api/plugins/${encodeURIComponent(key)}`;
  const { grants, calls, lacking } = await ask<Info>("GET", path, undefined, signal);
  const line = (what: string, names: readonly string[] = []): HTMLElement | false =>
    names.length > 0 && element("li", {}, `${what}: `, element("span", { class: "mono" }, names.join(", ")));
  const decide = (tool: string, decision: "allow" | "never" | "ask", text: string): HTMLElement =>
    doing(
      text,
      place,
      async () => {
        await ask("POST", `${path}/tools`, { tools: [tool], decision });
        await showGrants(signal, key, place);
      },
      "",
      `${text}: ${tool}`,
    );
  const tool = (name: string, state: string, ...buttons: readonly HTMLElement[]): HTMLElement =>
    element("li", {}, element("span", { class: "mono" }, name), ` ${state} `, buttons);
  const asks = say("asks first");
  fill(
    place,
    element(
      "ul",
      { class: "small" },
      line(say("reads"), grants?.read),
      line(say("changes"), grants?.write),
      line(say("connects to"), grants?.hosts),
      line(say("packages that are not installed"), lacking),
      calls?.allowed.map((name) => tool(name, say("may be called"), decide(name, "ask", say("Revoke")))),
      calls?.asks.map((name) =>
        tool(name, asks, decide(name, "allow", say("Allow")), decide(name, "never", say("Never"))),
      ),
      calls?.never.map((name) => tool(name, say("may never be called"), decide(name, "allow", say("Allow")))),
      calls?.others === true && element("li", {}, say("asks before it calls any other tool")),
      calls === undefined &&
        element("li", {}, say("It is yours or ships with Hermes: no grant limits the tools that it calls.")),
    ),
  );
}

function row(here: Here, plugin: Plugin): HTMLElement {
  const { notes, signal, reload } = here;
  const { key, label, version, description, author, source, state, reason, from, registered, counts } = plugin;
  const kind = state === "enabled" ? "good" : state === "failed" ? "bad" : "quiet";
  const named = Object.entries(registered).filter(([, names]) => names.length > 0);
  return element(
    "div",
    { class: "card" },
    element(
      "div",
      { class: "head" },
      element("b", {}, label),
      element(
        "span",
        { class: "quiet small" },
        [label === key ? "" : key, version, source].filter((text) => text !== "").join(" · "),
      ),
      element("span", { class: `tag ${kind}` }, say(state)),
      state === "enabled"
        ? doing(
            say("Disable"),
            notes,
            async () => {
              await ask("POST", `/api/plugins/${encodeURIComponent(key)}/disable`, {});
              await reload();
            },
            "",
            `${say("Disable")} ${label}`,
          )
        : doing(
            say("Enable"),
            notes,
            async () => {
              await operate(notes, `/api/plugins/${encodeURIComponent(key)}/enable`, {}, signal);
              await reload();
            },
            "main",
            `${say("Enable")} ${label}`,
          ),
    ),
    element("p", {}, description),
    reason !== undefined &&
      state !== "enabled" &&
      element("p", { class: `small ${state === "failed" ? "bad" : "quiet"}` }, reason),
    element("p", { class: "quiet small" }, [author, from].filter((text) => text !== undefined).join(" · ")),
    source !== "bundled" && source !== "project" && grantsOf(here, plugin),
    named.length > 0 &&
      element(
        "details",
        { class: "small" },
        element("summary", {}, counts),
        named.map(([what, names]) =>
          element(
            "div",
            {},
            element("span", { class: "quiet" }, `${what}: `),
            element("span", { class: "mono" }, names.join(", ")),
          ),
        ),
      ),
  );
}

function grantsOf({ notes, signal, reload }: Here, { key, label, from }: Plugin): HTMLElement {
  const place = element("div");
  const box: HTMLDetailsElement = element(
    "details",
    {
      class: "small",
      ontoggle: () => void (box.open && carryOut(undefined, place, () => showGrants(signal, key, place))),
    },
    element("summary", {}, say("Permissions")),
    place,
  );
  return element(
    "div",
    {},
    box,
    from !== undefined &&
      doing(say("Delete"), notes, () => remove({ notes, signal, reload }, key), "danger", `${say("Delete")} ${label}`),
  );
}

async function remove({ signal, reload }: Here, key: string): Promise<void> {
  const { dir } = await ask<Info>("GET", `/api/plugins/${encodeURIComponent(key)}`, undefined, signal);
  if (!(await confirmed(say("Delete {}?", dir), { danger: true, signal }))) return;
  await ask("DELETE", `/api/plugins/${encodeURIComponent(key)}`);
  await reload();
}
