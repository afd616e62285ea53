import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { pathWithout } from "../path-without.ts";
import { shapeOf } from "./shape.ts";
import { GUARDED, type Row } from "./table.ts";
import { definedFields } from "../../src/contract/common/defined-fields.ts";

interface Played {
  readonly results: readonly {
    readonly text: string;
    readonly files: { readonly [path: string]: string | null } | null;
  }[];
  readonly places: { readonly [place: string]: string };
}

/** hermes-agent 0.19.0 in the given `python`; one process for scenes with approvals and one for those without. */
export class Original implements AsyncDisposable {
  readonly #python: string;
  readonly #home = realpathSync(mkdtempSync(join(tmpdir(), "compare-original-")));
  // The table was recorded on a machine without ripgrep.
  readonly #programs = pathWithout("rg");
  readonly #open = new Map<boolean, { readonly child: ChildProcess; readonly lines: Interface }>();

  constructor(python: string) {
    this.#python = python;
  }

  async play(scene: string, rows: readonly Row[]): Promise<readonly unknown[]> {
    const { child, lines } = this.#process(scene.endsWith(GUARDED));
    const answer = once(lines, "line");
    child.stdin!.write(
      `${JSON.stringify(rows.map(({ tool, args, files, look, earlier, answer: message }) => ({ tool, args, files, look, earlier, answer: message })))}\n`,
    );
    const played = JSON.parse(String((await answer)[0])) as Played | null;
    if (played === null) throw new Error(`The original did not survive the scene "${scene}".`);
    return played.results.map(({ text, files }) => shapeOf(text, played.places, files ?? undefined));
  }

  /** The parameters of its tools. */
  async schemas(): Promise<{ readonly [tool: string]: object }> {
    const { child, lines } = this.#process(false);
    const answer = once(lines, "line");
    child.stdin!.write('"schemas"\n');
    return JSON.parse(String((await answer)[0])) as { readonly [tool: string]: object };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { child } of this.#open.values()) {
      child.stdin!.end();
      if (child.exitCode === null) await once(child, "exit");
    }
    this.#programs[Symbol.dispose]();
    rmSync(this.#home, { recursive: true, force: true });
  }

  #process(guarded: boolean) {
    const known = this.#open.get(guarded);
    if (known !== undefined) return known;
    mkdirSync(join(this.#home, ".hermes"), { recursive: true });
    const env = definedFields({
      PATH: `${dirname(process.execPath)}:${this.#programs.path}`,
      HOME: this.#home,
      HERMES_HOME: join(this.#home, ".hermes"),
      LANG: "C.UTF-8",
      TERM: "dumb",
      HERMES_YOLO_MODE: guarded ? undefined : "1",
    });
    const child = spawn(this.#python, [join(import.meta.dirname, "original.py")], {
      env,
      stdio: ["pipe", "pipe", "ignore"],
    });
    const opened = { child, lines: createInterface(child.stdout) };
    this.#open.set(guarded, opened);
    return opened;
  }
}
