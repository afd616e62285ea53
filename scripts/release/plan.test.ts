import assert from "node:assert/strict";
import { test } from "node:test";
import { nextVersion, placeholdersIn, releaseChangelog, setVersion } from "./plan.ts";

test("computes the next version, and refuses one that is not newer", () => {
  assert.deepEqual(
    ["patch", "minor", "major", "1.2.4", "2.0.0"].map((wanted) => nextVersion("1.2.3", wanted, true)),
    ["1.2.4", "1.3.0", "2.0.0", "1.2.4", "2.0.0"],
  );
  assert.equal(nextVersion("0.1.0", "0.1.0", false), "0.1.0");
  for (const wanted of ["1.2.3", "1.2.2", "1.1.9", "0.9.9"])
    assert.throws(() => nextVersion("1.2.3", wanted, true), /is not newer than the current version 1\.2\.3/);
  assert.throws(() => nextVersion("1.2.3", "1.2.2", false), /is not newer/);
  for (const wanted of ["v1.2.4", "1.3", "1.2.4-rc.1", "next", ""])
    assert.throws(() => nextVersion("1.2.3", wanted, true), /is not a version/);
});

test("dates the unreleased section of the changelog and returns its content", () => {
  const head = "# Changelog\n\nAll notable changes.\n\n";
  const old = "\n## 0.1.0 (2026-01-01)\n\n- Old.\n";
  for (const heading of ["## Unreleased", "## 0.2.0 (unreleased)", "## [Unreleased]"])
    assert.deepEqual(releaseChangelog(`${head}${heading}\n\n### Added\n\n- New.\n${old}`, "0.2.0", "2026-12-01"), {
      text: `${head}## 0.2.0 (2026-12-01)\n\n### Added\n\n- New.\n${old}`,
      section: "### Added\n\n- New.",
    });
  assert.equal(releaseChangelog("## Unreleased\n\n- Only.\n", "1.0.0", "2026-12-01").section, "- Only.");
  assert.throws(() => releaseChangelog(`${head}${old}`, "0.2.0", "2026-12-01"), /has no unreleased section/);
  assert.throws(() => releaseChangelog(`${head}## Unreleased\n${old}`, "0.2.0", "2026-12-01"), /lists no change/);
});

test("sets the version of the package and of no dependency", () => {
  const manifest = `{\n  "name": "x",\n  "version": "1.0.0"\n}\n`;
  assert.equal(setVersion(manifest, "1.0.0", "1.1.0"), manifest.replace("1.0.0", "1.1.0"));
  const lock = JSON.stringify(
    { version: "1.0.0", packages: { "": { version: "1.0.0" }, "node_modules/y": { version: "1.0.0" } } },
    null,
    2,
  );
  assert.deepEqual(JSON.parse(setVersion(lock, "1.0.0", "1.1.0")), {
    version: "1.1.0",
    packages: { "": { version: "1.1.0" }, "node_modules/y": { version: "1.0.0" } },
  });
  assert.throws(() => setVersion(manifest, "0.9.0", "1.1.0"), /do not agree on the version 0\.9\.0/);
});

test("finds placeholders for the repository and for addresses", () => {
  assert.deepEqual(
    placeholdersIn({
      "package.json": '"https://github.com/OWNER/x#readme", "https://github.com/OWNER/x/issues"',
      "SECURITY.md": "Write to `security@hermes.example`.",
      "README.md": "See github.com/someone/x, and someone@site.org.",
    }),
    ["package.json: github.com/OWNER", "SECURITY.md: security@hermes.example"],
  );
});
