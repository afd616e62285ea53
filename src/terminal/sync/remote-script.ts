import { quoted } from "../../contract/common/quoted.ts";

/** Names of ours in a tree: what is on its way. Neither listed nor sent. */
export const OWN_PREFIX = ".hermes-sync-";

/**
 * Files that a package manager or a build recreates, or that belong to one machine; and repositories, whose parts only
 * make sense together.
 */
export const LEFT_OUT: readonly string[] = [
  ".git",
  ".hg",
  ".svn",
  ".jj",
  "node_modules",
  "bower_components",
  ".pnpm-store",
  ".venv",
  "venv",
  "__pycache__",
  ".tox",
  ".nox",
  ".mypy_cache",
  ".pytest_cache",
  ".ruff_cache",
  ".gradle",
  ".terraform",
  ".DS_Store",
];

export interface TreeInEnvironment {
  /** Folder in the environment; one that starts with `~/` is in the home there. */
  readonly folder: string;
  /** Name of the file that says which synchronized state the environment has. */
  readonly marker: string;
  /** No other user there may read the files. */
  readonly closed: boolean;
}

/** Status of a script that did not find the folder. */
export const NO_FOLDER = 66;

// `facts` are a file's size, times, number and mode: as long as they stay, so does its content. GNU and BusyBox know
// -c, BSD -f.
const PRELUDE = (tree: TreeInEnvironment) => `
root=${placeWord(tree.folder)}; marker=$HOME/.hermes/.sync/${tree.marker}; aside=./${OWN_PREFIX}${tree.marker}
umask ${tree.closed ? "077" : "022"}
if stat -c %.9Y . >/dev/null 2>&1; then opt=-c; fmt='%s %.9Y %.9Z %i %f'; name=%n; elif stat -c %Y . >/dev/null 2>&1; then opt=-c; fmt='%s %Y %Z %i %f'; name=%n; else opt=-f; fmt='%z %Fm %Fc %i %Xp'; name=%N; fi
facts() { stat "$opt" "$fmt" -- "$1" 2>/dev/null; }
enter() { cd -P -- "$root" 2>/dev/null || exit ${NO_FOLDER}; top=$PWD; }
# A folder of the tree, or its nearest that is there (d), that no link leads out of.
inside() {
  d=$1; l=
  while [ ! -e "$d" ] && [ ! -L "$d" ]; do l=$d; d=\${d%/*}; done
  [ -d "$d" ] && cd -P -- "$d" 2>/dev/null || return
  at=$PWD; cd -- "$top"; [ "$at" = "$top\${d#.}" ]
}
same() { [ ! -L "./$1" ] && [ -f "./$1" ] && [ "$(facts "./$1")" = "$2" ]; }
parent() { parent=./$1; parent=\${parent%/*}; }
`;

/**
 * Writes the marker's words, the clock, and a line with facts and name of each regular file. No link is followed.
 * @param only Folders and files to look at; empty: all.
 */
export function listScript(tree: TreeInEnvironment, only: readonly string[]): string {
  const names = [...LEFT_OUT, `${OWN_PREFIX}*`].map((name) => `-name ${quoted(name)}`).join(" -o ");
  const parts = only.length === 0 ? "." : only.map((part) => quoted(`./${part}`)).join(" ");
  return `${PRELUDE(tree)}
enter
printf '%s\\n' "$(head -c 100 "$marker" 2>/dev/null | tr -d '\\n')" "$(date +%s)"
for tool in find xargs tar; do command -v "$tool" >/dev/null || { printf 'missing %s\\n' "$tool"; exit 1; }; done
find ${parts} \\( ${names} \\) -prune -o -type f -exec stat "$opt" "$fmt $name" -- {} + 2>/dev/null
exit 0`;
}

/** Makes the folder and marks the place. */
export function markScript(tree: TreeInEnvironment, words: string): string {
  return `${PRELUDE(tree)}
mkdir -p -- "$root" && (umask 077; mkdir -p -- "\${marker%/*}" && printf '%s\\n' ${quoted(words)} >"$marker.$$" && mv -f -- "$marker.$$" "$marker") 2>&1`;
}

