import type { ListedSession } from "../../live/listed-session.ts";
import type { CallDetails, ShownSubagent } from "../../trace/trace-item.ts";
import { ask, download } from "../ask.ts";
import { element } from "../element.ts";
import { staticCall } from "../parts/call-card.ts";
import { codeColoured } from "../parts/code.ts";
import { count, dollars } from "../parts/figures.ts";
import { when } from "../parts-of-page.ts";
import { say } from "../text.ts";
import { TraceData } from "./trace-data.ts";
import { counted, traceRow } from "./trace-row.ts";

/** Subagents of subagents below that are named, not shown. */
const MOST_DEPTH = 4;

/**
 * Saves a session as one HTML file for sharing: no scripts, no addresses that load anything, secrets masked by the
 * server.
 */
export async function exportHtml(id: string): Promise<void> {
  const { session, rows } = await rowsOf(id, 0);
  await codeColoured();
  const page = element("main", {}, element("h1", {}, session.name), figures(session), ...rows);
  const styles = await Promise.all(
    ["style.css", "parts.css"].map(async (name) => (await fetch(`/page/${name}`)).text()),
  );
  const content = `<!doctype html>
<html lang="${document.documentElement.lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${escaped(session.name)}</title>
<style>
${styles.join("\n")}
body { display: block; }
main { margin: 0 auto; }
summary { overflow-wrap: anywhere; }
</style>
</head>
<body>${page.outerHTML}</body>
</html>
`;
  download(`${session.id}.html`, new Blob([content], { type: "text/html" }));
}

async function rowsOf(
  id: string,
  depth: number,
): Promise<{ readonly session: ListedSession; readonly rows: readonly HTMLElement[] }> {
  const data = new TraceData(id);
  const { signal } = new AbortController();
  const { session } = await data.update(signal);
  const all = await ask<readonly CallDetails[]>("GET", `/api/sessions/${encodeURIComponent(session.id)}/calls`);
  const calls = new Map(all.map((details) => [details.call.callId, details]));
  const places = new Map<string, HTMLElement>();
  const rows = data.rows("all", "").map((row) =>
    traceRow(row, {
      sessionId: session.id,
      interrupted: () => session.state === "interrupted",
      load: () => Promise.reject(new Error("An export has no buttons.")),
      open: new Set(),
      staticCall: (callId) => {
        const details = calls.get(callId);
        return details === undefined ? undefined : staticCall(details);
      },
      nested: ({ sessionId, goal }: ShownSubagent) => {
        const place = element(
          "details",
          { class: "nested" },
          element("summary", {}, element("span", { class: "quiet" }, `↳ ${say("Subagent")} · `), goal),
        );
        places.set(sessionId, place);
        return place;
      },
    }),
  );
  for (const [subagent, place] of depth < MOST_DEPTH ? places : [])
    place.append(...(await rowsOf(subagent, depth + 1).catch(() => ({ rows: [] }))).rows);
  return { session, rows };
}

function figures(session: ListedSession): HTMLElement {
  return element(
    "p",
    { class: "quiet small" },
    [
      session.id,
      when(session.startedAt),
      session.model,
      counted("turn", session.turns),
      counted("call", session.toolCalls),
      say("{} tokens in, {} out", count(session.inputTokens), count(session.outputTokens)),
      session.costUsd === undefined ? undefined : dollars(session.costUsd, session.unknownCosts),
    ]
      .filter((text) => text !== undefined)
      .join(" · "),
  );
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
