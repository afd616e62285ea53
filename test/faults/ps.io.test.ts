import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { lacksProgram } from "../../src/testing/lacks-program.ts";
import { Stopwatch } from "../../src/testing/stopwatch.ts";
import { waitFor } from "../../src/testing/wait-for.ts";

/** Where these tests cannot run: they see processes through /proc, and look for them with pgrep. */
const linux = process.platform === "linux" ? lacksProgram("pgrep") : "processes of others are only seen through /proc";
const AGENT = fileURLToPath(new URL("background-agent.ts", import.meta.url));
const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
/** The number of seconds by which the test recognizes this run's sleeps. */
const RUN = process.pid;
const SERVER =
  'exec node -e \'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => console.log("listens", s.address().port))\'';

interface Listed {
  readonly id: string;
  readonly kind: string;
  readonly pid: number;
  readonly ports: readonly number[];
  readonly session: string | null;
  readonly command: string;
  readonly agent: { readonly alive: boolean } | null;
  readonly end: { readonly reason: string; readonly source: string } | null;
}

// req
test(
  "ps lists background processes with number, port, age and session, and can follow and stop them",
  { skip: linux },
  async () => {
    await using fixture = await open([
      SERVER,
      'echo begun; while read l; do echo "got $l"; done',
      `setsid sleep 7654.${RUN} & sleep 7655.${RUN}`,
    ]);
    await fixture.until(() => fixture.ps().some(({ ports }) => ports.length === 1));
    const [server, reader, parent] = fixture.ids;
    const port = /listens (\d+)/.exec(await fixture.follow(server!, /listens \d+/))?.[1];
    const listed = fixture.ps();
    const entry = listed.find(({ id }) => id === server)!;
    assert.deepEqual(
      [entry.kind, entry.session, entry.ports.map(String), entry.agent?.alive],
      ["background", "session_1", [port], true],
    );
    const left = listed.find(({ command }) => command === `sleep 7654.${RUN}`);
    assert.ok(left === undefined || left.session === "session_1", "below its command, or listed separately");
    assert.match(
      fixture.run("ps").stdout,
      new RegExp(`^${server}  background +${entry.pid} +${port} +\\d+s +local +session_1 +exec node`, "m"),
    );
    assert.deepEqual(JSON.parse(fixture.run("ps", "stop", reader!, "--json").stdout), {
      id: reader,
      done: "stop",
      text: `Stopped ${reader}.`,
    });
    const ended = (JSON.parse(fixture.run("ps", "--all", "--json").stdout) as Listed[]).find(
      ({ id }) => id === reader,
    )!;
    assert.deepEqual([ended.kind, ended.end?.reason, ended.end?.source], ["ended", "killed", "person"]);
    assert.equal(fixture.run("ps", "follow", reader!).stdout, "begun\n");
    assert.equal(fixture.run("ps", "stop", parent!).status, 0);
    await fixture.until(() => !alive(`sleep 7654.${RUN}`) && !alive(`sleep 7655.${RUN}`));
    const unknown = fixture.run("ps", "stop", "proc_000000000000");
    assert.deepEqual([unknown.status, unknown.stdout], [2, ""]);
    assert.match(unknown.stderr, /No running process has the ID "proc_000000000000"/);
  },
);

// req
test("lists a command's detached grandchild separately and stops it by its number", { skip: linux }, async () => {
  await using fixture = await open([`foreground sh -c 'setsid sleep 7656.${RUN} >/dev/null 2>&1 &'; echo over`]);
  await fixture.until(() => fixture.ps().some(({ command }) => command === `sleep 7656.${RUN}`));
  const left = fixture.ps().find(({ command }) => command === `sleep 7656.${RUN}`)!;
  assert.deepEqual([left.kind, left.session, left.id], ["command", "session_1", String(left.pid)]);
  assert.equal(fixture.run("ps", "stop", left.id).stdout, `Stopped ${left.id}.\n`);
  await fixture.until(() => !alive(`sleep 7656.${RUN}`));
});

// req
test("neither lists nor stops the processes of another home's agents", { skip: linux }, async () => {
  await using fixture = await open([
    `foreground sh -c 'setsid sleep 7659.${RUN} >/dev/null 2>&1 &'; echo over`,
    `sleep 7660.${RUN}`,
  ]);
  await using other = await open([]);
  const slept = () => fixture.ps().filter(({ command }) => command.startsWith("sleep"));
  await fixture.until(() => slept().length === 2);
  const mine = fixture.ps();
  assert.deepEqual(mine.map(({ command }) => command).sort(), [`sleep 7659.${RUN}`, `sleep 7660.${RUN}`]);
  assert.deepEqual(other.ps(), []);
  for (const { id } of mine)
    assert.match(other.run("ps", "stop", id).stderr, new RegExp(`No running process has the ID "${id}"`));
  assert.ok(alive(`sleep 7659.${RUN}`) && alive(`sleep 7660.${RUN}`));
  assert.equal(other.run("ps").stdout, "No processes are running.\n");
});

