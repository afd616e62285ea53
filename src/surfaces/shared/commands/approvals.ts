import type { SlashHost } from "./slash-host.ts";

/** Lists what may run without asking: rules, and what the user allowed for this session. */
export async function approvals(args: string, host: SlashHost): Promise<string> {
  const [verb = "", rest = ""] = [args.split(/\s+/, 1)[0], args.slice((args.split(/\s+/, 1)[0] ?? "").length).trim()];
  if (verb === "explain" && rest !== "") return explain(rest, host);
  if (verb === "revoke" && rest !== "") return host.app.approvals.revoke(rest).then(() => `Removed: ${rest}`);
  if (verb !== "" && verb !== "list") return "Usage: /approvals, /approvals explain COMMAND or /approvals revoke RULE.";
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
    ? "No rules and no permissions in this session: Hermes asks before every risky call."
    : lines.join("\n");
}

async function explain(command: string, host: SlashHost): Promise<string> {
  const explained = await host.app.approvals.explain(command, { cwd: host.session().cwd, surface: host.surface });
  const answer = { runs: "Runs without asking", asks: "Asks first", refused: "Refused" }[explained.answer];
  return [
    `${answer}: ${explained.by}`,
    ...explained.reasons,
    ...explained.effects.map((effect) => `  ${effect}`),
    ...explained.counts.map((line) => `  ${line}`),
    ...(explained.sandbox ?? []),
    ...explained.passes.map((way) => `to allow it: ${way}`),
  ].join("\n");
}
