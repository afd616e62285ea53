import type { LogLine } from "../../../../contract/common/log.ts";
import { follow } from "../ask.ts";
import { element, fill } from "../element.ts";
import { nothing, errorText, type Page } from "../parts-of-page.ts";
import { say } from "../text.ts";

/** Maximum number of lines on the page. */
const MAX = 2_000;

/** The agent's log, newest line last, updated live. */
export const logsPage: Page = ({ main, signal: left }) => {
  const [notes, lines] = [
    element("div"),
    element("div", { class: "log", role: "log", tabindex: 0, "aria-label": say("Logs") }),
  ];
  const name = choice(say("Log"), [
    ["agent", "agent"],
    ["errors", "errors"],
  ]);
  const level = choice(say("Level"), [
    ["", say("all levels")],
    ["info", "info"],
    ["warning", "warning"],
    ["error", "error"],
  ]);
  const count = choice(say("Lines"), [
    ["200", "200"],
    ["500", "500"],
    ["2000", "2000"],
  ]);
  const goOn = element("input", { type: "checkbox", id: "follow", checked: true, onchange: () => void read() });
  let stop = new AbortController();
  fill(
    main,
    element(
      "div",
      { class: "row" },
      name,
      level,
      count,
      element("label", { for: "follow" }, goOn, ` ${say("follow")}`),
    ),
    notes,
    lines,
  );
  void read();

  function choice(label: string, options: readonly (readonly [string, string])[]): HTMLSelectElement {
    return element(
      "select",
      { "aria-label": label, onchange: () => void read() },
      options.map(([value, text]) => element("option", { value }, text)),
    );
  }

  async function read(): Promise<void> {
    stop.abort();
    stop = new AbortController();
    const signal = AbortSignal.any([stop.signal, left]);
    fill(lines, nothing(say("The log is empty.")));
    let any = false;
    fill(notes);
    const query = new URLSearchParams({
      name: name.value,
      lines: count.value,
      ...(level.value === "" ? {} : { level: level.value }),
      ...(goOn.checked ? { follow: "1" } : {}),
    });
    try {
      for await (const line of follow<LogLine>(`/api/logs?${query}`, signal)) {
        const below = innerHeight + scrollY > document.documentElement.scrollHeight - 60;
        if (!any) fill(lines);
        any = true;
        lines.append(shown(line));
        if (lines.childElementCount > MAX) lines.firstElementChild?.remove();
        if (below) scrollTo(0, document.documentElement.scrollHeight);
      }
    } catch (error) {
      if (!signal.aborted) fill(notes, errorText(error));
    }
  }
};

function shown({ time, level, name, message, ...detail }: LogLine): HTMLElement {
  const kind = level === "error" ? "bad" : level === "warning" ? "warn" : "quiet";
  const more = Object.keys(detail).length === 0 ? undefined : JSON.stringify(detail);
  return element(
    "div",
    {},
    element("span", { class: "quiet" }, `${time.replace("T", " ").replace(/\.\d+Z$/, "Z")} `),
    element("span", { class: kind }, level.padEnd(7)),
    ` ${name}: ${message}`,
    more !== undefined && element("span", { class: "quiet" }, ` ${more}`),
  );
}
