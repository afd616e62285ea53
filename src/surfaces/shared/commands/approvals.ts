import type { SlashHost } from "./slash-host.ts";

/** What may run without a question here: lasting rules, and what was allowed for this session. */
export async function approvals(args: string, host: SlashHost): Promise<string> {
  const [verb = "", rest = ""] = [args.split(/\s+/, 1)[0], args.slice((args.split(/\s+/, 1)[0] ?? "").length).trim()];
  if (verb === "explain" && rest !== "") return explain(rest, host);
  if (verb === "revoke" && rest !== "") return host.app.approvals.revoke(rest).then(() => `Taken out: ${rest}`);
  if (verb !== "" && verb !== "list") return "/approvals, /approvals explain COMMAND, /approvals revoke RULE.";
  const rules = await host.app.approvals.rules();
  const granted = host.session().view().state["approvals.session"];
  const classes = Array.isArray(granted) ? granted.map(String) : [];
  const lines = [
    ...rules.map(
      ({ list, rule, problem }) => `${list.padEnd(7)} ${rule}${problem === undefined ? "" : ` (${problem})`}`,
    ),
    ...classes.map((key) => `session every “${key}”`),
  ];
  return lines.length === 0
    ? "Every risky call is asked about: there is no rule, and nothing was allowed for this session."
    : lines.join("\n");
}

async function explain(command: string, host: SlashHost): Promise<string> {
  const message = await host.app.approvals.explain(command, { cwd: host.session().cwd, surface: host.surface });
  const answer = { runs: "Runs unasked", asks: "Asks first", refused: "Refused" }[message.answer];
  return [
    `${answer}: ${message.by}`,
    ...message.reasons,
    ...message.effects.map((effect) => `  ${effect}`),
    ...message.counts.map((line) => `  ${line}`),
    ...(message.sandbox ?? []),
    ...message.passes.map((way) => `would pass by: ${way}`),
  ].join("\n");
}
