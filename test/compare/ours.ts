import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Prompter } from "../../src/contract/conversation/question.ts";
import { openApp } from "../../src/host/app/open-app.ts";
import { pathWithout } from "../path-without.ts";
import { startOpenAiServer } from "../servers/openai.ts";
import type { RecordedRequest, ScriptedReply } from "../servers/script.ts";
import { lookAt, writeFiles } from "./scene-files.ts";
import { shapeOf } from "./shape.ts";
import { GUARDED, type Row } from "./table.ts";

/** Our whole program, and a model on a loopback port that makes the calls of a scene in order. */
export interface Ours extends AsyncDisposable {
  /** The result of each call as the model read it. */
  play(scene: string, rows: readonly Row[]): Promise<readonly unknown[]>;
}

export async function openOurs(): Promise<Ours> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "compare-")));
  let scene: Scene | undefined;
  const server = await startOpenAiServer((request) => scene!.next(request));
  // The table was recorded on a machine without ripgrep, in this locale. The terminal reads both from the process
  // environment; the end restores it.
  const programs = pathWithout("rg");
  const witnessed = { PATH: `${dirname(process.execPath)}:${programs.path}`, LANG: "C.UTF-8", LC_ALL: "C.UTF-8" };
  const before = Object.fromEntries(Object.keys(witnessed).map((name) => [name, process.env[name]]));
  Object.assign(process.env, witnessed);
  let number = 0;
  return {
    async play(name, rows) {
      const [root, home] = [join(top, `scene-${++number}`), join(top, `home-${number}`)];
      for (const folder of [root, join(home, ".hermes"), join(top, "no-skills")])
        mkdirSync(folder, { recursive: true });
      writeFileSync(
        join(home, ".hermes/config.yaml"),
        `model:\n  provider: custom\n  default: loopback\n  base_url: ${server.url}\n`,
      );
      await using app = await openApp({
        version: "0.0.0",
        env: {
          ...process.env,
          HOME: home,
          HERMES_HOME: undefined,
          HERMES_BUNDLED_SKILLS: join(top, "no-skills"),
          OPENAI_API_KEY: "key-of-the-test",
        },
        signal: new AbortController().signal,
      });
      scene = new Scene(rows, root, home);
      const user: Prompter = {
        ask: async (question) =>
          question.kind === "approval" ? { kind: "none", reason: "nobody" } : { kind: "text", text: scene!.answer },
      };
      const guarded = name.endsWith(GUARDED);
      for (const { title, messages } of rows.flatMap(({ earlier }) => earlier ?? [])) {
        await using held = await app.openSession({ surface: "cli", cwd: root });
        await scene.hold(messages, (text) => held.send(text));
        await app.sessions.rename(held.id, title);
      }
      await using session = await app.openSession({
        surface: "cli",
        cwd: root,
        yolo: !guarded,
        prompter: guarded ? undefined : user,
      });
      // A turn ends after several invalid calls in a row, so the next turn continues.
      for (let before = -1; scene.shapes.length < rows.length;) {
        if (scene.shapes.length === before) throw new Error(`The scene "${name}" stopped after ${before} calls.`);
        before = scene.shapes.length;
        await session.send("go on");
      }
      return scene.shapes;
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
      programs[Symbol.dispose]();
      rmSync(top, { recursive: true, force: true });
    },
  };
}

/** Ids that a later call may use, as JSON. */
const NOTED: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["$job", /"job_id":("\w+")/],
  ["$session", /"session_id":("(?!proc_)[^"]+")/],
  ["$match", /"match_message_id":(\d+)/],
];

/** The model's side of one scene. */
class Scene {
  readonly shapes: unknown[] = [];
  readonly #rows: readonly Row[];
  readonly #places: { readonly [place: string]: string };
  readonly #processes: string[] = [];
  readonly #noted = new Map<string, string>();
  #earlierAnswer: string | undefined;

  constructor(rows: readonly Row[], root: string, home: string) {
    this.#rows = rows;
    this.#places = { $ROOT: root, $HOME: home };
  }

  get answer(): string {
    return this.#rows[this.shapes.length]?.answer ?? "";
  }

  /** An earlier conversation: texts of user and model in turn. */
  async hold(messages: readonly string[], send: (text: string) => Promise<unknown>): Promise<void> {
    for (let at = 0; at < messages.length; at += 2) {
      this.#earlierAnswer = messages[at + 1] ?? "";
      await send(messages[at]!);
    }
    this.#earlierAnswer = undefined;
  }

  next({ body }: RecordedRequest): ScriptedReply {
    if (this.#earlierAnswer !== undefined) return { text: this.#earlierAnswer };
    const { messages } = JSON.parse(body) as {
      readonly messages: readonly { readonly role: string; readonly content: string }[];
    };
    const last = messages.filter(({ role }) => role === "tool")[this.shapes.length];
    const root = this.#places["$ROOT"]!;
    const home = this.#places["$HOME"]!;
    if (last !== undefined) {
      const { look } = this.#rows[this.shapes.length]!;
      this.shapes.push(shapeOf(last.content, this.#places, look && lookAt(root, home, look)));
      const started = /"session_id":"(proc_\w+)".*"exit_code":0/.exec(last.content)?.[1];
      if (started !== undefined && !this.#processes.includes(started)) this.#processes.push(started);
      for (const [name, pattern] of NOTED) {
        const found = pattern.exec(last.content)?.[1];
        if (found !== undefined) this.#noted.set(name, found);
      }
    }
    const row = this.#rows[this.shapes.length];
    if (row === undefined) return { text: "Done." };
    writeFiles(root, home, row.files);
    return { calls: [{ tool: row.tool, args: this.#placed(row.args) }], deltaChars: 4_000 };
  }

  #placed(args: Row["args"]): string {
    let text = typeof args === "string" ? args : JSON.stringify(args);
    for (const [name, path] of Object.entries(this.#places)) text = text.replaceAll(name, path);
    for (const [name, value] of this.#noted) text = text.replaceAll(`"${name}"`, value);
    return text.replace(/"\$(\d)"/g, (_, nth: string) =>
      JSON.stringify(this.#processes[Number(nth) - 1] ?? `process ${nth}`),
    );
  }
}
