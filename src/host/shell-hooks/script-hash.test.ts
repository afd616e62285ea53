import assert from "node:assert/strict";
import { test } from "node:test";
import { scriptsOf } from "./script-hash.ts";

test("consent covers the programs and scripts that a command runs, but not its data files", () => {
  const bound = (command: string) => scriptsOf(command, "/home/x").map((file) => file.replace(process.cwd(), "."));
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["~/hooks/guard.sh --strict /var/log/x", ["/home/x/hooks/guard.sh"]],
    ["python3 -u guard.py data.csv", ["./guard.py"]],
    ["/usr/bin/env FOO=1 bash /srv/guard", ["/srv/guard"]],
    ["timeout 5 node --no-warnings /srv/guard.ts", ["/srv/guard.ts"]],
    ["cd /tmp && ./a.sh | tee /tmp/log; /srv/b", ["./a.sh", "/srv/b"]],
    ["uv run /srv/guard.py", ["/srv/guard.py"]],
    ["touch /tmp/ran", []],
    ["prettier --write src/index.ts", []],
    ["bash -c 'rm /x; /y'", []],
    ["python3 -m guard /x", []],
    ["notify-send 'Tool ran: {tool_name}'", []],
    ["echo 'not closed", []],
  ];
  for (const [command, files] of cases) assert.deepEqual(bound(command), files, command);
});
