import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { withPython } from "../test/hosts-fixture.ts";

/** Calls that end at once, each cancelled at about the moment of its end. */
const CROSSING = `
import random, sys, threading
sys.path.insert(0, sys.argv[1])
from _hermes_bridge.workers import Job, Workers

CALLS = 8000
ended = {}
over = threading.Event()
sys.setswitchinterval(1e-5)

def finish(job, result, error):
    ended[job.identity] = ended.get(job.identity, 0) + 1
    if len(ended) == CALLS:
        over.set()

def drive():
    try:
        for call in range(CALLS):
            workers.submit(Job(call, "p", lambda job: sum(range(300)), {}))
            for _ in range(random.randrange(0, 400)):
                pass
            workers.cancel(call)
        over.wait(30)
    finally:
        workers.stop()

workers = Workers(finish)
threading.Thread(target=drive, daemon=True).start()
workers.run_main()
print(len(ended), set(ended.values()), len(workers.running))
`;

test("a call that is cancelled as it ends is answered once, and affects no other call", withPython, () => {
  const ran = spawnSync("python3", ["-c", CROSSING, join(import.meta.dirname, "child")], {
    encoding: "utf8",
    timeout: 120_000,
  });
  assert.deepEqual([ran.stdout.trim(), ran.stderr.trim()], ["8000 {1} 0", ""]);
});
