import type { CostGroup } from "../../../../contract/services/cost-service.ts";
import type { UsageRow, UsageShown } from "../../usage-shown.ts";
import { ask, save } from "../ask.ts";
import { barChart, type Bar } from "../charts/bar-chart.ts";
import { legend } from "../charts/fillings.ts";
import { svg } from "../charts/svg.ts";
import { element, fill } from "../element.ts";
import { carryOut, doing, figure, nothing, type Page } from "../parts-of-page.ts";
import { language, say } from "../text.ts";

const GROUPS: readonly (readonly [CostGroup, string])[] = [
  ["model", "Model"],
  ["day", "Day"],
  ["session", "Session"],
  ["tool", "Tool"],
  ["job", "Job"],
  ["user", "User"],
  ["kind", "Kind of request"],
];
const RANGES = [
  ["today", "Today"],
  ["7d", "7 days"],
  ["30d", "30 days"],
  ["month", "This month"],
  ["90d", "90 days"],
  ["365d", "12 months"],
] as const;
/** Names of the row that belongs to no group. */
const NONE: { readonly [group: string]: string } = {
  session: "(no session)",
  tool: "(no tool)",
  job: "(no job)",
  user: "owner",
};
const DATE = /^\d{4}-\d\d-\d\d$/;
/** Rows that a table shows at first. */
const FEW = 50;
/** More days than this are shown as months. */
const MOST_BARS = 92;

/** Tokens, costs and the share from the cache, by day and by one group. */
export const usagePage: Page = async ({ main, words, signal }) => {
  let by = GROUPS.find(([name]) => name === words[0])?.[0] ?? "model";
  let since = RANGES.some(([name]) => name === words[1]) || DATE.test(words[1] ?? "") ? (words[1] ?? "30d") : "30d";
  const [notes, shown] = [element("div"), element("div")];
  const group = select(say("Group by"), GROUPS, by, (value) => ((by = value), draw()));
  const range = select(
    say("Time"),
    [...RANGES, ["date", "since a day"]],
    DATE.test(since) ? "date" : since,
    (value) => {
      day.hidden = value !== "date";
      if (value === "date") return day.focus();
      since = value;
      draw();
    },
  );
  const day = element("input", {
    type: "date",
    "aria-label": say("First day"),
    hidden: !DATE.test(since),
    value: DATE.test(since) ? since : undefined,
    onchange: () => {
      if (!DATE.test(day.value)) return;
      since = day.value;
      draw();
    },
  });
  fill(
    main,
    element(
      "div",
      { class: "row" },
      element("label", {}, say("Group by"), " ", group),
      element("label", {}, say("Time"), " ", range),
      day,
      doing(say("Download CSV"), notes, () => save(`/api/usage/csv?${query()}`)),
    ),
    notes,
    shown,
  );
  await load();

  function query(): URLSearchParams {
    return new URLSearchParams({ by, since });
  }

  function draw(): void {
    // Without a new entry in the history and without leaving the field.
    history.replaceState(null, "", `#/usage/${by}/${since}`);
    void carryOut(undefined, notes, load);
  }

  async function load(): Promise<void> {
    const asked = query().toString();
    const usage = await ask<UsageShown>("GET", `/api/usage?${asked}`, undefined, signal);
    // The user may have chosen again meanwhile.
    if (asked === query().toString()) fill(shown, usage.total.requests === 0 ? nothingIn() : partsOf(usage));
  }
};

function nothingIn(): HTMLElement {
  return nothing(say("No requests to models or paid services in this time."));
}

function partsOf({ by, days, rows, total }: UsageShown): readonly HTMLElement[] {
  const bars = bucketsOf(days);
  return [
    element(
      "div",
      { class: "cards figures" },
      figure(say("Cost"), costOf(total), unknownOf(total)),
      figure(say("Requests"), whole(total.requests), total.open === 0 ? "" : say("{} running", total.open)),
      figure(say("Tokens in"), short(total.inputTokens), say("{} from the cache", cachedOf(total))),
      figure(say("Tokens out"), short(total.outputTokens), ""),
    ),
    element(
      "section",
      { class: "card" },
      element("h2", {}, bars.monthly ? say("Cost by month") : say("Cost by day")),
      barChart(say("Cost by day"), bars.costs, (value) => money(value)),
      element(
        "div",
        { class: "legends small" },
        legend([
          ["solid", say("known cost")],
          ["open", say("? part of the cost is unknown")],
        ]),
      ),
    ),
    element(
      "section",
      { class: "card" },
      element("h2", {}, bars.monthly ? say("Tokens by month") : say("Tokens by day")),
      barChart(say("Tokens by day"), bars.tokens, short),
      element(
        "div",
        { class: "legends small" },
        legend([
          ["hatched", say("in, from the cache")],
          ["solid", say("in, new")],
          ["dotted", say("out")],
        ]),
      ),
      by !== "day" &&
        element("details", { class: "small" }, element("summary", {}, say("Table of days")), table("day", days)),
    ),
    element("h2", {}, say("By {}", say(GROUPS.find(([name]) => name === by)![1]).toLowerCase())),
    table(by, rows),
  ];
}

