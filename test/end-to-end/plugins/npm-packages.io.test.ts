import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { NewUser } from "../support/test-user.ts";

const withNpm = spawnSync("npm", ["--version"]).status === 0 ? {} : { skip: "npm is not installed" };

/** A registry with the package `six-sides` in two versions, and the paths that npm requested. */
async function registry(user: NewUser) {
  const versions: { [version: string]: Buffer } = {};
  for (const version of ["1.0.0", "2.0.0"]) {
    const about = {
      name: "six-sides",
      version,
      type: "module",
      main: "index.js",
      scripts: { postinstall: "touch ran" },
    };
    user.write(`pkg-${version}/package/package.json`, JSON.stringify(about));
    user.write(`pkg-${version}/package/index.js`, `export const sides = ${Number(version[0]) + 5};\n`);
    const archive = join(user.folder, `${version}.tgz`);
    execFileSync("tar", ["-czf", archive, "-C", join(user.folder, `pkg-${version}`), "package"]);
    versions[version] = readFileSync(archive);
  }
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "/").slice(1);
    asked.push(path);
    if (path.endsWith(".tgz")) return void response.end(versions[path.replace(/^.*-|\.tgz$/g, "")]);
    if (path !== "six-sides") return void response.writeHead(404).end("{}");
    const all = Object.entries(versions).map(([version, packed]) => [
      version,
      {
        ...(JSON.parse(readFileSync(join(user.folder, `pkg-${version}/package/package.json`), "utf8")) as object),
        dist: {
          tarball: `${url}/six-sides-${version}.tgz`,
          integrity: `sha512-${createHash("sha512").update(packed).digest("base64")}`,
        },
      },
    ]);
    const time = Object.fromEntries(Object.keys(versions).map((version) => [version, "2020-01-01T00:00:00.000Z"]));
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({ name: "six-sides", "dist-tags": { latest: "2.0.0" }, versions: Object.fromEntries(all), time }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, asked, [Symbol.dispose]: () => (server.closeAllConnections(), void server.close()) };
}

const CODE = `import { sides } from "six-sides";
export default (ctx) => ctx.tool({ name: "roll", toolset: "dice", description: "d", effect: "none", input: { type: "object", properties: {} }, execute: async () => sides });
`;

function place(user: NewUser, more: { readonly [file: string]: string }): void {
  const files = { "plugin.yaml": "name: dice\nversion: 1.0.0\ndescription: Dice.\n", "index.mjs": CODE, ...more };
  for (const [file, text] of Object.entries(files)) user.write(`~/.hermes/plugins/dice/${file}`, text);
}

// field: P19
test(
  "enabling a hand-placed TypeScript plugin offers to install its npm packages, and installs them without scripts",
  withNpm,
  async () => {
    using user = new NewUser();
    using npm = await registry(user);
    const env = { npm_config_registry: npm.url, npm_config_cache: join(user.folder, "cache") };
    const run = (...args: readonly string[]) => user.run(args, undefined, env);
    place(user, {
      "package.json": JSON.stringify({ dependencies: { "six-sides": "^1.0.0", "hermes-agent": "*" } }),
      "node_modules/by-hand/index.js": "",
    });
    assert.match((await run("plugins", "info", "dice")).out, /✗ the npm package six-sides@\^1\.0\.0 is missing/);
    const refused = await run("plugins", "enable", "dice");
    assert.match(
      refused.err,
      /dice needs an npm package that is not installed: six-sides@\^1\.0\.0\n[^]*To install it: hermes plugins enable dice --yes/,
    );
    assert.match(
      refused.err,
      /it needs the npm package six-sides, which is not installed \(index\.mjs\)\. It needs six-sides@\^1\.0\.0\./,
    );
    assert.deepEqual([refused.status === 0, npm.asked], [false, []]);
    const enabled = await run("plugins", "enable", "dice", "--yes");
    assert.match(
      enabled.err + enabled.out,
      /Installed for dice: six-sides@\^1\.0\.0[^]*dice v1\.0\.0 \(1 tools, 0 hooks\) is enabled/,
    );
    assert.equal((await run("tools", "call", "roll")).out, "6\n");
    assert.deepEqual(
      npm.asked.filter((path) => path !== "six-sides"),
      ["six-sides-1.0.0.tgz"],
    );
    const folder = join(user.agentHome, "plugins/dice/node_modules");
    assert.deepEqual(
      ["six-sides/ran", "by-hand/index.js", "hermes-agent"].map((file) => existsSync(join(folder, file))),
      [false, true, false],
    );
  },
);

// field: P19
test("a start names the missing npm package of a plugin and the command that installs it", withNpm, async () => {
  using user = new NewUser();
  place(user, { "package.json": JSON.stringify({ dependencies: { "six-sides": "^2.0.0" } }) });
  user.write("~/.hermes/config.yaml", "plugins: { enabled: [dice] }\n");
  const { err } = await user.run(["tools", "list"]);
  assert.match(
    err,
    /The plugin "dice" failed: it needs the npm package six-sides, which is not installed \(index\.mjs\)/,
  );
  assert.match(err, /hermes plugins enable dice/);
  user.write("~/.hermes/plugins/node_modules/six-sides/index.js", "export const sides = 20;\n");
  user.write(
    "~/.hermes/plugins/node_modules/six-sides/package.json",
    '{"name":"six-sides","type":"module","main":"index.js"}',
  );
  assert.equal((await user.run(["tools", "call", "roll"])).out, "20\n");
});

// field: P19
test(
  "an npm package that no package.json names is not installed, and the hint says where to name it",
  withNpm,
  async () => {
    using user = new NewUser();
    place(user, { "index.mjs": CODE.replace("six-sides", "@dice/six-sides/deep.js") });
    const { err, status } = await user.run(["plugins", "enable", "dice", "--yes"]);
    assert.equal(status === 0, false);
    assert.match(err, /it needs the npm package @dice\/six-sides, which is not installed \(index\.mjs\)/);
    assert.match(err, /List it in the plugin's package\.json \("dependencies": \{ "@dice\/six-sides": "\*" \}\)/);
  },
);
