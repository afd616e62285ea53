import type { ChatPost, Destination, JobOrigin, PluginContext, Risk, RiskContext } from "hermes-agent/plugin";
import type { CronjobInput } from "./use-jobs.ts";

type Jobs = Awaited<ReturnType<PluginContext["jobs"]>>;

/**
 * Asks when a job is created about what it later does unattended: running a script, whose content no approval covers,
 * and sending to a chat of other users.
 */
export async function riskOfJob(
  input: CronjobInput,
  jobs: Pick<Jobs, "seenFrom">,
  chats: Pick<ChatPost, "destinations" | "speaker">,
  { sessionId }: Pick<RiskContext, "sessionId">,
): Promise<Risk | undefined> {
  const { script, schedule } = input;
  const when = schedule === undefined ? "" : ` (${schedule})`;
  const others = await chatsOfOthers(input, jobs, chats, sessionId);
  const risks = [
    ...(script === undefined || script === ""
      ? []
      : [
          {
            key: "unattended script",
            reason: `The script ${script} of ~/.hermes/scripts will run unattended${when}.`,
          },
        ]),
    ...(others.length === 0
      ? []
      : [
          {
            key: `delivery to ${others.join(", ")}`,
            reason: `The job's output will be sent to ${others.join(", ")}${when}.`,
          },
        ]),
  ];
  return risks.length === 0
    ? undefined
    : {
        answer: "ask",
        key: risks.map(({ key }) => key).join("; "),
        reasons: risks.map(({ reason }) => reason),
        effects: [],
      };
}

/**
 * Delivery targets except the current chat, the chat in which the job was created and, if the owner asks, the owner's
 * home channels.
 */
async function chatsOfOthers(
  { deliver, job_id }: CronjobInput,
  jobs: Pick<Jobs, "seenFrom">,
  chats: Pick<ChatPost, "destinations" | "speaker">,
  sessionId: string,
): Promise<readonly string[]> {
  const targets = (deliver ?? "")
    .split(",")
    .map((target) => target.trim())
    .filter((target) => target !== "" && target.toLowerCase() !== "local");
  if (targets.length === 0) return [];
  const { whose, chat } = await chats.speaker(sessionId);
  const known =
    job_id === undefined ? undefined : await (await jobs.seenFrom(sessionId)).find(job_id).catch(() => undefined);
  const origin: JobOrigin | null = known === undefined ? (chat ?? null) : known.origin;
  const own = new Set(
    [chat, origin].flatMap((one) =>
      one === undefined || one === null
        ? []
        : [
            written({
              platform: one.platform,
              chatId: one.chat_id,
              threadId: one.thread_id || undefined,
            }),
          ],
    ),
  );
  // A platform without a chat means its home channel, which may not be set yet.
  const isHome = (place: Destination): boolean =>
    place.chatId === undefined ||
    chats.destinations(place.platform, null).some((home) => written(home) === written(place));
  const places = targets.flatMap((target) => chats.destinations(target, origin));
  const others = places.filter((place) => !own.has(written(place)) && !(whose === undefined && isHome(place)));
  // Do not show the ID of a home channel to other users.
  return [...new Set(others.map((place) => (isHome(place) ? place.platform : written(place))))];
}

function written({ platform, chatId, threadId }: Destination): string {
  return [platform, ...(chatId === undefined ? [] : [chatId]), ...(threadId === undefined ? [] : [threadId])].join(":");
}
