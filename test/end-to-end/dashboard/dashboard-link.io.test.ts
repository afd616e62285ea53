import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { test } from "node:test";
import { zonesOf } from "../../../src/safety/paths/path-zones.ts";
import { pseudoTerminalCommand } from "../../../src/terminal/program/pseudo-terminal.ts";
import { NewUser } from "../support/test-user.ts";
import { waitFor } from "../../../src/testing/wait-for.ts";

const NO_TERMINAL = ["python3", "script"].some((name) => spawnSync(name, ["--version"]).status === 0)
  ? false
  : "there is neither python3 nor script to make a pseudo-terminal with";

test(
  "the agent cannot read the redirect file for the browser, and the dashboard deletes it once the page has loaded",
  { skip: NO_TERMINAL },
  async () => {
    using user = new NewUser();
    const text = join(user.folder, "opened");
    for (const name of ["open", "xdg-open"])
      chmodSync(
        user.write(`programs/${name}`, `#!/bin/sh\nprintf '%s' "$1" >'${text}.part' && mv '${text}.part' '${text}'\n`),
        0o755,
      );
    const main = join(import.meta.dirname, "../../../src/main.ts");
    const line = [process.execPath, "--conditions=hermes-source", main, "dashboard", "--port", "0"]
      .map((word) => `'${word}'`)
      .join(" ");
    const child = spawn("bash", ["--norc", "--noprofile", "-c", pseudoTerminalCommand(`exec ${line}`)], {
      cwd: user.folder,
      env: {
        PATH: `${join(user.folder, "programs")}${delimiter}${process.env["PATH"]}`,
        HOME: user.home,
        TERM: "dumb",
        LANG: "C.UTF-8",
        DISPLAY: ":99",
      },
      stdio: ["pipe", "ignore", "inherit"],
    });
    const over = once(child, "close");
    try {
      await waitFor(() => existsSync(text));
      const file = readFileSync(text, "utf8");
      assert.equal(dirname(dirname(file)), user.agentHome);
      assert.deepEqual(
        [...zonesOf(file, { home: user.home, agentHome: user.agentHome })].includes("agent-secret"),
        true,
        file,
      );
      assert.equal(statSync(file).mode & 0o077, 0);
      const link = new URL(/href="([^"]+)"/.exec(readFileSync(file, "utf8"))?.[1] ?? "");
      const status = async (headers: { readonly [name: string]: string }): Promise<number> =>
        (await fetch(new URL("/api/status", link), { headers })).status;
      assert.equal(await status({}), 401);
      assert.equal(existsSync(file), true);
      assert.equal(await status({ "x-hermes-session-token": link.hash.slice("#token=".length) }), 200);
      await waitFor(() => !existsSync(file));
    } finally {
      child.kill("SIGTERM");
      await over;
    }
  },
);