function table(by: CostGroup, rows: readonly UsageRow[]): HTMLElement {
  const most = Math.max(...rows.map(({ costUsd }) => costUsd));
  const title = say(GROUPS.find(([name]) => name === by)![1]);
  const head = [title, say("Cost"), "", say("Requests"), say("Tokens in"), say("From cache"), say("Tokens out")];
  const body = element("tbody", {}, rows.slice(0, FEW).map(line));
  const more =
    rows.length > FEW &&
    element(
      "button",
      {
        type: "button",
        onclick: (event) => (body.append(...rows.slice(FEW).map(line)), (event.target as Element).remove()),
      },
      say("Show all {}", rows.length),
    );
  return element(
    "div",
    { class: "scroll", role: "region", tabindex: 0, "aria-label": title },
    element(
      "table",
      {},
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          head.map((text, at) =>
            text === ""
              ? element("td")
              : element("th", { scope: "col", class: at > 2 || at === 1 ? "number" : "" }, text),
          ),
        ),
      ),
      body,
    ),
    more,
  );

  function line(row: UsageRow): HTMLElement {
    return element(
      "tr",
      {},
      element("th", { scope: "row" }, nameOf(by, row)),
      element("td", { class: "number" }, costOf(row)),
      element("td", { class: "share" }, shareBar(row, most)),
      element("td", { class: "number" }, whole(row.requests)),
      element("td", { class: "number" }, whole(row.inputTokens)),
      element("td", { class: "number" }, cachedOf(row)),
      element("td", { class: "number" }, whole(row.outputTokens)),
    );
  }
}

function nameOf(by: CostGroup, { name, title }: UsageRow): Node | string {
  if (name === "") return say(NONE[by] ?? "none");
  if (by === "day") return dayText(name, { dateStyle: "medium" });
  if (title === undefined) return name;
  if (by !== "session") return `${title} (${name})`;
  return element("a", { href: `#/sessions/${encodeURIComponent(name)}` }, title || name);
}

/** The numbers are beside it. */
function shareBar({ costUsd, unknown }: UsageRow, most: number): SVGSVGElement {
  const wide = most === 0 ? 0 : (costUsd / most) * 100;
  return svg(
    "svg",
    { class: "chart", width: 108, height: 10, "aria-hidden": "true" },
    costUsd > 0 && svg("rect", { width: Math.max(1, wide), height: 10, fill: "currentColor", class: "part solid" }),
    unknown > 0 && svg("text", { x: wide + 2, y: 9 }, "?"),
  );
}

function bucketsOf(days: readonly UsageRow[]): {
  readonly monthly: boolean;
  readonly costs: readonly Bar[];
  readonly tokens: readonly Bar[];
} {
  const monthly = days.length > MOST_BARS;
  const buckets = [...Map.groupBy(days, ({ name }) => (monthly ? name.slice(0, 7) : name))].map(([name, all]) => {
    const sum = (of: (day: UsageRow) => number): number => all.reduce((total, day) => total + of(day), 0);
    return {
      label: monthly
        ? dayText(`${name}-01`, { month: "short", year: "2-digit" })
        : dayText(name, { month: "short", day: "numeric" }),
      costUsd: sum((day) => day.costUsd),
      unknown: sum((day) => day.unknown),
      cached: sum((day) => day.cachedTokens),
      fresh: sum((day) => day.inputTokens - day.cachedTokens),
      out: sum((day) => day.outputTokens),
    };
  });
  return {
    monthly,
    costs: buckets.map(({ label, costUsd, unknown }) => ({
      label,
      text: `${label}: ${moneyOf({ costUsd, unknown })}`,
      parts: [{ filling: "solid", value: costUsd }],
      mark: unknown > 0 ? "?" : undefined,
    })),
    tokens: buckets.map(({ label, cached, fresh, out }) => ({
      label,
      text: `${label}: ${say("{} in, {} of it from the cache, {} out", whole(cached + fresh), whole(cached), whole(out))}`,
      parts: [
        { filling: "hatched", value: cached },
        { filling: "solid", value: fresh },
        { filling: "dotted", value: out },
      ],
    })),
  };
}

function moneyOf({ costUsd, unknown }: Pick<UsageRow, "costUsd" | "unknown">): string {
  if (unknown === 0) return money(costUsd);
  return costUsd === 0 ? say("unknown") : `≥ ${money(costUsd)}`;
}

/** An unknown cost is never shown as zero. */
function costOf({ cost, costUsd, unknown }: UsageRow): string {
  if (costUsd === 0 && unknown > 0) return say("unknown");
  return cost === "" ? "—" : cost;
}

function unknownOf({ unknown }: UsageRow): string {
  if (unknown === 0) return "";
  return unknown === 1 ? say("1 request of unknown cost") : say("{} requests of unknown cost", unknown);
}

function cachedOf({ inputTokens, cachedTokens }: UsageRow): string {
  return inputTokens === 0 ? "—" : `${Math.round((100 * cachedTokens) / inputTokens)} %`;
}

function money(value: number): string {
  return `$${value.toFixed(value !== 0 && value < 0.1 ? 4 : 2)}`;
}

function whole(value: number): string {
  return value.toLocaleString(language());
}

function short(value: number): string {
  return value.toLocaleString(language(), { notation: "compact", maximumFractionDigits: 1 });
}

function dayText(name: string, style: Intl.DateTimeFormatOptions): string {
  return new Date(`${name}T00:00`).toLocaleDateString(language(), style);
}

function select<Value extends string>(
  label: string,
  options: readonly (readonly [Value, string])[],
  chosen: Value,
  changed: (value: Value) => void,
): HTMLSelectElement {
  const field: HTMLSelectElement = element(
    "select",
    { "aria-label": label, onchange: () => changed(field.value as Value) },
    options.map(([value, text]) => element("option", { value, selected: value === chosen }, say(text))),
  );
  return field;
}
