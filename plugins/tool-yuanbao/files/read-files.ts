import { basename } from "node:path";
import { ToolFailure, absolutePath, judgePath, type ToolContext } from "hermes-agent/plugin";

/** A file as it was when it was checked. */
export interface ReadFile {
  readonly path: string;
  readonly name: string;
  readonly bytes: Uint8Array;
}

const MAX_BYTES = 50_000_000;

/**
 * Reads complete files from the session's terminal environment. @throws {ToolFailure} for one that is protected,
 * missing, empty or too large.
 */
export async function readFiles(paths: readonly string[], call: ToolContext): Promise<readonly ReadFile[]> {
  if (paths.length === 0) return [];
  const backend = await call.use("terminal");
  const { files, cwd } = await backend.open(
    { key: call.taskId, cwd: backend.elsewhere === true ? undefined : call.cwd },
    call.signal,
  );
  const read: ReadFile[] = [];
  for (const given of paths) {
    const literal = absolutePath(given, cwd, call.home);
    const path = await files.resolve(literal);
    const { answer, reason } = judgePath({ path, literal, access: "read", home: call.home, agentHome: call.agentHome });
    if (answer !== "allow") throw new ToolFailure("blocked", reason);
    const found = await files.stat(path);
    if (found === undefined) throw new ToolFailure("not_found", `File not found: ${given}. Nothing was sent.`);
    if (found.kind !== "file") throw new ToolFailure("bad_arguments", `${given} is not a file. Nothing was sent.`);
    if (found.bytes === 0) throw new ToolFailure("bad_arguments", `${given} is empty. Nothing was sent.`);
    if (found.bytes > MAX_BYTES)
      throw new ToolFailure("bad_arguments", `${given} is larger than ${MAX_BYTES / 1_000_000} MB. Nothing was sent.`);
    const bytes = await files.read(path, { from: 0, bytes: found.bytes }, { judged: true });
    if (bytes === undefined) throw new ToolFailure("not_found", `${given} no longer exists. Nothing was sent.`);
    read.push({ path: given, name: basename(path), bytes });
  }
  return read;
}
