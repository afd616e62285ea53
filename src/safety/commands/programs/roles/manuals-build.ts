import type { RoleRow } from "./role.ts";

/** Options from the manuals of programs for compilers, debuggers, interpreters and version control: what the other tables do not say. */
export const MANUALS_BUILD: readonly RoleRow[] = [
  [
    "cmake",
    {
      manual: "cmake, cmake 3.25.1-1",
      write: "profiling-output trace-redirect graphviz",
      data: "D U G T A S B E W j t",
    },
  ],
  [
    "ctest",
    {
      manual: "ctest, cmake 3.25.1-1",
      command: "test-command build-makeprogram",
      write: "O output-log output-junit",
      data: "C D M T R E L FA FS FC I j VV",
    },
  ],
  ["cpack", { manual: "cpack, cmake 3.25.1-1", settings: "config", write: "B", data: "G C D R P" }],
  [
    "clang clang++ gcc g++ cc c++",
    {
      manual: "clang-14, clang-14 14.0.6-12",
      write: "o MF MJ dumpdir save-temps aux-info",
      load: "fplugin fpass-plugin ld-path",
      command: "wrapper",
      words: true,
    },
  ],
  ["as", { manual: "as, binutils-common 2.40-2", write: "o MD", words: true }],
  [
    "ld ld.bfd ld.gold gold",
    {
      manual: "ld, binutils-common 2.40-2",
      write: "o output Map dependency-file out-implib",
      load: "plugin",
      words: true,
    },
  ],
  [
    "ghc ghci runghc runhaskell",
    {
      manual: "ghc, ghc 9.0.2-4",
      command: "pgmF pgmL pgmP pgmc pgma pgml pgmi pgms pgmlo pgmlc pgmlm pgmdll pgmwindres pgmlibtool",
      load: "fplugin frontend fplugin-library",
      write: "o outputdir odir hidir stubdir dumpdir ddump-file-prefix",
      words: true,
    },
  ],
  ["scons", { manual: "scons, scons 4.4.0+dfsg-1", load: "site-dir", write: "cache-debug", data: "C D u U j Y I" }],
  ["autoconf autoreconf automake aclocal", { manual: "autoconf, autoconf 2.71-3", write: "o output", data: "W B I" }],
  [
    "bison",
    {
      manual: "bison, bison 3.8.2+dfsg-1+b1",
      write: "o output g graph x xml report-file H header defines",
      settings: "S skeleton",
      data: "b p L W D F r M",
    },
  ],
  [
    "flex",
    {
      manual: "flex, flex 2.6.4-8.2",
      write: "o outfile header-file tables-file backup-file",
      settings: "S skel",
      data: "P C",
    },
  ],
  [
    "m4",
    { manual: "m4, m4 1.4.19-3", write: "o debugfile F freeze-state", read: "R reload-state", data: "D U I L B S s" },
  ],
  [
    "protoc",
    {
      manual: "protoc, protobuf-compiler 3.21.12-3+deb12u1",
      load: "plugin",
      write: "cpp_out java_out python_out go_out js_out descriptor_set_out o dependency_out",
      read: "descriptor_set_in",
    },
  ],
  ["swig swig4.0", { manual: "swig4.0, swig4.0 4.1.0-0.2", write: "o oh outdir MF", words: true }],
  ["ccache", { manual: "ccache, ccache 4.8+really4.7.5-1", config: "config-path", data: "M F o k x X" }],
  ["sphinx-build", { write: "d w", data: "b D A t j" }],
  [
    "latexmk pdflatex lualatex xelatex latex pdftex luatex xetex tex",
    {
      manual: "latexmk, latexmk 4.79-1",
      command: "e pdflatex lualatex xelatex latex pretex usepretex",
      settings: "r",
      write: "output-directory outdir auxdir jobname deps-out",
      words: true,
    },
  ],
  [
    "xdvi",
    {
      manual: "xdvi, texlive-binaries 2022.20220321.62855-5.1+deb12u2",
      command: "editor dvipspath ps2pdfpath",
      words: true,
    },
  ],
  [
    "prove",
    {
      manual: "prove, perl 5.36.0-7+deb12u4",
      command: "exec e",
      settings: "rc",
      write: "archive a",
      read: "statefile",
      data: "j",
    },
  ],
  [
    "php php8.2",
    {
      manual: "php8.2, php8.2-cli 8.2.36-1~deb12u1",
      load: "z zend-extension",
      settings: "c",
      data: "f F r B R E d S t",
    },
  ],
  ["guile guile-3.0", { manual: "guile-3.0, guile-3.0 3.0.8-2", load: "x", data: "c s e L l" }],
  [
    "sbcl",
    { manual: "sbcl, sbcl 2.2.9-1", load: "core sysinit userinit", data: "eval dynamic-space-size load script" },
  ],
  ["R Rscript", { manual: "R, r-base-core 4.2.2.20221110-2", read: "f file", data: "e" }],
  ["elixir iex elixirc", { manual: "elixir, elixir 1.14.0.dfsg-2", write: "o pipe-to", data: "e S r" }],
  ["erlc", { manual: "erlc, erlang-base 25.2.3+dfsg-1+deb12u4", write: "o MF", data: "b I D W" }],
  [
    "rustdoc",
    { manual: "rustdoc, rustc 1.63.0+dfsg1-2", load: "plugin-path", write: "o output", read: "html-in-header" },
  ],
  [
    "rustc",
    {
      manual: "rustc, rustc 1.63.0+dfsg1-2",
      write: "o out-dir emit",
      data: "A W D F L l C crate-name crate-type edition cfg Z g",
    },
  ],
  [
    "cargo",
    {
      manual: "cargo, cargo 0.66.0+ds1-1",
      write: "target-dir artifact-dir out-dir root lockfile-path",
      data: "p j F Z C manifest-path",
    },
  ],
  [
    "go",
    {
      manual: "go, golang-go 1.19~1",
      command: "toolexec exec vettool",
      write: "o coverprofile cpuprofile memprofile blockprofile mutexprofile trace outputdir pkgdir",
      words: true,
    },
  ],
  ["javac", { write: "d s h", words: true }],
  ["keytool", { write: "destkeystore file", load: "providerpath", settings: "conf", words: true }],
  ["mvn mvnw", { write: "l log-file", data: "f P D pl T" }],
  [
    "gradle gradlew",
    { manual: "gradle, gradle 4.4.1-18", write: "project-cache-dir g gradle-user-home", data: "p b P D" },
  ],
  [
    "pip pip3",
    {
      manual: "pip, python3-pip 23.0.1+dfsg-1",
      write: "log t target d dest download download-cache src root prefix report cache-dir",
      data: "r requirement c constraint i e",
    },
  ],
  ["npm pnpm yarn npx", { manual: "npm, npm 9.2.0~ds1-1", write: "cache prefix logs-dir" }],
  ["gem", { write: "i install-dir n bindir", config: "config-file", data: "s source" }],
  [
    "valgrind",
    {
      manual: "valgrind, valgrind 3.19.0-1",
      write:
        "log-file xml-file massif-out-file callgrind-out-file cachegrind-out-file dhat-out-file xtree-memory-file xtree-leak-file vgdb-prefix pc-out-file bb-out-file",
      stop: true,
    },
  ],
  ["strace", { manual: "strace, strace 6.1-0.1", write: "o output", data: "e E p s u a b I O P S X", stop: true }],
  [
    "ltrace",
    { manual: "ltrace, ltrace 0.7.3-6.4", write: "o output", config: "F", data: "e p s u a A D n w x", stop: true },
  ],
  ["perf", { write: "o output", read: "i input", data: "e c F p t g" }],
  [
    "script",
    {
      manual: "script, bsdutils 2.38.1-5+deb12u3",
      write: "O log-out B log-io I log-in T log-timing",
      runs: "c command",
      data: "m o",
    },
  ],
  ["time gtime", { manual: "time, manpages 6.03-2", write: "o output", data: "f", stop: true }],
  ["gnuplot gnuplot-nox", { manual: "gnuplot-nox, gnuplot-nox 5.4.4+dfsg1-2+b2", config: "c", data: "e" }],
  ["lcov gcovr genhtml", { write: "o output-file output-directory", config: "config-file", data: "a b c d e r t" }],
  ["git-fast-import", { manual: "git-fast-import, git-man 2.39.5-0+deb12u3", write: "export-marks export-pack-edges" }],
  [
    "svn svnadmin svnlook",
    {
      manual: "svn, subversion 1.14.2-4+deb12u1",
      command: "diff-cmd diff3-cmd editor-cmd",
      read: "F file targets",
      data: "r m x c",
    },
  ],
  ["hg", { write: "o output" }],
  ["cvs", { manual: "cvs, cvs 1.12.13+real-28+deb12u1", command: "e", data: "d z s T" }],
  ["brz bzr", { manual: "brz, brz 3.3.2-3", command: "using", write: "o output", data: "r m F d" }],
  [
    "darcs",
    {
      command: "apply-as external-merge diff-command sendmail-command posthook prehook",
      write: "o output",
      words: true,
    },
  ],
  [
    "ansible ansible-playbook ansible-console ansible-pull",
    {
      manual: "ansible, ansible-core 2.14.18-0+deb12u2",
      read: "vault-password-file vault-pass-file become-password-file become-pass-file connection-password-file conn-pass-file private-key key-file",
      load: "M module-path",
      write: "t tree",
      data: "i a m u f l e",
    },
  ],
];
