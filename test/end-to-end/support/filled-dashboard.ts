import { join } from "node:path";
import type { Session } from "../../../src/contract/conversation/session.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import type { ScriptedReply } from "../../servers/script.ts";
import { Pairing } from "../../../src/surfaces/shared/gateway/pairing.ts";
import { DashboardScene } from "./dashboard-scene.ts";
import { aMonthOfUsage, writeUsage } from "./usage-rows.ts";

const MCP_STUB = join(import.meta.dirname, "../../servers/mcp-stub.ts");

const call = (tool: string, args: object): ScriptedReply => ({ calls: [{ tool, args: args as never }] });

const REPLIES: readonly ScriptedReply[] = [
  call("read_file", { path: "notes.txt" }),
  call("patch", { path: "notes.txt", old_string: "sleeps", new_string: "wakes" }),
  call("memory", { action: "add", content: "The build needs ninja." }),
  call("memory", { action: "replace", old_text: "ninja", content: "The build needs make." }),
  call("memory", { action: "add", target: "user", content: "Prefers short answers." }),
  { text: "The weasel wakes." },
];

/** A dashboard in which every page has something to show. */
export class FilledDashboard implements AsyncDisposable {
  readonly scene: DashboardScene;
  readonly session: Session;

  readonly #server: AsyncDisposable;

  private constructor(scene: DashboardScene, session: Session, server: AsyncDisposable) {
    this.scene = scene;
    this.session = session;
    this.#server = server;
  }

  static async open(): Promise<FilledDashboard> {
    let next = 0;
    const server = await startOpenAiServer(() => REPLIES[next++] ?? { text: "Done." });
    const scene = await DashboardScene.open((user) => {
      user.connect(
        "custom",
        server.url,
        `mcp_discovery_timeout: 0.1\nmcp_servers:\n  lab:\n    enabled: false\n    command: ${JSON.stringify(process.execPath)}\n    args: ${JSON.stringify([MCP_STUB])}\n`,
      );
      user.write(
        "~/.hermes/skills/devops/deploy/SKILL.md",
        "---\nname: deploy\ndescription: Deploys the site.\n---\n# Deploy\n\nRun `make deploy`, then check the page.\n",
      );
      user.write("notes.txt", "the weasel sleeps\n");
    });
    const session = await scene.app.openSession({ surface: "cli", cwd: scene.prompter.folder });
    await session.send("wake the weasel in notes.txt");
    new Pairing(scene.prompter.agentHome).offer("telegram", "4711", "Ada");
    const lanes = await (await scene.app.gateway()).lanes();
    const to = { platform: "telegram", chatId: "4711" };
    for (const [key, text] of [
      ["failed", "The nightly report is ready: 3 tests fail on main."],
      ["waiting", "Build 412 is done."],
    ] as const)
      await lanes.finish(undefined, { to, text, key });
    const [failed] = await lanes.waiting(0);
    await lanes.unsent(failed!.id, "Forbidden: bot was blocked by the user", true);
    await writeUsage(scene.prompter.agentHome, aMonthOfUsage(session.id));
    return new FilledDashboard(scene, session, server);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.session[Symbol.asyncDispose]();
    await this.scene[Symbol.asyncDispose]();
    await this.#server[Symbol.asyncDispose]();
  }
}
