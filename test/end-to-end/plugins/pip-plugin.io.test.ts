import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { NewUser } from "../support/test-user.ts";

const CALCULATOR = join(import.meta.dirname, "../../../examples/plugins/calculator-python");
const withPip =
  spawnSync("python3", ["-m", "venv", "--help"]).status === 0 &&
  spawnSync("python3", ["-m", "pip", "--version"]).status === 0
    ? {}
    : { skip: "python3 with venv and pip is not installed" };

/**
 * Builds wheels without external packages: all files of the folder beside it, and the entry points of `pyproject.toml`.
 */
const BACKEND = `import os, tomllib, zipfile

def build_wheel(place, settings=None, metadata=None):
    with open("pyproject.toml", "rb") as file: project = tomllib.load(file)["project"]
    stem = project["name"].replace("-", "_") + "-" + project["version"]
    files = {}
    for folder, _, names in os.walk("hermes_plugin_calculator"):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file: files[os.path.join(folder, name)] = file.read()
    info = stem + ".dist-info/"
    files[info + "METADATA"] = f"Metadata-Version: 2.1\\nName: {project['name']}\\nVersion: {project['version']}\\n".encode()
    files[info + "WHEEL"] = b"Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"
    files[info + "entry_points.txt"] = "".join(f"[{group}]\\n" + "".join(f"{name} = {module}\\n" for name, module in points.items()) for group, points in project["entry-points"].items()).encode()
    files[info + "RECORD"] = ("".join(f"{name},,\\n" for name in files) + info + "RECORD,,\\n").encode()
    with zipfile.ZipFile(os.path.join(place, stem + "-py3-none-any.whl"), "w") as wheel:
        for name, data in files.items(): wheel.writestr(name, data)
    return stem + "-py3-none-any.whl"
`;
const PYPROJECT = `[build-system]
requires = []
build-backend = "builds"
backend-path = ["."]

[project]
name = "hermes-plugin-calculator"
version = "1.0.0"

[project.entry-points."hermes_agent.plugins"]
my-plugin = "hermes_plugin_calculator"
`;

// req: distribution.pip
test(
  "finds a pip-installed calculator plugin at the next start, runs it unchanged, and drops it after removal",
  withPip,
  async () => {
    const python = execFileSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" }).trim();
    using place = new NewUser();
    const venv = join(place.folder, "venv");
    execFileSync(python, ["-m", "venv", "--without-pip", venv]);
    const project = join(place.folder, "project");
    mkdirSync(project);
    writeFileSync(join(project, "pyproject.toml"), PYPROJECT);
    writeFileSync(join(project, "builds.py"), BACKEND);
    cpSync(CALCULATOR, join(project, "hermes_plugin_calculator"), { recursive: true });
    const pip = (...args: readonly string[]): void => {
      const ran = spawnSync(
        python,
        ["-m", "pip", "--python", join(venv, "bin/python"), ...args, "--disable-pip-version-check"],
        { cwd: project, encoding: "utf8", env: { PATH: process.env["PATH"], HOME: place.home } },
      );
      assert.equal(ran.status, 0, ran.stdout + ran.stderr);
    };
    using user = new NewUser({ PATH: `${join(venv, "bin")}${delimiter}${process.env["PATH"]}` });
    const listed = async () =>
      (
        JSON.parse((await user.run(["plugins", "list", "--user", "--json"])).out) as readonly {
          readonly name: string;
          readonly source: string;
          readonly status: string;
          readonly version: string;
        }[]
      ).map(({ name, source, status, version }) => [name, source, status, version]);
    assert.deepEqual(await listed(), []);

    pip("wheel", "--no-index", "--no-deps", "--wheel-dir", "wheels", ".");
    pip("install", "--no-index", "wheels/hermes_plugin_calculator-1.0.0-py3-none-any.whl");
    const version = /^version: *"?([\d.]+)/m.exec(readFileSync(join(CALCULATOR, "plugin.yaml"), "utf8"))?.[1];
    assert.deepEqual(await listed(), [["my-plugin", "python", "not enabled", version]]);
    const enabled = await user.run(["plugins", "enable", "my-plugin"]);
    assert.equal(enabled.status, 0, enabled.err);
    assert.equal(
      (await user.run(["tools", "call", "calculate", '{"expression":"2**16"}'])).out,
      '{"expression": "2**16", "result": 65536}\n',
    );

    pip("uninstall", "--yes", "hermes-plugin-calculator");
    assert.deepEqual(await listed(), []);
    const gone = await user.run(["tools", "call", "calculate", '{"expression":"2**16"}']);
    assert.equal(gone.status, 1, gone.out);
  },
);
