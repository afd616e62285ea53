import type { App } from "../../../contract/services/app.ts";
import type { Destination } from "../../../contract/services/gateway-service.ts";
import { UserError } from "../../../contract/common/failure.ts";

/**
 * Puts job answers into the outbox, from which a gateway sends them to chats. Each text has a unique key, so that a
 * text handed over again after a crash is sent only once. Stores delivery problems in the job.
 */
export async function handOver(app: App): Promise<void> {
  const { work } = await app.jobs();
  const waiting = await work.undelivered();
  if (waiting.length === 0) return;
  const service = await app.gateway();
  for (const { id, key, job, target, text } of waiting) {
    const problems: string[] = [];
    const places = new Map(service.destinations(target, job.origin).map((to) => [nameOf(to), to]));
    if (places.size === 0) problems.push(`Cannot deliver to "${target}": no chat platform has a home channel.`);
    for (const [name, to] of places) {
      try {
        await service.deliver({ ...to, key: `cron:${key}:${name}` }, text);
      } catch (cause) {
        if (!(cause instanceof UserError)) throw cause;
        problems.push([cause.message, ...(cause.hint === undefined ? [] : [cause.hint])].join(" "));
      }
    }
    if (problems.length > 0)
      app.log.warning(`Cannot deliver the answer of the scheduled job "${job.name}"`, {
        job: job.id,
        target,
        problems,
      });
    await work.delivered(id, problems.length === 0 ? undefined : problems.join(" "));
  }
}

function nameOf({ platform, chatId = "", threadId = "" }: Destination): string {
  return JSON.stringify([platform, chatId, threadId]);
}
