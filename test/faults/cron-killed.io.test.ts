import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { openApp } from "../../src/host/app/open-app.ts";
import { runDue } from "../../src/surfaces/shared/jobs/scheduler.ts";
import { NewUser } from "../end-to-end/support/test-user.ts";
import { seeded } from "./store-home.ts";

const AGENT = join(import.meta.dirname, "cron-agent.ts");
const ROUNDS = 8;

test("runs no firing twice and accounts for each, whenever the process that runs a job is killed", async () => {
  using user = new NewUser();
  const counted = join(user.folder, "count");
  user.write("~/.hermes/scripts/count.sh", `echo "$RANDOM$RANDOM" >> "${counted}"; sleep 0.1; echo counted\n`);
  await using app = await openApp({
    version: "0",
    env: { HOME: user.home, PATH: process.env["PATH"] },
    signal: new AbortController().signal,
  });
  const jobs = await app.jobs();
  const { id } = await jobs.create({ schedule: "every 1d", script: "count.sh", no_agent: true, deliver: "nosuch" });
  const random = seeded(8);
  for (let round = 0; round < ROUNDS; round++) {
    await jobs.trigger(id);
    const agent = spawn(process.execPath, ["--conditions=hermes-source", AGENT], {
      env: { PATH: process.env["PATH"], HOME: user.home },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const gone = once(agent, "exit");
    await Promise.race([once(agent.stdout, "data"), gone]);
    await wait(random() * 400);
    agent.kill("SIGKILL");
    await gone;
  }
  await runDue(app, new AbortController().signal);
  const runs = await jobs.runs({ job: id, limit: 100 });
  assert.deepEqual(
    [...new Set(runs.map(({ state }) => state))].filter((state) => state !== "completed" && state !== "interrupted"),
    [],
  );
  assert.equal(new Set(runs.map(({ dueAt }) => dueAt)).size, runs.length);
  const times = existsSync(counted) ? readFileSync(counted, "utf8").trim().split("\n").length : 0;
  const completed = runs.filter(({ state }) => state === "completed").length;
  assert.ok(
    times >= completed && times <= runs.length,
    `${times} runs of the script for ${runs.length} firings, ${completed} completed`,
  );
  assert.deepEqual([(await jobs.find(id)).repeat.completed, await jobs.work.claim(9)], [runs.length, []]);
});
