import { ask } from "../ask.ts";
import { element, fill } from "../element.ts";
import { operate } from "../operation.ts";
import { carryOut, doing, nothing, noticeBox, type Page } from "../parts-of-page.ts";
import { confirmed } from "../question.ts";
import { sayServer } from "../server-text.ts";
import { say } from "../text.ts";

interface Server {
  readonly name: string;
  readonly state: "off" | "wrong" | "never connected" | "known";
  readonly place?: string;
  readonly reason?: string;
  /** The offered tools, of `of` tools. */
  readonly tools?: readonly string[];
  readonly of?: number;
}

interface Tested {
  readonly ok: boolean;
  readonly error?: string;
  readonly ms?: number;
  readonly tools?: readonly { readonly name: string; readonly description: string }[];
  readonly leftOut?: readonly string[];
  /** Changes since the user accepted the server. */
  readonly changed?: object;
}

/** Shared by the parts of the page. */
interface Here {
  readonly notes: HTMLElement;
  readonly signal: AbortSignal;
  load(): Promise<void>;
}

/** MCP servers: list, add, switch, test, choose tools, remove. */
export const mcpPage: Page = async ({ main, signal }) => {
  const [notes, rows] = [element("div"), element("div")];
  const here: Here = { notes, signal, load };
  fill(main, adding(here), notes, rows);
  await load();

  async function load(): Promise<void> {
    const { servers } = await ask<{ readonly servers: readonly Server[] }>("GET", "/api/mcp", undefined, signal);
    fill(
      rows,
      servers.length === 0 ? nothing(say("No MCP server is configured.")) : servers.map((server) => row(here, server)),
    );
  }
};

function linesOf({ value }: HTMLTextAreaElement): readonly string[] {
  return value.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
}

function adding({ notes, signal, load }: Here): HTMLElement {
  const field = (label: string, placeholder: string): HTMLInputElement =>
    element("input", { "aria-label": label, placeholder, class: "wide", spellcheck: "false", autocomplete: "off" });
  const lines = (label: string, placeholder: string): HTMLTextAreaElement =>
    element("textarea", { "aria-label": label, placeholder, spellcheck: "false", rows: 2 });
  const name = field(say("Name"), "github");
  name.required = true;
  const [command, url] = [field(say("Program"), "npx"), field(say("Address"), "https://example.com/mcp")];
  const args = lines(say("Arguments, one a line"), "-y\n@modelcontextprotocol/server-github");
  const env = lines(say("Environment variables, one a line"), "GITHUB_TOKEN=${GITHUB_TOKEN}");
  const headers = lines(say("Headers, one a line"), "Authorization=Bearer ${TOKEN}");
  const oauth = element("input", { type: "checkbox" });
  const unchecked = element("input", { type: "checkbox" });
  const labelled = (control: HTMLElement): HTMLElement =>
    element("label", { class: "field" }, control.getAttribute("aria-label"), control);
  return element(
    "details",
    { class: "card" },
    element("summary", {}, say("Add a server")),
    element(
      "p",
      { class: "quiet small" },
      say("Either a program on this machine or an address. {} takes a value from the page Keys.", "${NAME}"),
    ),
    element(
      "form",
      {
        class: "fields",
        onsubmit: (event) => {
          event.preventDefault();
          void carryOut(undefined, notes, async () => {
            const body = {
              name: name.value,
              command: command.value,
              url: url.value,
              args: linesOf(args),
              env: linesOf(env),
              headers: linesOf(headers),
              oauth: oauth.checked,
              unchecked: unchecked.checked,
            };
            if (await operate(notes, "/api/mcp", body, signal)) (event.target as HTMLFormElement).reset();
            await load();
          });
        },
      },
      [name, command, args, env, url, headers].map(labelled),
      element("label", {}, oauth, " ", say("The address needs a sign-in (OAuth)")),
      element("label", {}, unchecked, " ", say("Add it without connecting")),
      element("button", { class: "main" }, say("Add")),
    ),
  );
}

