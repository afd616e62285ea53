/** Computes what a release changes. No access to disk or Git. */

const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;

export class ReleaseError extends Error {}

/**
 * Computes the version to release.
 * @param wanted `patch`, `minor`, `major` or a version.
 * @param released Whether the current version has a tag. If it has none, it may be released itself.
 */
export function nextVersion(current: string, wanted: string, released: boolean): string {
  const [major, minor, patch] = numbersOf(current);
  if (wanted === "patch") return `${major}.${minor}.${patch + 1}`;
  if (wanted === "minor") return `${major}.${minor + 1}.0`;
  if (wanted === "major") return `${major + 1}.0.0`;
  const order = compare(numbersOf(wanted), [major, minor, patch]);
  if (order < 0 || (order === 0 && released))
    throw new ReleaseError(`${wanted} is not newer than the current version ${current}.`);
  return wanted;
}

function numbersOf(version: string): readonly [number, number, number] {
  const [, major, minor, patch] = VERSION.exec(version) ?? [];
  if (patch === undefined) throw new ReleaseError(`"${version}" is not a version. Write patch, minor, major or X.Y.Z.`);
  return [Number(major), Number(minor), Number(patch)];
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : a[at]! - b[at]!;
}

/**
 * Dates the changelog's unreleased section: `## Unreleased` or `## X.Y.Z (unreleased)`.
 * @returns The new text, and the section without its heading.
 */
export function releaseChangelog(
  text: string,
  version: string,
  date: string,
): { readonly text: string; readonly section: string } {
  const heading = /^## .*\bunreleased\b.*$/im.exec(text);
  if (heading === null)
    throw new ReleaseError('CHANGELOG.md has no unreleased section. Add "## Unreleased" and list the changes.');
  const after = heading.index + heading[0].length;
  const next = text.slice(after).search(/^## /m);
  const section = text.slice(after, next < 0 ? undefined : after + next).trim();
  if (!/^[-*] /m.test(section)) throw new ReleaseError("The unreleased section of CHANGELOG.md lists no change.");
  return { text: `${text.slice(0, heading.index)}## ${version} (${date})${text.slice(after)}`, section };
}

/**
 * Sets the version of `package.json`, or of the package itself in `package-lock.json`, and leaves the rest of the text
 * alone.
 */
export function setVersion(text: string, current: string, version: string): string {
  const { packages } = JSON.parse(text) as { readonly packages?: object };
  const line = `"version": ${JSON.stringify(current)}`;
  let left = packages === undefined ? 1 : 2;
  const changed = text.replaceAll(line, (found) => (left-- > 0 ? `"version": ${JSON.stringify(version)}` : found));
  if (left > 0) throw new ReleaseError(`package.json and package-lock.json do not agree on the version ${current}.`);
  return changed;
}

/** Finds the placeholders that CONTRIBUTING.md lists. */
export function placeholdersIn(files: { readonly [name: string]: string }): readonly string[] {
  return Object.entries(files).flatMap(([name, text]) =>
    [...new Set(text.match(/github\.com\/OWNER\b|[\w.-]+@[\w.-]+\.example\b/g))].map((found) => `${name}: ${found}`),
  );
}
