import { absolutePath, judgePath, ToolFailure, type Risk, type RiskContext } from "hermes-agent/plugin";
import { isDevicePath } from "../read/device-path.ts";
import type { Place } from "./task-files.ts";
import { homeOf } from "./home-of.ts";

export type Access = "read" | "write" | "create" | "delete";

export interface Touched {
  readonly path: string;
  readonly access: Access;
}

export interface Guard {
  /** Assesses the paths as written, before the call runs. Links cannot be followed yet. */
  risk(touched: readonly Touched[], call: RiskContext): Risk | undefined;
  /**
   * Resolves links in the environment when the call runs, and assesses the real path.
   * @returns The real absolute path.
   * @throws {ToolFailure} `blocked` when it is refused, or when it needs an approval that was given for another path.
   */
  resolve(path: string, access: Access, place: Place, call: RiskContext): Promise<string>;
  /** Whether search results may include this file. `path` is absolute. */
  mayShow(path: string, call: RiskContext): boolean;
}

/** @param writeRoots The only folders that may be written; `undefined` for no limit. */
export function makeGuard(writeRoots: () => readonly string[] | undefined): Guard {
  const judge = (path: string, access: Access, call: RiskContext, literal = path) =>
    judgePath({ path, literal, access, home: call.home, agentHome: call.agentHome, writeRoots: writeRoots() });

  return {
    risk(touched, call) {
      const judged = touched.map(({ path, access }) => {
        const absolute = absolutePath(path, call.cwd, call.home, homeOf);
        return { ...judge(absolute, access, call), effect: `${access} ${absolute}` };
      });
      const asked = judged.filter(({ answer }) => answer === "ask");
      // `resolve` reports a refusal, with the call's result keys; asking the user first would be pointless.
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
      // The user approved the path as it looked from the session's directory.
      const asked = judge(absolutePath(path, call.cwd, call.home, homeOf), access, call);
      if (asked.answer === "ask" && asked.key === judged.key) return real;
      throw new ToolFailure("blocked", `${path} resolves to ${real}. ${judged.reason}`, {
        hint: `Call again with the path ${real}, so that the user can be asked.`,
      });
    },

    mayShow: (path, call) => judge(path, "read", call).answer === "allow",
  };
}

function refuseDevice(path: string): never {
  throw new ToolFailure(
    "blocked",
    `${path} is a device or a process file, not a text file: reading it could block forever or reveal secrets.`,
  );
}
