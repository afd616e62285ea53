import type { Call } from "./call.ts";

type Place = (words: string, home: string) => string | undefined;

const when =
  (looks: RegExp, place: string): Place =>
  (words, home) =>
    looks.test(words) ? place.replace(/^~/, home) : undefined;
const first =
  (...places: readonly Place[]): Place =>
  (words, home) => {
    for (const place of places) {
      const found = place(words, home);
      if (found !== undefined) return found;
    }
    return undefined;
  };

/** Folder where python loads files automatically, as its programs query it. */
const PACKAGES = "~/.local/lib/python3/site-packages";
const python = first(
  when(/^-m site --user-site$/, PACKAGES),
  when(/^-m site --user-base$/, "~/.local"),
  when(
    /-c .*\bprint\(.*(?:usersitepackages|getsitepackages|USER_SITE|get_path\(["'](?:pure|plat)lib|get_paths\(\)\[["'](?:pure|plat)lib|get_python_lib)/s,
    PACKAGES,
  ),
);
const npm = first(
  when(/^(?:config get|get) prefix$|^prefix (?:-g|--global)$/, "/usr/local"),
  when(/^(?:config get|get) userconfig$/, "~/.npmrc"),
  when(/^(?:config get|get) globalconfig$/, "/usr/local/etc/npmrc"),
);

/** Paths that programs print for their own folders: a file written there is one of theirs. */
const PLACES: Readonly<Record<string, Place>> = {
  ...Object.fromEntries(["python", "python2", "python3", "pypy3"].map((name) => [name, python])),
  ...Object.fromEntries(
    ["pip", "pip3"].map((name) => [
      name,
      (words: string, home: string) =>
        /^show (?!.*(?:-f|--files))/.test(words) ? `Location: ${PACKAGES.replace("~", home)}` : undefined,
    ]),
  ),
  npm,
  pnpm: npm,
  jupyter: first(when(/^--config-dir$/, "~/.jupyter"), when(/^--data-dir$/, "~/.local/share/jupyter")),
  ipython: when(/^locate profile\b/, "~/.ipython/profile_default"),
  Rscript: first(when(/R\.home\(["']etc["']\)/, "/usr/lib/R/etc"), when(/path\.expand\(["']~["']\)/, "~")),
  go: first(
    when(/^env GOENV$/, "~/.config/go/env"),
    when(/^env GOROOT$/, "/usr/local/go"),
    when(/^env GOPATH$/, "~/go"),
    when(/^env GOBIN$/, "~/go/bin"),
  ),
  git: first(
    (words) =>
      /^(?:-C \S+ )?rev-parse (?:--path-format=\w+ )?--git-path ([\w./-]+)$/.exec(words)?.[1]?.replace(/^/, ".git/"),
    when(/^(?:-C \S+ )?rev-parse (?:--path-format=\w+ )?--(?:git-dir|git-common-dir|absolute-git-dir)$/, ".git"),
    when(/^config (?:--\w+ )*(?:get )?core\.hooksPath$/i, ".git/hooks"),
    when(/^config (?:--\w+ )*(?:get )?init\.templateDir$/i, ".git"),
    when(/^--exec-path$/, "/usr/lib/git-core"),
  ),
  "systemd-path": first(
    when(/^user-configuration$/, "~/.config"),
    when(/^user$/, "~"),
    when(/^systemd-user-conf/, "~/.config/systemd/user"),
    when(/^systemd-system-conf/, "/etc/systemd/system"),
  ),
  findmnt: when(/\bSOURCE\b.*\s\/(?:home|boot|usr|var)?$/, "/dev/root"),
  "xdg-user-dir": when(/^$/, "~"),
  ...Object.fromEntries(["vim", "nvim"].map((name) => [name, when(/stdpath\(["']config["']\)/, "~/.config/nvim")])),
  php: first(
    when(/php_ini_loaded_file\(\)/, "/etc/php/php.ini"),
    when(/php_ini_scanned_files\(\)|PHP_CONFIG_FILE_SCAN_DIR/, "/etc/php/conf.d"),
    when(/PHP_CONFIG_FILE_PATH/, "/etc/php"),
  ),
  "php-config": when(/^--ini-dir$/, "/etc/php/conf.d"),
  cargo: when(/^locate-project\b.*plain/, "Cargo.toml"),
};

/** The text that the program prints, where it is known what that is. */
export function printedPlace(call: Call): string | undefined {
  const place = Object.hasOwn(PLACES, call.program) ? PLACES[call.program] : undefined;
  const words = place === undefined ? "" : call.args.join(" ");
  return place === undefined || words.length > 400 ? undefined : place(words, call.by.home);
}
