import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  ToolFailure,
  type Json,
  type LlmRequest,
  type PluginSkill,
  type RiskContext,
  type ToolContext,
} from "hermes-agent/plugin";
import { resolveHome } from "../../../src/host/environment/home.ts";
import { openSkills, type Skills } from "../../../src/host/skills/open-skills.ts";
import { quietLog } from "../../../src/testing/quiet-log.ts";
import type { Service, HubWeb } from "../command/command-services.ts";

/** A home with skills, and the real shelf over it. */
export class SkillWorld implements AsyncDisposable {
  readonly home = mkdtempSync(join(tmpdir(), "hermes-skills-"));
  readonly folder = join(this.home, "skills");
  readonly log = quietLog();
  readonly settings: { [path: string]: Json } = {};
  readonly variables: { [name: string]: string } = {};
  readonly ofPlugins: { name: string; value: PluginSkill }[] = [];
  readonly shelf: Skills;
  /** The section `skills`, as the hub reads it. */
  readonly section: { [name: string]: Json } = {};
  /** No network, and no model, unless a test has them. */
  fetch: HubWeb["fetch"] = async () => {
    throw new ToolFailure("unreachable", "There is no network in this test.");
  };
  llm: (request: LlmRequest) => Promise<string> = async () => {
    throw new ToolFailure("unavailable", "There is no model in this test.");
  };

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
      plugins: {
        skills: { list: () => this.ofPlugins },
        service: { list: async () => [{ manifest: { name: "resting" }, key: "resting", state: "disabled" }] },
      } as never,
    });
  }

  /** Services for a subcommand with no one to ask. */
  service(say: (text: string) => void): Service {
    return {
      shelf: this.shelf,
      home: this.home,
      signal: new AbortController().signal,
      say,
      needsYes: false,
      redact: (text) => text.replaceAll("s3cret", "***"),
      web: {
        fetch: (url, options) => this.fetch(url, options),
        env: (name) => this.variables[name],
        settings: this.section,
        auditTimeoutMs: 5_000,
      },
      llm: async (request) => ({
        text: await this.llm(request),
        provider: "test",
        model: "test",
        usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 },
      }),
    };
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
    return {
      sessionId: "s1",
      taskId: "s1",
      cwd: this.home,
      home: this.home,
      agentHome: this.home,
      config: (path) => this.settings[path],
    };
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

/** The message of a failed call. */
export async function refused(doing: Promise<unknown>): Promise<Pick<ToolFailure, "message" | "hint" | "data">> {
  const { message, hint, data } = (await doing.then(
    (value) => {
      throw new Error(`it was done: ${JSON.stringify(value)}`);
    },
    (cause: unknown) => cause,
  )) as ToolFailure;
  return { message, hint, data };
}
