import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { missingPackages } from "./missing-packages.ts";
import { needsBeside } from "./python-needs.ts";

test("reports missing packages by name and version, in any spelling, and only those for this system", (t) => {
  const site = mkdtempSync(join(tmpdir(), "hermes-python3.11-"));
  t.after(() => rmSync(site, { recursive: true, force: true }));
  for (const folder of ["Foo_Bar-2.10.1.dist-info", "old-1.0-py3.11.egg-info", "PyYAML-6.0.dist-info"])
    mkdirSync(join(site, folder));
  const missing = (...needs: readonly string[]) => missingPackages(needs, [site]);
  assert.deepEqual(
    missing(
      "foo.bar",
      "foo-bar>=2.9,<3",
      "foo-bar~=2.4",
      "foo-bar==2.10.*",
      "foo-bar!=2.1",
      "foo-bar>2",
      "pyyaml<=6.0",
      "old",
    ),
    [],
  );
  assert.deepEqual(
    missing(
      "nothing",
      "foo-bar>=3",
      "foo-bar~=2.4.0",
      "foo-bar==2.1.*",
      "foo-bar!=2.10.*",
      "foo-bar<2.10.1",
      "foo-bar===2.10",
    ),
    [
      "nothing",
      "foo-bar>=3",
      "foo-bar~=2.4.0",
      "foo-bar==2.1.*",
      "foo-bar!=2.10.*",
      "foo-bar<2.10.1",
      "foo-bar===2.10",
    ],
  );
  assert.deepEqual(
    missing(
      'a; sys_platform == "vms"',
      'b; python_version < "3.2"',
      'c; extra == "dev"',
      `d; sys_platform == "vms" or python_version >= "3.10"`,
      'e; implementation_name == "cpython"',
    ),
    [`d; sys_platform == "vms" or python_version >= "3.10"`, 'e; implementation_name == "cpython"'],
  );
  assert.deepEqual(missingPackages(["foo-bar"], []), ["foo-bar"]);
});

test("requirements.txt and pyproject.toml beside the code list its needs, without the agent", (t) => {
  const dir = mkdtempSync(join(tmpdir(), "hermes-needs-"));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  assert.deepEqual(needsBeside(dir), []);
  writeFileSync(
    join(dir, "requirements.txt"),
    "# what it needs\nrequests>=2 # the web\n\n-r more.txt\n--index-url http://evil.example\nhermes_agent>=0.18\nlong \\\n  >=1\npinned==1.0 --hash=sha256:00\n",
  );
  writeFileSync(
    join(dir, "pyproject.toml"),
    `[build-system]\ndependencies = ["never"]\n\n[project]\nname = "dice"\ndependencies = [\n  "httpx[http2]>=0.27", # "not this"\n  'six',\n  "hermes-agent"\n]\n\n[project.optional-dependencies]\ndev = ["pytest"]\n`,
  );
  assert.deepEqual(needsBeside(dir), ["requests>=2", "long    >=1", "pinned==1.0", "httpx[http2]>=0.27", "six"]);
});
