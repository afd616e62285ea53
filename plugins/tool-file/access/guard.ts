import { absolutePath, judgePath, ToolFailure, type Risk, type RiskContext } from "hermes-agent/plugin";
import { isDevicePath } from "../read/device-path.ts";
import type { Place } from "./task-files.ts";

export type Access = "read" | "write" | "create" | "delete";

export interface Touched {
  readonly path: string;
  readonly access: Access;
}

export interface Guard {
  /** Before a call runs: the paths as written. Links cannot be followed yet. */
  risk(touched: readonly Touched[], call: RiskContext): Risk | undefined;
  /**
   * When a call runs: follows links in the place and judges what the path really is.
   * @returns The real absolute path.
   * @throws {ToolFailure} `blocked` when it is refused, or when a person would have to be asked and was asked about something else.
   */
  resolve(path: string, access: Access, place: Place, call: RiskContext): Promise<string>;
  /** Whether a search may show this file. `path` is absolute. */
  mayShow(path: string, call: RiskContext): boolean;
}

/** @param writeRoots Folders that writes may not leave; `undefined` for no such rule. */
export function makeGuard(writeRoots: () => readonly string[] | undefined): Guard {
  const judge = (path: string, access: Access, call: RiskContext, literal = path) =>
    judgePath({ path, literal, access, home: call.home, agentHome: call.agentHome, writeRoots: writeRoots() });

  return {
    risk(touched, call) {
      const judged = touched.map(({ path, access }) => {
        const absolute = absolutePath(path, call.cwd, call.home);
        return { ...judge(absolute, access, call), effect: `${access} ${absolute}` };
      });
      const asked = judged.filter(({ answer }) => answer === "ask");
      // A refusal is told by `resolve`, with the call's own keys around it; asking somebody first would be pointless.
      if (asked.length === 0 || judged.some(({ answer }) => answer === "deny")) return undefined;
      return {
        answer: "ask",
        key: asked[0]!.key,
        reasons: asked.map(({ reason }) => reason),
        effects: asked.map(({ effect }) => effect),
      };
    },

    async resolve(path, access, place, call) {
      const literal = place.absolute(path);
      if (access === "read" && isDevicePath(literal)) refuseDevice(path);
      const real = await place.files.resolve(literal);
      if (access === "read" && isDevicePath(real)) refuseDevice(path);
      const judged = judge(real, access, call, literal);
      if (judged.answer === "allow") return real;
      if (judged.answer === "deny") throw new ToolFailure("blocked", judged.reason);
      // What a person was asked about is the path as it looked from the session's directory.
      const asked = judge(absolutePath(path, call.cwd, call.home), access, call);
      if (asked.answer === "ask" && asked.key === judged.key) return real;
      throw new ToolFailure("blocked", `${path} is really ${real}. ${judged.reason}`, {
        hint: `Call again with the path ${real}, so that a person can be asked about it.`,
      });
    },

    mayShow: (path, call) => judge(path, "read", call).answer === "allow",
  };
}

function refuseDevice(path: string): never {
  throw new ToolFailure(
    "blocked",
    `${path} is a device or a view into a process, not a file with text: reading it could wait for ever or show secrets.`,
  );
}
