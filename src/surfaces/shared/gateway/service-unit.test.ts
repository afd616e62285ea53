import assert from "node:assert/strict";
import { test } from "node:test";
import { serviceUnit } from "./service-unit.ts";

test("the unit starts the same program for the same home, waits for turns at a stop, and quotes special characters", () => {
  const unit = serviceUnit({
    command: ["/usr/bin/node", "/opt/my agent/main.js", "-p", "50%", "gateway", "run"],
    folder: "/home/ada",
    env: { PATH: "/bin", HERMES_HOME: "/home/ada/my $home" },
    drainMs: 60_000,
    description: "Hermes gateway",
  });
  assert.ok(unit.includes('\nExecStart=/usr/bin/node "/opt/my agent/main.js" -p 50%% gateway run\n'), unit);
  assert.ok(unit.includes('\nEnvironment=PATH=/bin\nEnvironment="HERMES_HOME=/home/ada/my $$home"\n'), unit);
  for (const line of [
    "WorkingDirectory=/home/ada",
    "TimeoutStopSec=90",
    "RestartForceExitStatus=75",
    "RestartPreventExitStatus=78",
    "KillMode=mixed",
    "WantedBy=default.target",
  ])
    assert.ok(unit.includes(`\n${line}\n`), line);
});
