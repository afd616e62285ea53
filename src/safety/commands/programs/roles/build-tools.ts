import type { RoleRow } from "./role.ts";

/** Compilers, package managers, interpreters and version control, from their manuals. */
export const BUILD_TOOLS: readonly RoleRow[] = [
  [
    "npm pnpm yarn npx pnpx bun",
    {
      command: "script-shell editor viewer browser git",
      config: "userconfig globalconfig",
      load: "node-options onload-script init-module",
      url: "#*",
      data: "C prefix dir cwd w workspace filter",
    },
  ],
  [
    "pip pip3 pipx uv uvx poetry pdm hatch rye pipenv",
    { config: "config config-file", host: "proxy", data: "r c t e index-url i" },
  ],
  ["cargo rustup", { url: "index", data: "p target Z" }],
  ["cargo", { command: "config", when: /--config[= ]\S*(?:runner|rustc|wrapper|linker|rustflags|alias|credential)/ }],
  ["go", { command: "exec toolexec vettool", words: true }],
  ["gem bundle bundler", { host: "source s p http-proxy", config: "config-file" }],
  ["composer", { url: "repository repository-url" }],
  ["sbt lein mill bazel bazelisk buck2", { command: "run_under", sends: "remote_cache remote_executor bes_backend" }],
  ["make gmake bmake remake", { url: "#*" }],
  ["cmake", { url: "#*" }],
  ["ninja meson scons waf tup", { url: "#*" }],
  [
    "gcc g++ cc c++ clang clang++ tcc",
    { command: "wrapper", load: "fplugin load", read: "imacros include specs", words: true },
  ],
  ["gcc g++ cc c++ clang clang++ cpp", { read: "#*", when: /(?:^|\s)-E(?:\s|$)/ }],
  [
    "ld ld.gold ld.lld mold",
    {
      load: "plugin",
      read: "T script version-script dynamic-list R retain-symbols-file",
      data: "o L l m e u z",
      words: true,
    },
  ],
  ["as nasm yasm", { read: "#* i p" }],
  ["gdb gdbserver lldb", { read: "x command s source", data: "p c ex eval-command o O" }],
  [
    "gdb lldb gdbserver",
    { sends: "ex eval-command o #1", when: /target (?:extended-)?remote|gdb-remote|platform connect|^\S*:\d+/ },
  ],
  ["deno", { url: "#* import-map" }],
  ["php", { config: "c", load: "z", data: "d r B R E F f S t" }],
  [
    "php",
    {
      load: "d",
      when: /(?:^|\s)-d\s*["']?(?:auto_(?:ap|pre)pend_file|extension|zend_extension|sendmail_path|error_log)\s*=/,
    },
  ],
  [
    "ghc ghci runghc stack cabal",
    { command: "pgmF pgmc pgml pgma pgmP pgmL", load: "fplugin ghci-script", words: true },
  ],
  ["java javaw javac jshell", { load: "javaagent processorpath", words: true }],
  ["rustc cargo", { command: "C", when: /linker=(?:\.|\/tmp)/ }],
  [
    "svn",
    {
      host: "#*",
      command: "diff-cmd diff3-cmd editor-cmd merge-tool",
      config: "config-dir",
      read: "F file targets",
      data: "m r u username password message revision depth config-option",
    },
  ],
  ["svn", { command: "config-option", when: /config:(?:tunnels|helpers):/ }],
  ["svn svnsync svnrdump svnlook svnmucc", { url: "#*" }],
  ["hg chg sl", { command: "e ssh remotecmd", url: "#*", read: "l logfile", data: "R r m u b cwd rev message" }],
  [
    "hg chg sl",
    {
      command: "config",
      when: /--config[= ]\S*(?:alias|hooks?|pager|editor|ui\.ssh|extdiff|merge-tools|diff-tools|fsmonitor|credential)/,
    },
  ],
  ["bzr brz cvs fossil darcs pijul jj p4", { url: "#*", command: "diff-cmd editor", data: "m r" }],
  ["cvs", { host: "d", when: /:(?:ext|pserver|ssh|server):|@/ }],
  [
    "jj",
    {
      command: "config config-toml",
      when: /--config(?:-toml)?[= ]\S*(?:alias|editor|pager|diff|merge|fsmonitor|signing)/,
    },
  ],
  ["fossil", { verbs: "clone pull push sync remote open", url: "#*", host: "proxy", command: "ssh-command" }],
  ["repo", { url: "u manifest-url repo-url", verbs: "init" }],
  [
    "nix nix-shell nix-build nix-env nix-instantiate nix-prefetch-url nix-channel nix-store guix",
    {
      url: "#* f substituters substitute-urls",
      sends: "store builders eval-store",
      command: "post-build-hook",
      when: /./,
    },
  ],
  ["nix nix-build nix-shell nix-env nix-store", { load: "plugin-files" }],
  [
    "nix nix-build nix-shell nix-env nix-store",
    { load: "#*", when: /--option\s+(?:plugin-files|post-build-hook|builders)\s/ },
  ],
  ["brew apt apt-get apk dnf yum zypper pacman", { config: "c config-file", url: "#*", data: "o t" }],
  [
    "apt apt-get aptitude apt-cache",
    {
      command: "o option",
      when: /(?:Pre-Invoke|Post-Invoke|Pre-Install-Pkgs|Post-Invoke-Success|Dpkg::Path|Dir::Bin)/,
    },
  ],
  ["apt apt-get", { sends: "o", when: /Acquire::\w+::Proxy/ }],
  ["dpkg", { command: "pre-invoke post-invoke status-logger", data: "D L l s S c I i" }],
  ["rpm", { command: "pipe", config: "rcfile macros", url: "#*", data: "E D define eval q" }],
  ["rpm rpmbuild rpmspec", { command: "E eval define D", when: /%\(/ }],
  ["snap flatpak", { url: "from #*" }],
  ["pacman", { config: "config hookdir" }],
  [
    "debootstrap mmdebstrap multistrap",
    { url: "#*", command: "setup-hook extract-hook essential-hook customize-hook" },
  ],
  ["docker buildx", { url: "#*", verbs: "build buildx" }],
  ["pytest py.test", { sends: "tx" }],
  ["gcov lcov genhtml gprof objdump nm readelf strip", { command: "gcov-tool" }],
  ["bzr brz", { command: "using" }],
  ["cvs", { command: "e", data: "d m r" }],
  ["pytest py.test", { load: "p", when: /(?:^|\s)-p\s?\.?\// }],
  ["dpkg", { command: "pre-invoke post-invoke" }],
  [
    "dpkg-buildpackage debuild",
    {
      command:
        "hook-init hook-preclean hook-source hook-build hook-binary hook-buildinfo hook-changes hook-postclean hook-check hook-sign hook-done check-command sign-command p rules-file R",
    },
  ],
  ["mvn mvnw mvnd gradle gradlew sbt ant", { load: "D", when: /-(?:javaagent|agentpath):/ }],
  ["go", { verbs: "get install", host: "#*" }],
  ["mvn mvnw mvnd gradle gradlew sbt", { url: "D" }],
];
