import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Files } from "../plugins-fixture.ts";
import { definedFields } from "../../../contract/common/defined-fields.ts";

export const withPip =
  spawnSync("python3", ["-m", "pip", "--version"]).status === 0 &&
  spawnSync("python3", ["-m", "venv", "--help"]).status === 0
    ? ({} as { readonly skip?: string })
    : { skip: "python3 with pip and venv is not installed" };

export type Cleanup = { after(run: () => void | Promise<void>): void };

export async function serve(t: Cleanup, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve()))));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export interface Wheel {
  readonly name: string;
  readonly version?: string;
  readonly files: Files;
  readonly entries?: string;
  /** Entry points of another group, with its heading. */
  readonly others?: string;
  readonly needs?: readonly string[];
  /** Versions of Python that it supports: `>=3.12`. */
  readonly python?: string;
  /** The package has only its source, with code that runs during a build. */
  readonly source?: true;
}

const WRITE = `import io, json, sys, tarfile, zipfile
folder, wheels = sys.argv[1], json.loads(sys.argv[2])
for wheel in wheels:
    module, version = wheel["name"].replace("-", "_"), wheel.get("version", "1.0")
    info = f"{module}-{version}.dist-info"
    files = dict(wheel["files"])
    needs = "".join(f"Requires-Dist: {need}\\n" for need in wheel.get("needs", []))
    python = f"Requires-Python: {wheel['python']}\\n" if "python" in wheel else ""
    files[f"{info}/METADATA"] = f"Metadata-Version: 2.1\\nName: {wheel['name']}\\nVersion: {version}\\nSummary: Rolls dice.\\n{python}{needs}\\n"
    files[f"{info}/WHEEL"] = "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"
    if "entries" in wheel: files[f"{info}/entry_points.txt"] = "[hermes_agent.plugins]\\n" + wheel["entries"]
    if "others" in wheel: files[f"{info}/entry_points.txt"] = wheel["others"]
    record = "".join(f"{path},,\\n" for path in files) + f"{info}/RECORD,,\\n"
    if wheel.get("source"):
        made = {"name": f"{module}-{version}-py3-none-any.whl", "files": {**files, f"{info}/RECORD": record}}
        sources = {"builds.py": sys.argv[3], "made.json": json.dumps(made), "pyproject.toml": sys.argv[4], "PKG-INFO": files[f"{info}/METADATA"]}
        with tarfile.open(f"{folder}/{module}-{version}.tar.gz", "w:gz") as packed:
            for path, text in sources.items():
                member = tarfile.TarInfo(f"{module}-{version}/{path}")
                member.size = len(text.encode())
                packed.addfile(member, io.BytesIO(text.encode()))
        continue
    with zipfile.ZipFile(f"{folder}/{module}-{version}-py3-none-any.whl", "w") as packed:
        for path, text in files.items(): packed.writestr(path, text)
        packed.writestr(f"{info}/RECORD", record)
`;

/**
 * Builds a source package, with its own code and no dependencies. Writes the variables that the build saw where a file
 * has their mark.
 */
const BUILDS = `import json, os, zipfile
def build_wheel(place, settings=None, metadata=None):
    made = json.load(open("made.json"))
    with zipfile.ZipFile(os.path.join(place, made["name"]), "w") as packed:
        for path, text in made["files"].items(): packed.writestr(path, text.replace("@VARIABLES@", " ".join(os.environ)))
    return made["name"]
`;
const PYPROJECT = `[build-system]
requires = []
build-backend = "builds"
backend-path = ["."]
`;

/**
 * A package index on this machine, for the real pip.
 * @returns the variables that point to it, and the requests it received.
 */
export async function servePythonIndex(t: Cleanup, folder: string, wheels: readonly Wheel[]) {
  mkdirSync(folder, { recursive: true });
  const script = join(folder, "wheels.py");
  writeFileSync(script, WRITE);
  execFileSync("python3", [script, folder, JSON.stringify(wheels), BUILDS, PYPROJECT]);
  const asked: string[] = [];
  const url = await serve(t, (request, response) => {
    asked.push(request.url ?? "");
    const file = /^\/files\/([\w.-]+)$/.exec(request.url ?? "")?.[1];
    if (file !== undefined) return void response.end(readFileSync(join(folder, file)));
    const name = /^\/simple\/([\w.-]+)\/$/.exec(request.url ?? "")?.[1];
    const files =
      name === "only-source"
        ? ["only_source-1.0.tar.gz"]
        : readdirSync(folder).filter((one) => one.startsWith(`${name?.replaceAll("-", "_")}-`));
    if (files.length === 0) return void response.writeHead(404).end();
    response.setHeader("content-type", "text/html");
    const python = wheels.find((wheel) => wheel.name === name)?.python;
    response.end(
      files
        .map(
          (one) =>
            `<a href="/files/${one}"${python === undefined ? "" : ` data-requires-python="${python.replace(">", "&gt;")}"`}>${one}</a>`,
        )
        .join(""),
    );
  });
  const env = definedFields({
    PIP_INDEX_URL: `${url}/simple`,
    PYENV_ROOT: process.env["PYENV_ROOT"],
  });
  return { asked, env };
}
