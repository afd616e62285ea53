import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PACKAGE } from "../registry/door.ts";

const KINDS = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"] as const;

/**
 * Finds the dependencies by which npm would fetch `hermes-agent` from the registry. That package belongs to another
 * publisher.
 * @returns One message for each kind of dependency that names it.
 */
export function wrongPackages(dir: string): readonly string[] {
  const manifest = readManifest(join(dir, "package.json"));
  return KINDS.filter((kind) => isFromRegistry(manifest[kind]?.["hermes-agent"])).map((kind) => {
    const instead =
      kind === "peerDependencies"
        ? `Name "${PACKAGE}" there`
        : `Write "hermes-agent": "npm:${PACKAGE}@*", or remove the line`;
    return `package.json: "hermes-agent" in ${kind} is another publisher's package on npm. ${instead}; the import "hermes-agent/plugin" stays.`;
  });
}

function isFromRegistry(spec: unknown): boolean {
  return typeof spec === "string" && !/[:/]/.test(spec);
}

function readManifest(file: string): {
  readonly [kind in (typeof KINDS)[number]]?: { readonly [name: string]: unknown };
} {
  try {
    const manifest: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof manifest === "object" && manifest !== null ? manifest : {};
  } catch {
    return {}; // Without a package.json, or with one that discovery reports.
  }
}