// req
test(
  "a killed agent ends all but its persistent processes, which ps then lists, follows and stops",
  { skip: linux },
  async () => {
    await using fixture = await open([
      "i=0; while sleep 0.1; do echo tick $((i+=1)); done",
      `sleep 7657.${RUN} & setsid sleep 7658.${RUN} & wait`,
    ]);
    const [saved, other] = fixture.ids;
    await fixture.until(() => /tick 3/.test(fixture.log(saved!)));
    assert.match(fixture.run("ps", "keep", saved!).stdout, /will continue after its agent ends/);
    const before = fixture.log(saved!);
    fixture.kill();
    const watch = new Stopwatch();
    while (alive(`sleep 7657.${RUN}`) || alive(`sleep 7658.${RUN}`))
      watch.assertWithin(2_000, "taking everything along");
    const seen = fixture.ps().filter(({ session }) => session === "session_1");
    assert.deepEqual(
      seen.map(({ id, kind, agent }) => [id, kind, agent?.alive]),
      [[saved, "kept", false]],
    );
    await fixture.until(() => fixture.log(saved!).length > before.length + 20);
    const ticks = [...fixture.log(saved!).matchAll(/tick (\d+)/g)].map(([, number]) => Number(number));
    assert.deepEqual(
      ticks,
      ticks.map((_, at) => at + 1),
      "nothing of its output is missing or doubled",
    );
    const lost = (JSON.parse(fixture.run("ps", "--all", "--json").stdout) as Listed[]).find(({ id }) => id === other)!;
    assert.equal(lost.end?.reason, "lost");
    assert.equal(fixture.run("ps", "stop", saved!).stderr, "");
    assert.deepEqual(
      fixture.ps().filter(({ session }) => session === "session_1"),
      [],
    );
  },
);

function alive(command: string): boolean {
  return spawnSync("pgrep", ["-fx", command]).status === 0;
}

/** An agent in a separate process that has started these commands, and `hermes` beside it with the same home. */
async function open(commands: readonly string[]) {
  const home = mkdtempSync(join(tmpdir(), "ps-home-"));
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "ps-work-")));
  const agent = spawn(process.execPath, ["--conditions=hermes-source", AGENT, home, directory, ...commands], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let message = "";
  agent.stdout.on("data", (bytes: Buffer) => void (message += bytes.toString("utf8")));
  const until = async (holds: () => boolean): Promise<void> => {
    await waitFor(holds);
  };
  await until(() => message.includes("ready\n")).catch((error: unknown) => {
    agent.kill("SIGKILL");
    throw error;
  });
  const ids = message
    .split("\n")
    .slice(0, -2)
    .map((line) => (JSON.parse(line) as { readonly session_id?: string }).session_id ?? line);
  const run = (...words: readonly string[]) =>
    spawnSync(process.execPath, ["--conditions=hermes-source", MAIN, ...words], {
      encoding: "utf8",
      env: { ...process.env, HERMES_HOME: home },
      timeout: 120_000,
    });
  return {
    ids,
    until,
    run,
    /** Output of `ps --follow --json`, once it contains this. */
    async follow(id: string, shows: RegExp): Promise<string> {
      const child = spawn(process.execPath, ["--conditions=hermes-source", MAIN, "ps", "follow", id, "--json"], {
        stdio: ["ignore", "pipe", "inherit"],
        env: { ...process.env, HERMES_HOME: home },
      });
      let shown = "";
      child.stdout.on("data", (bytes: Buffer) => void (shown += bytes.toString("utf8")));
      await until(() => shows.test(shown)).finally(() => child.kill("SIGKILL"));
      return shown;
    },
    ps: () => JSON.parse(run("ps", "--json").stdout) as readonly Listed[],
    log: (id: string) =>
      ["log.1", "log"].map((ending) => readMaybe(join(home, "processes", `${id}.${ending}`))).join(""),
    kill: () => agent.kill("SIGKILL"),
    async [Symbol.asyncDispose]() {
      agent.kill("SIGTERM");
      for (const { id } of JSON.parse(run("ps", "--json").stdout) as readonly Listed[])
        if (ids.includes(id)) run("ps", "stop", id);
      for (const folder of [home, directory]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function readMaybe(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
