import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { cloneInto, Machine } from "../end-to-end/support/packaged.ts";
import { NewUser } from "../end-to-end/support/test-user.ts";
import { startOpenAiServer } from "../servers/openai.ts";
import { readPage, ROOT } from "./read-pages.ts";

const skip = existsSync(join(ROOT, ".git")) ? false : "this is not a clone";

// req: models.core-provider
test(
  "a service added to the agent as the guide describes is recognized, listed and called with its key",
  { skip },
  async () => {
    const [row, variables] = ["js", "yaml"].map(
      (language) => readPage("docs/models.md").fences.findLast((fence) => fence.language === language)!.code,
    );
    using machine = new Machine();
    const clone = machine.folder("clone");
    cloneInto(clone);
    symlinkSync(join(ROOT, "node_modules"), join(clone, "node_modules"));
    const rows = join(clone, "plugins/model-http/chat-completions/providers.ts");
    writeFileSync(
      rows,
      readFileSync(rows, "utf8").replace(/^export const CHAT_SERVICES.*\[\n/m, (start) => `${start}${row}`),
    );
    const manifest = join(clone, "plugins/model-http/plugin.yaml");
    writeFileSync(
      manifest,
      readFileSync(manifest, "utf8").replace("optional_env:\n", () => variables!),
    );
    const generated = spawnSync(process.execPath, ["--conditions=hermes-source", "scripts/generate.ts"], {
      cwd: clone,
      encoding: "utf8",
    });
    assert.equal(generated.status, 0, generated.stderr);
    assert.match(
      readFileSync(join(clone, "docs/reference/providers.md"), "utf8"),
      /^\| `lab` \| Lab \| `lab-ai` \| `LAB_API_KEY` \|/m,
    );

    await using server = await startOpenAiServer([{ text: "Lab answers." }]);
    using user = new NewUser({ LAB_API_KEY: "key-of-lab", LAB_BASE_URL: server.url });
    const run = (...args: readonly string[]) => user.runMain(join(clone, "src/main.ts"), args);
    assert.equal((await run("model", "--list", "lab")).out, "loopback-large\nloopback-small\n");
    const asked = await run("chat", "-Q", "-q", "hello", "--provider", "lab-ai");
    assert.deepEqual([asked.status, asked.out], [0, "Lab answers.\n"], asked.err);
    assert.deepEqual(
      server.requests.map(({ headers, body }) => [
        headers["authorization"],
        (JSON.parse(body) as { model: string }).model,
      ]),
      [["Bearer key-of-lab", "lab-1"]],
    );
  },
);
