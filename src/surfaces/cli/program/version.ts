import { readFileSync } from "node:fs";
import { join } from "node:path";

declare global {
  /** Written in by the build: reading the manifest costs a start. */
  var BUILT_VERSION: string | undefined;
}

/** `hermes-agent 0.1.0`, from the package's own manifest, three folders up in a clone. */
export function version(): string {
  return `hermes-agent ${packageVersion()}`;
}

export function packageVersion(): string {
  return (
    globalThis.BUILT_VERSION ??
    (JSON.parse(readFileSync(join(import.meta.dirname, "../../../../package.json"), "utf8")) as { version: string })
      .version
  );
}
