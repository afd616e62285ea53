import assert from "node:assert/strict";
import { test } from "node:test";
import { manifest, setUp } from "../../host/plugins/plugins-fixture.ts";
import { withPython } from "../test/hosts-fixture.ts";

const MEMORY = `from agent.memory_provider import MemoryProvider

class Notes(MemoryProvider):
    @property
    def name(self):
        return "my-notes"
    def is_available(self):
        return True
    def initialize(self, session_id, **kwargs):
        pass
    def get_tool_schemas(self):
        return []

def register(ctx):
    ctx.register_memory_provider(Notes())
`;
const CLI = `def my_notes_command(args):
    print("default action, verbose" if args.verbose else "default action")

def _status(args):
    print("3 notes")

def register_cli(subparser):
    subparser.add_argument("--verbose", action="store_true")
    subs = subparser.add_subparsers(dest="what")
    subs.add_parser("status", help="How many notes").set_defaults(func=_status)
`;

// req: plugins.memory-python
test("a memory provider's cli.py commands exist while it is the selected one", withPython, async (t) => {
  const files = {
    "home/plugins/my-notes/plugin.yaml": manifest("my-notes"),
    "home/plugins/my-notes/__init__.py": MEMORY,
    "home/plugins/my-notes/cli.py": CLI,
  };
  const { host } = await setUp(t, files, "memory: { provider: my-notes }\n").start({}, { hosts: true });
  const printed: string[] = [];
  const io = {
    out: (text: string) => void printed.push(text),
    error: (text: string) => void printed.push(`! ${text}`),
    interactive: false,
    signal: new AbortController().signal,
  };
  const run = async (...words: readonly string[]) => {
    const status = await host.cli.get("my-notes")?.run({ words } as never, io);
    return [status, printed.splice(0).join("")];
  };
  assert.deepEqual(await run("status"), [0, "3 notes\n"]);
  assert.deepEqual(await run("--verbose"), [0, "default action, verbose\n"]);
  assert.equal((await run("nonsense"))[0], 2);
  const without = await setUp(t, files).start({}, { hosts: true });
  assert.equal(without.host.cli.get("my-notes"), undefined);
});

test("a memory provider that registers the commands of its cli.py itself has them once", withPython, async (t) => {
  const own = `${MEMORY}    from .cli import register_cli, my_notes_command\n    ctx.register_cli_command("my-notes", help="Notes", setup_fn=register_cli, handler_fn=my_notes_command)\n`;
  const files = {
    "home/plugins/my-notes/plugin.yaml": manifest("my-notes"),
    "home/plugins/my-notes/__init__.py": own,
    "home/plugins/my-notes/cli.py": CLI,
  };
  const { host } = await setUp(t, files, "memory: { provider: my-notes }\n").start({}, { hosts: true });
  assert.deepEqual(
    (await host.service.list()).map(({ registered }) => registered.cli),
    [["my-notes"]],
  );
  assert.deepEqual(
    (await host.service.check("my-notes")).flatMap(({ problems }) => problems),
    [],
  );
});
