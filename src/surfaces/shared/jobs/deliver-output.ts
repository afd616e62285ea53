import type { App } from "../../../contract/services/app.ts";
import type { Destination } from "../../../contract/services/gateway-service.ts";
import { UserError } from "../../../contract/common/failure.ts";

/**
 * Puts what jobs have said into the outbox of the chats, from which a gateway sends it. Each text has a key of its own, so that what a crash
 * interrupted is handed over again and sent once. What has no place to go to is said in the job.
 */
export async function handOver(app: App): Promise<void> {
  const { work } = await app.jobs();
  const waiting = await work.undelivered();
  if (waiting.length === 0) return;
  const service = await app.gateway();
  for (const { id, key, job, target, text } of waiting) {
    const problems: string[] = [];
    const places = new Map(service.destinations(target, job.origin).map((to) => [nameOf(to), to]));
    if (places.size === 0) problems.push(`"${target}" is nowhere: no chat platform has a home channel.`);
    for (const [name, to] of places) {
      try {
        await service.deliver({ ...to, key: `cron:${key}:${name}` }, text);
      } catch (cause) {
        if (!(cause instanceof UserError)) throw cause;
        problems.push([cause.message, ...(cause.hint === undefined ? [] : [cause.hint])].join(" "));
      }
    }
    if (problems.length > 0)
      app.log.warning(`What the scheduled job "${job.name}" said could not be handed over`, {
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
