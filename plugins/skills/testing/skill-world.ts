import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Json, PluginSkill, RiskContext, ToolContext, ToolFailure } from "hermes-agent/plugin";
import { resolveHome } from "../../../src/host/home.ts";
import { openSkills, type Skills } from "../../../src/host/skills/open-skills.ts";
import { quietLog } from "../../../src/testing/quiet-log.ts";

/** A home with skills, and the real shelf over it. */
export class SkillWorld implements AsyncDisposable {
  readonly home = mkdtempSync(join(tmpdir(), "hermes-skills-"));
  readonly folder = join(this.home, "skills");
  readonly log = quietLog();
  readonly settings: { [path: string]: Json } = {};
  readonly variables: { [name: string]: string } = {};
  readonly ofPlugins: { name: string; value: PluginSkill }[] = [];
  readonly shelf: Skills;

  /** @param bundled The folder of the skills that come along; none by default. */
  constructor(bundled = join(this.home, "nothing-bundled"), version = "1") {
    this.shelf = openSkills({
      home: resolveHome({ env: { HERMES_HOME: this.home }, userHome: this.home }),
      bundled,
      version,
      log: this.log,
      config: (path) => this.settings[path],
      setConfig: async (path, value) => void (this.settings[path] = JSON.parse(value) as Json),
      programEnvironment: async () => ({ PATH: process.env["PATH"] ?? "", HOME: this.home, GIT_CONFIG_NOSYSTEM: "1" }),
      env: (name) => this.variables[name],
      plugins: () => ({ skills: { list: () => this.ofPlugins }, desk: { list: async () => [{ manifest: { name: "resting" }, key: "resting", state: "disabled" }] } }) as never,
    });
  }

  /** Paths begin at the home. */
  write(files: { readonly [path: string]: string | Uint8Array }): void {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.home, path)), { recursive: true });
      writeFileSync(join(this.home, path), content);
    }
  }

  call(more: Partial<ToolContext> = {}): ToolContext {
    return { ...this.risk(), callId: "c1", ...more } as ToolContext;
  }

  risk(): RiskContext {
    return { sessionId: "s1", taskId: "s1", cwd: this.home, home: this.home, agentHome: this.home, config: (path) => this.settings[path] };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.shelf[Symbol.asyncDispose]();
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** A `SKILL.md`. */
export function skill(name: string, description = `Does ${name}.`, body = `# ${name}\n\nDo it.\n`): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}`;
}

/** What a call that fails tells. */
export async function refused(doing: Promise<unknown>): Promise<Pick<ToolFailure, "message" | "hint" | "data">> {
  const { message, hint, data } = (await doing.then((value) => { throw new Error(`it was done: ${JSON.stringify(value)}`); }, (cause: unknown) => cause)) as ToolFailure;
  return { message, hint, data };
}
