import { hash, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { TerminalUnavailable } from "hermes-agent/plugin";
import type { ClientProgram } from "hermes-agent/terminal";

/** An image may have to be fetched and packed. */
const BUILD_LIMIT_MS = 900_000;

const building = new Map<string, Promise<string>>();

/** The image as a file: what is one already, or what was built of a URI once. @throws {TerminalUnavailable} */
export async function imageFile(runtime: ClientProgram, image: string, folder: string): Promise<string> {
  if (!/^[a-z][a-z0-9+-]*:\/\//.test(image)) {
    if (existsSync(image)) return image;
    throw new TerminalUnavailable(`No such image: ${image}.`, {
      hint: "Set terminal.singularity_image to a file, a folder or a URI such as docker://debian:12.",
    });
  }
  const file = join(
    folder,
    `${image
      .replace(/^.*:\/\//, "")
      .replaceAll(/[^\w.-]+/g, "-")
      .slice(-60)}-${hash("sha256", image).slice(0, 12)}.sif`,
  );
  if (existsSync(file)) return file;
  const running = building.get(file) ?? build(runtime, image, folder, file).finally(() => building.delete(file));
  building.set(file, running);
  return running;
}

/** Built beside its place and renamed: another agent that builds the same at the same time does no harm. */
async function build(runtime: ClientProgram, image: string, folder: string, file: string): Promise<string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const beside = join(folder, `.${randomUUID()}.sif`);
  try {
    const { code, error } = await runtime.ask(["build", beside, image], { timeoutMs: BUILD_LIMIT_MS });
    if (code === 0 && existsSync(beside)) {
      renameSync(beside, file);
      return file;
    }
    throw new TerminalUnavailable(`Cannot build the image ${image}: ${lastWords(error)}`, {
      hint: `Check terminal.singularity_image, or build it manually: ${runtime.client} build FILE ${image}`,
    });
  } finally {
    rmSync(beside, { force: true });
  }
}

/** The last line of what the client said, without its own mark. */
export function lastWords(error: string): string {
  const line =
    error
      .split("\n")
      .filter((one) => one.trim() !== "")
      .at(-1) ?? "the client gave no reason";
  return line.replace(/^(FATAL|ERROR):\s*/, "");
}
