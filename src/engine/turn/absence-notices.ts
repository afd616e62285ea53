import type { Part } from "../../contract/conversation/part.ts";
import type { AwayContext } from "../../contract/tools/tool.ts";
import { bounded } from "../async/bounded.ts";
import { noticeParts } from "../session/notice-parts.ts";
import type { DispatchPorts, OpenedSession } from "../ports.ts";

const LIMIT_MS = 5_000;

/** Reports of these tools for a reopened session. A tool that fails or takes too long reports nothing. */
export async function whileAway(
  { tools, log, clock, redact }: Pick<DispatchPorts, "tools" | "log" | "clock" | "redact">,
  names: readonly string[],
  session: OpenedSession,
): Promise<readonly (readonly Part[])[]> {
  const asked = tools
    .list()
    .filter(({ name, value }) => value.declaration.reportsAway === true && names.includes(name));
  const message = asked.map(async (entry): Promise<readonly (readonly Part[])[]> => {
    const notify: AwayContext["notify"] = (text, untrusted) =>
      session.queue(noticeParts({ text, foreign: untrusted }, entry, redact));
    try {
      const ended = await bounded(
        entry.value
          .load()
          .then((tool) => tool.whileAway?.({ sessionId: session.sessionId, taskId: session.sessionId, notify })),
        LIMIT_MS,
        clock,
      );
      return ended.kind === "timeout" ? [] : (ended.value ?? []).map((notice) => noticeParts(notice, entry, redact));
    } catch (cause) {
      log.warning(`The tool "${entry.name}" could not report what happened while the session was closed.`, { cause });
      return [];
    }
  });
  return (await Promise.all(message)).flat();
}
