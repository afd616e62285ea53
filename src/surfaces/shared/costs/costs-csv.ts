import type { CostGroup } from "../../../contract/services/cost-service.ts";
import type { NamedCost } from "./costs-text.ts";

const COLUMNS = ["costUsd", "requests", "unknown", "open", "inputTokens", "cachedTokens", "outputTokens"] as const;
const HEADER = "cost_usd,requests,unknown_costs,running,input_tokens,cached_tokens,output_tokens";

/** Sums as RFC 4180. A name that a spreadsheet would take for a formula begins with an apostrophe. */
export function costsCsv(group: CostGroup, costs: readonly NamedCost[]): string {
  const quoted = (name: string): string => `"${(/^[=+\-@]/.test(name) ? `'${name}` : name).replaceAll('"', '""')}"`;
  const lines = costs.map((one) => [quoted(one.name), ...COLUMNS.map((column) => String(one[column]))].join(","));
  return `${[`${group},${HEADER}`, ...lines].join("\r\n")}\r\n`;
}