/** Reads names, each behind it a zero byte, and writes `HASH  NAME` of those that are there. */
export function hashScript(tree: TreeInEnvironment): string {
  return `${PRELUDE(tree)}
enter
if command -v sha256sum >/dev/null; then xargs -0 sha256sum; else xargs -0 shasum -a 256; fi 2>/dev/null
exit 0`;
}

/** Reads names, each behind it a zero byte, and writes one or more archives of them. */
export function fetchScript(tree: TreeInEnvironment): string {
  return `${PRELUDE(tree)}
enter
xargs -0 tar -cf - 2>/dev/null
exit 0`;
}

/**
 * Reads names, each behind it a zero byte; writes `y` or `n`, name and zero byte: whether it is known that there is
 * nothing of that name.
 */
export function absentScript(tree: TreeInEnvironment): string {
  return `${PRELUDE(tree)}
enter
while IFS= read -r -d '' p; do
  parent "$p"; d=$parent
  while [ ! -e "$d" ] && [ ! -L "$d" ]; do d=\${d%/*}; done
  if [ ! -e "./$p" ] && [ ! -L "./$p" ] && { [ ! -d "$d" ] || [ -x "$d" ]; }; then printf 'y%s\\0' "$p"; else printf 'n%s\\0' "$p"; fi
done
exit 0`;
}

/** The name under which an archive for `putScript` holds what is expected. */
export const EXPECTED = `${OWN_PREFIX}expected`;

/**
 * Reads an archive whose file `EXPECTED` holds pairs of name and facts (`-`: none yet), each behind it a zero byte.
 * Unpacked beside the files and then moved over them, as far as they are as expected. Writes `y` or `n`, name and zero
 * byte for each.
 */
export function putScript(tree: TreeInEnvironment): string {
  return `${PRELUDE(tree)}
enter
rm -rf -- "$aside"; mkdir -m 700 -- "$aside" 2>&1 || exit 1
trap 'rm -rf -- "$aside"' EXIT
tar -xopf - -C "$aside" 2>&1 || exit 1
last=; names=(); moved=
flush() {
  [ \${#names[@]} -gt 0 ] || return
  mv -f -- "\${names[@]/#/$aside/}" "$last/" 2>/dev/null
  for n in "\${names[@]}"; do if [ -e "$aside/$n" ]; then printf 'n%s\\0' "$n"; else printf 'y%s\\0' "$n"; fi; done
  names=()
}
while IFS= read -r -d '' p && IFS= read -r -d '' e; do
  parent "$p"
  # A folder that was not there is moved as a whole.
  case ./$p in "$moved"/*) [ -z "$moved" ] || { printf 'y%s\\0' "$p"; continue; } ;; esac
  if [ "$parent" != "$last" ]; then
    flush; last=$parent; usable=
    if inside "$parent"; then
      usable=y
      if [ -n "$l" ]; then
        mv -- "$aside/$l" "$l" 2>/dev/null && { moved=$l; last=; printf 'y%s\\0' "$p"; continue; }
        usable=
      fi
    fi
  fi
  if [ -z "$usable" ] || [ -d "./$p" ]; then printf 'n%s\\0' "$p"; continue; fi
  if [ "$e" = - ]; then { [ -e "./$p" ] || [ -L "./$p" ]; } && { printf 'n%s\\0' "$p"; continue; }
  else same "$p" "$e" || { printf 'n%s\\0' "$p"; continue; }; fi
  names+=("$p"); [ \${#names[@]} -lt 200 ] || flush
done <"$aside/${EXPECTED}"
flush
exit 0`;
}

/**
 * Reads pairs of name and facts, each behind it a zero byte; removes those files that are as expected, and folders that
 * are empty then.
 */
export function removeScript(tree: TreeInEnvironment): string {
  return `${PRELUDE(tree)}
enter
while IFS= read -r -d '' p && IFS= read -r -d '' e; do
  parent "$p"
  if inside "$parent" && same "$p" "$e" && rm -f -- "./$p" 2>/dev/null; then
    printf 'y%s\\0' "$p"
    while [ "$parent" != . ] && rmdir -- "$parent" 2>/dev/null; do parent=\${parent%/*}; done
  else printf 'n%s\\0' "$p"; fi
done
exit 0`;
}

function placeWord(folder: string): string {
  return folder.startsWith("~/") ? `"$HOME"${quoted(folder.slice(1))}` : quoted(folder);
}
