/**
 * A process to kill: sessions that send requests of all kinds at the same time, until it is killed or all are sent.
 * node ledger-agent.ts FOLDER URL SEED TURNS
 */
import type { Session } from "../../src/contract/conversation/session.ts";
import { openApp } from "../../src/host/app/open-app.ts";
import { seeded } from "../servers/billed-models.ts";

const [folder = "", url = "", seed = "1", turns = "1"] = process.argv.slice(2);
const chance = seeded(Number(seed));
const app = await openApp({
  version: "0",
  env: { HOME: process.env["HOME"], PATH: process.env["PATH"] },
  signal: new AbortController().signal,
});
const PROMPTS = ["hello", "hello again", "look at dot.png", "ask all models", "give a part away"];

/** Half of the sessions use the service that states tokens only. */
async function work(index: number): Promise<void> {
  const open = (sessionId?: string): Promise<Session> =>
    app.openSession({
      surface: "cli",
      cwd: folder,
      sessionId,
      model:
        index % 2 === 0
          ? { provider: "openrouter", name: "lab/main" }
          : { provider: "anthropic", name: "claude-sonnet-4-5", baseUrl: url },
    });
  await using session = await open();
  for (let turn = 1; turn <= Number(turns); turn++) {
    await session.send(PROMPTS[Math.floor(chance() * PROMPTS.length)]!);
    if (turn % 4 === 0) await session.compact().catch(() => undefined); // The service may fail.
  }
}

/** Sessions that an earlier process was killed in. */
async function resume(): Promise<void> {
  const left = (await app.sessions.list({ surface: "cli" })).filter(({ interrupted }) => interrupted);
  await Promise.all(
    left.map(async ({ id }) => {
      await using session = await app.openSession({ surface: "cli", cwd: folder, sessionId: id });
      await session.resume();
    }),
  );
}

process.stdout.write("begin\n");
await resume();
await Promise.all(Array.from({ length: 6 }, (_, index) => work(index)));
await app[Symbol.asyncDispose]();
process.stdout.write("end\n");
