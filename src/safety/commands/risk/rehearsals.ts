import { once } from "../parse/once.ts";

/**
 * Options under which a program says what it would do and does nothing, by the program. In all its words, or as its
 * first one where another option could take it for its value and what is at stake is a disk.
 */
interface Rehearsal {
  readonly option: RegExp;
  /** How many of the words are looked at. Default: all before `--`. */
  readonly first?: number;
  /** Only behind these words. */
  readonly verb?: RegExp;
  /** Not behind these. */
  readonly not?: RegExp;
}

/** Verbs behind which another program's words stand, options and all: `docker compose exec web rm -rf x --dry-run`. */
const RUNS = /^(exec|run|with-lock|watch|attach)$/;
const NPM_RUNS = /^(exec|run|run-script|explore|create|init)$/;
const LONG = /^--dry[-_]?run(=(true|1))?$/;
const WITH_N = /^(-n|--dry-?run)$/;

const rehearsals = once((): Readonly<Record<string, Rehearsal | undefined>> => ({
  bq: { option: LONG },
  docker: { option: LONG, verb: /^compose$/, not: RUNS },
  "docker-compose": { option: LONG, not: RUNS },
  "podman-compose": { option: LONG, not: RUNS },
  aws: { option: /^--dry-?run$/ },
  gsutil: { option: /^-n$/, verb: /^rsync$/ },
  rclone: { option: WITH_N },
  restic: { option: WITH_N },
  rustic: { option: WITH_N },
  borg: { option: WITH_N, not: RUNS },
  borgmatic: { option: WITH_N },
  kopia: { option: LONG },
  duplicity: { option: LONG },
  tarsnap: { option: LONG },
  guix: { option: WITH_N },
  systemctl: { option: LONG },
  ansible: { option: /^(--check|-C|--syntax-check|--list-hosts)$/ },
  "ansible-playbook": { option: /^(--check|-C|--syntax-check|--list-hosts|--list-tasks)$/ },
  pulumi: { option: /^(--preview-only|--dry-run)$/ },
  npm: { option: LONG, not: NPM_RUNS },
  flyway: { option: /^-dryRunOutput=/ },
  "trash-empty": { option: LONG },
  zfs: { option: /^-[a-zA-Z]*n[a-zA-Z]*$/, verb: /^(destroy|receive|recv)$/ },
  zpool: { option: /^-[a-zA-Z]*n[a-zA-Z]*$/, verb: /^(create|add|split|trim)$/ },
  ...Object.fromEntries(
    "lvremove lvreduce lvresize lvextend lvcreate lvconvert lvchange lvrename vgremove vgreduce vgcreate vgextend vgchange vgrename vgsplit vgmerge pvmove pvremove pvcreate pvresize"
      .split(" ")
      .map((name) => [name, { option: /^(-t|--test)$/ }]),
  ),
  ufw: { option: LONG, first: 1 },
  "iptables-restore": { option: /^(-t|--test)$/ },
  "ip6tables-restore": { option: /^(-t|--test)$/ },
  nft: { option: /^(-\w*c\w*|--check)$/, first: 1 },
  visudo: { option: /^(-\w*c\w*|--check)$/, first: 1 },
  wipefs: { option: /^(-n|--no-act)$/, first: 1 },
  sfdisk: { option: /^(-n|--no-act)$/, first: 1 },
  mke2fs: { option: /^-n$/, first: 1 },
  "mkfs.ext2": { option: /^-n$/, first: 1 },
  "mkfs.ext3": { option: /^-n$/, first: 1 },
  "mkfs.ext4": { option: /^-n$/, first: 1 },
  "mkfs.xfs": { option: /^-N$/, first: 1 },
  mkntfs: { option: /^(-n|--no-action)$/, first: 1 },
  "mkfs.ntfs": { option: /^(-n|--no-action)$/, first: 1 },
  parallel: { option: /^--dry-?run$/, first: 1 },
  udevadm: { option: LONG },
  "systemd-tmpfiles": { option: LONG },
  ...Object.fromEntries(
    "e2fsck fsck fsck.ext2 fsck.ext3 fsck.ext4 fsck.xfs fsck.vfat fsck.fat xfs_repair"
      .split(" ")
      .map((name) => [name, { option: /^-[a-zA-Z]*[nN][a-zA-Z]*$/ }]),
  ),
  fstrim: { option: WITH_N },
  pg_resetwal: { option: WITH_N },
  pg_archivecleanup: { option: WITH_N },
}));

/** Any option of the table looks like this; most commands have none, and need no table. */
const LIKE_ONE = /^-(?:\w*[nNtcC]|-?dry|-no-act|-check|-syntax|-list|-preview|-test)/;

/** The call says what it would do, and does not do it. */
export function rehearses(program: string, args: readonly string[]): boolean {
  if (!args.some((arg) => LIKE_ONE.test(arg))) return false;
  const known = Object.hasOwn(rehearsals(), program) ? rehearsals()[program] : undefined;
  if (known === undefined) return false;
  const end = args.indexOf("--");
  const words = args.slice(0, known.first ?? (end === -1 ? undefined : end));
  if (known.not !== undefined && (words[0] === "x" || words.some((word) => known.not!.test(word)))) return false;
  return (
    words.some((word) => known.option.test(word)) &&
    (known.verb === undefined || words.some((word) => known.verb!.test(word)))
  );
}
