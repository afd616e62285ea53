import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { register, run, setUp, tool, type Files } from "../../src/host/plugins/plugins-fixture.ts";

const ROOT = join(import.meta.dirname, "../..");
const MORE = 40;

/** A plugin whose files all contain its version. */
const dice = (version: string): Files => ({
  "folder/plugin.yaml": `name: dice\nversion: ${version}\ndescription: Rolls dice.\nprovides_tools: [roll]\n`,
  "folder/index.js": register(tool("roll", version)),
  ...Object.fromEntries(Array.from({ length: MORE }, (_, at) => [`folder/more/${at}.txt`, version])),
});

// req: R-34
for (const [what, before] of [
  ["an install", undefined],
  ["an update", "1.0.0"],
] as const) {
  test(`row 11: killed at any step, ${what} leaves the old or the new version whole, and the next one works`, async (t) => {
    const place = setUp(t, {}, "plugins:\n  enabled: [dice]\n");
    const options = { cwd: place.path, signal: new AbortController().signal };
    const home = (path: string) => join(place.path, "home", path);
    const seen = new Set<string>();
    for (let at = 1; ; at += 1) {
      for (const left of ["plugins", "packages", "plugins.lock.json"])
        rmSync(home(left), { recursive: true, force: true });
      if (before !== undefined) {
        place.write(dice(before));
        const { host } = await place.start();
        await using install = await host.service.install("./folder", options);
        await install.commit();
      }
      place.write(dice("2.0.0"));
      const signal = await killedAt(
        at,
        place.path,
        before === undefined ? ["plugins", "install", "./folder", "--yes"] : ["plugins", "update", "dice", "--yes"],
      );

      const { host, pins } = await place.start();
      const version = installed(home("plugins"));
      seen.add(String(version));
      if (version === undefined) assert.equal(before, undefined, `killed at step ${at} the plugin is gone`);
      else {
        assert.ok([before, "2.0.0"].includes(version), `killed at step ${at}`);
        const { state, reason } = await host.service.info("dice");
        assert.deepEqual([state, reason], ["enabled", undefined], `killed at step ${at}`);
        assert.deepEqual(await run(host, "roll"), { said: version });
        assert.ok(
          pins.get(home("plugins/dice"))?.from !== undefined,
          `killed at step ${at}, it is not known where it came from`,
        );
      }
      {
        await using again =
          version === undefined
            ? await host.service.install("./folder", options)
            : await host.service.update("dice", options);
        assert.deepEqual([again.replaces, again.unchanged], [version, version === "2.0.0"], `killed at step ${at}`);
        await again.commit();
      }
      const after = await place.start();
      assert.deepEqual(await run(after.host, "roll"), { said: "2.0.0" });
      assert.deepEqual(left(home("")), [], `killed at step ${at}`);
      assert.equal(JSON.parse(readFileSync(home("plugins.lock.json"), "utf8")).plugins["plugins/dice"].next, undefined);
      if (signal === null) break;
    }
    assert.deepEqual(seen, new Set([String(before), "2.0.0"]), "both sides of the change were seen");
  });
}

/** The version that every file in the only folder contains; `undefined` if there is no folder. */
function installed(plugins: string): string | undefined {
  const folders = entries(plugins);
  if (folders.length === 0) return undefined;
  assert.deepEqual(folders, ["dice"]);
  const dir = join(plugins, "dice");
  const texts = Array.from({ length: MORE }, (_, at) => readFileSync(join(dir, "more", `${at}.txt`), "utf8"));
  const versions = new Set([...texts, /^version: (.*)$/m.exec(readFileSync(join(dir, "plugin.yaml"), "utf8"))![1]!]);
  assert.equal(versions.size, 1, [...versions].join());
  return [...versions][0];
}

/** Temporary files that an install left and no version needs. */
function left(home: string): readonly string[] {
  return [...entries(join(home, "plugins")).filter((name) => name !== "dice"), ...entries(join(home, "packages"))];
}

function entries(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

async function killedAt(at: number, path: string, args: readonly string[]): Promise<NodeJS.Signals | null> {
  const env = {
    PATH: process.env["PATH"],
    HOME: path,
    HERMES_HOME: join(path, "home"),
    KILL_AT: String(at),
    KILL_WHERE: "/home/(plugins/|plugins\\.lock\\.json$)",
  };
  const child = spawn(
    process.execPath,
    [
      "--conditions=hermes-source",
      "--import",
      join(import.meta.dirname, "kill-at.ts"),
      join(ROOT, "src/main.ts"),
      ...args,
    ],
    { cwd: path, env, stdio: ["ignore", "ignore", "pipe"] },
  );
  let words = "";
  child.stderr.on("data", (chunk: Buffer) => (words += chunk.toString()));
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  assert.ok(code === 0 || signal === "SIGKILL", words);
  return signal;
}