function row(here: Here, { name, state, place, reason, tools = [], of = 0 }: Server): HTMLElement {
  const more = element("div");
  const button = (text: string, work: () => Promise<unknown>, kind = ""): HTMLButtonElement =>
    doing(text, more, work, kind, `${text} ${name}`);
  const path = `/api/mcp/${encodeURIComponent(name)}`;
  return element(
    "div",
    { class: "card" },
    element(
      "div",
      { class: "head" },
      element("b", {}, name),
      place !== undefined && element("span", { class: "quiet small mono" }, place),
      element(
        "span",
        { class: `tag ${state === "known" ? "good" : state === "wrong" ? "bad" : "quiet"}` },
        stateText(),
      ),
      element(
        "span",
        { class: "buttons" },
        state !== "off" && state !== "wrong" && button(say("Test connection"), () => test(here, path, more)),
        state !== "off" && state !== "wrong" && button(say("Tools"), () => choose(here, path, more)),
        state !== "wrong" &&
          button(state === "off" ? say("Switch on") : say("Switch off"), async () => {
            await ask("POST", `${path}/switch`, { on: state === "off" });
            await here.load();
          }),
        button(
          say("Remove"),
          async () => {
            if (!(await confirmed(say("Remove {}?", name), { danger: true, signal: here.signal }))) return;
            await ask("DELETE", path);
            await here.load();
          },
          "danger",
        ),
      ),
    ),
    reason !== undefined && element("p", { class: "small bad" }, reason),
    tools.length > 0 && element("p", { class: "quiet small mono" }, tools.join(", ")),
    more,
  );

  function stateText(): string {
    if (state === "off") return say("off");
    if (state === "wrong") return say("wrong settings");
    if (state === "never connected") return say("never connected");
    return tools.length === of ? say("{} tools", of) : say("{} of {} tools", tools.length, of);
  }
}

async function test({ signal, load }: Here, path: string, place: HTMLElement): Promise<void> {
  fill(place, nothing(say("Connecting …")));
  const {
    ok,
    error = "",
    ms = 0,
    tools = [],
    leftOut = [],
    changed,
  } = await ask<Tested>("POST", `${path}/test`, {}, signal);
  if (!ok) return fill(place, noticeBox("bad", sayServer(error)));
  fill(
    place,
    noticeBox("good", say("Connected in {} ms.", ms)),
    changed !== undefined &&
      element(
        "div",
        { class: "notice warn" },
        say("The server changed its tools since you accepted them."),
        element(
          "div",
          { class: "row" },
          doing(say("Show the changes"), place, () => operate(place, `${path}/accept`, { yes: false }, signal)),
          doing(say("Accept the changes"), place, async () => {
            if (await operate(place, `${path}/accept`, { yes: true }, signal)) await load();
          }),
        ),
      ),
    element(
      "ul",
      { class: "small" },
      tools.map(({ name, description }) =>
        element("li", {}, element("span", { class: "mono" }, name), " ", description.split("\n", 1)[0]),
      ),
      leftOut.map((text) => element("li", { class: "warn" }, text)),
    ),
  );
}

/** One box for each tool; saved at once, as a list of the offered ones. */
async function choose({ signal, load }: Here, path: string, place: HTMLElement): Promise<void> {
  const { tools } = await ask<{ readonly tools: readonly { readonly name: string; readonly offered: boolean }[] }>(
    "GET",
    `${path}/tools`,
    undefined,
    signal,
  );
  if (tools.length === 0) return fill(place, nothing(say("The server has no tools.")));
  const boxes = tools.map(({ name, offered }) => element("input", { type: "checkbox", checked: offered, value: name }));
  fill(
    place,
    element(
      "fieldset",
      {},
      element("legend", {}, say("Tools that Hermes offers to the model, from the next session on")),
      boxes.map((box) => element("label", { class: "choice mono" }, box, " ", box.value)),
      doing(
        say("Save"),
        place,
        async () => {
          const chosen = boxes.filter(({ checked }) => checked).map(({ value }) => value);
          await ask("PUT", `${path}/tools`, chosen.length === boxes.length ? { all: true } : { include: chosen });
          await load();
        },
        "main",
      ),
    ),
  );
}
