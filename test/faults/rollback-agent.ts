/** Runs a rollback and may be killed during it. Arguments: top folder, then `turn` or `undo`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CheckpointService } from "../../plugins/checkpoints/checkpoint-service.ts";
import { pickTurn } from "../../plugins/checkpoints/rollback/undoable-turn.ts";
import type { PluginContext } from "../../src/plugin.ts";

const [top = "", action] = process.argv.slice(2);
const root = join(top, "project");
const log = { warning: (text: string) => console.error(text), info: () => {} };
const service = new CheckpointService(
  { home: join(top, "home"), config: {}, env: () => undefined, log } as unknown as PluginContext,
  join(top, "person"),
);
if (action === "turn") {
  const over = await service.before({ sessionId: "s", turnId: "t1", paths: [root], label: "x", progress: () => {} });
  for (let at = 0; at < 200; at += 1) writeFileSync(join(root, `f${at}`), "b");
  over();
  await service.after("t1");
} else {
  const { checkpoints } = pickTurn(service.turns(new Set(["t1"])), "1");
  await service.carryOut(await service.plan(checkpoints), { sessionId: "s", cameFrom: "s", label: "undo" });
}
service.close();
