import type { RoleRow } from "./role.ts";

/** Options from the manuals of programs for files, archives and text: what the other tables do not say. */
export const MANUALS_FILES: readonly RoleRow[] = [
  ["find", { manual: "find, findutils 4.9.0-4", write: "fprint fprint0 fls", read: "files0-from", words: true }],
  [
    "rsync",
    {
      manual: "rsync, rsync 3.5.0+ds1-0+deb12u1",
      write: "log-file partial-dir backup-dir temp-dir T write-batch only-write-batch",
      read: "read-batch early-input",
      data: "e M B",
    },
  ],
  [
    "tar gtar",
    {
      manual: "tar, tar 1.34+dfsg-1.2+deb12u1",
      write: "g listed-incremental index-file volno-file",
      data: "f file C directory b H",
    },
  ],
  ["cpio", { manual: "cpio, cpio 2.13+dfsg-7.1", write: "O", read: "I", data: "F E D H M C R" }],
  [
    "zip",
    { manual: "zip, zip 3.0-13+deb12u1", write: "O output-file logfile-path lf b temp-path", data: "n t tt i x" },
  ],
  [
    "unsquashfs",
    { manual: "unsquashfs, squashfs-tools 4.5.1-1", write: "d dest", read: "e ef exc excf pf", words: true },
  ],
  [
    "mksquashfs sqfstar",
    {
      manual: "mksquashfs, squashfs-tools 4.5.1-1",
      write: "log-action-file true-action-file false-action-file recovery-path",
      read: "action-file pf ef sort",
      words: true,
    },
  ],
  ["sort", { manual: "sort, coreutils 9.1-1", write: "o output T temporary-directory", data: "k t S" }],
  ["patch", { manual: "patch, patch 2.7.6-7", write: "o output r reject-file", data: "p d i D F V Y z B" }],
  ["diff3 sdiff", { manual: "diff3, diffutils 3.8-4", write: "o output", command: "diff-program" }],
  ["xxd", { manual: "xxd, xxd 9.0.1378-2+deb12u2", write: "#2", data: "c g l o s seek len cols groupsize n" }],
  ["zstd pzstd unzstd", { manual: "zstd, zstd 1.5.4+dfsg2-5", write: "o", data: "M T D" }],
  ["xz unxz lzma", { manual: "xz, xz-utils 5.4.1-1+deb12u2", read: "files files0", data: "T M C F" }],
  ["less", { manual: "less, less 590-2.1~deb12u2", write: "o O log-file LOG-FILE", data: "p P j t T x y z b h" }],
  [
    "ctags universal-ctags ctags-universal",
    {
      manual: "ctags-universal, universal-ctags 5.9.20210829.0-1",
      write: "f o",
      settings: "options-maybe optlib-dir",
      read: "L etags-include",
      data: "R",
    },
  ],
  ["cscope", { manual: "cscope, cscope 15.9-1", write: "f", read: "i", data: "F I P p s S" }],
  ["gtags", { manual: "gtags, global 6.6.9-1", write: "d dump", settings: "gtagsconf", data: "C f" }],
  [
    "htags",
    { manual: "htags, global 6.6.9-1", settings: "gtagsconf", read: "insert-footer insert-header html-header" },
  ],
  [
    "highlight",
    {
      manual: "highlight, highlight 3.41-2+b6",
      write: "o output d outdir c style-outfile",
      load: "plug-in",
      settings: "config-file",
      read: "i input e style-infile",
      data: "D S t",
    },
  ],
  ["source-highlight", { manual: "source-highlight, source-highlight 3.1.9-4.2+b3", write: "o output output-dir" }],
  [
    "pandoc",
    {
      manual: "pandoc, pandoc 2.17.1.1-2~deb12u1",
      write: "o output log extract-media",
      settings: "d defaults data-dir",
      data: "f t r w V M F L H B A",
    },
  ],
  [
    "groff troff",
    { manual: "groff, groff-base 1.22.4-10", load: "M", write: "F", read: "I", data: "m T d r W w f n o P L K D" },
  ],
  [
    "asciidoctor",
    {
      manual: "asciidoctor, asciidoctor 2.0.18-2",
      write: "o out-file D destination-dir",
      load: "E template-engine",
      data: "a b d e n R B S I r",
    },
  ],
  [
    "gawk awk",
    { manual: "gawk, gawk 5.2.1-2", write: "pretty-print dump-variables profile", load: "l load", data: "F v f e E i" },
  ],
  ["sqldiff", { manual: "sqldiff, sqlite3 3.40.1-2+deb12u2", load: "L lib", write: "changeset", words: true }],
  [
    "ack",
    {
      manual: "ack, ack 3.6.0-1",
      command: "pager",
      read: "files-from ignore-file",
      config: "ackrc",
      data: "m A B C g",
    },
  ],
  [
    "ag",
    {
      manual: "ag, silversearcher-ag 2.2.0+git20200805-1+b1",
      command: "pager",
      read: "p path-to-ignore",
      data: "G g m A B C",
    },
  ],
  [
    "rg",
    {
      manual: "rg, ripgrep 13.0.0-4+b2",
      command: "pre hostname-bin",
      read: "f file ignore-file",
      data: "e g t T m A B C d j r",
    },
  ],
  ["nano", { manual: "nano, nano 7.2-1+deb12u1", write: "C backupdir", data: "o operatingdir r T Q Y X" }],
  [
    "vifm",
    { manual: "vifm, vifm 0.12-1+b1", command: "c on-choose", write: "choose-files choose-dir logging delimiter" },
  ],
  [
    "ranger",
    {
      manual: "ranger, ranger 1.9.3-5",
      command: "cmd",
      write: "choosefile choosefiles choosedir cachedir r confdir datadir",
      read: "selectfile list-tagged-files",
    },
  ],
  ["tree", { manual: "tree, tree 2.1.0-1", write: "o", read: "fromfile gitfile infofile", data: "L P I H T" }],
  [
    "age",
    {
      manual: "age, age 1.1.1-1+b3",
      write: "o output",
      read: "R recipients-file",
      load: "j",
      data: "r recipient i identity",
    },
  ],
  ["pax", { manual: "pax, pax 20201030-1", write: "f", data: "b o s x" }],
  ["bfs", { write: "fprint fprint0 fls fprintf", words: true }],
  [
    "inotifywait inotifywatch",
    {
      manual: "inotifywait, inotify-tools 3.22.6.0-4",
      write: "o outfile",
      read: "fromfile",
      data: "e t format timefmt exclude",
    },
  ],
  [
    "strip objcopy",
    {
      manual: "strip, binutils-common 2.40-2",
      write: "o",
      read: "add-section update-section",
      data: "O I B j R K N L G W target output-target",
    },
  ],
  ["ar", { manual: "ar, binutils-common 2.40-2", load: "plugin", write: "output" }],
  ["nm objdump", { manual: "nm, binutils-common 2.40-2", load: "plugin", data: "b m M" }],
  ["exiftool", { write: "o w", words: true }],
];
